// Looking places up in the control flow of a launch (LedgerGraph of lanes.h), and walking the lanes of a mask.
#pragma once
#include "lanes.h"

inline uint32_t one(unsigned lane) { return 1u << lane; }

template <class Use>
void each(uint32_t mask, Use use) {
    for (; mask; mask &= mask - 1) use(static_cast<unsigned>(__builtin_ctz(mask)));
}

class Graph {
  public:
    explicit Graph(const LedgerGraph& graph) : graph_(graph) {}
    // The number of a place, -1 for one that is not known.
    int64_t find(uint32_t function, uint32_t code) const {
        uint64_t low = 0, high = graph_.places;
        while (low < high) {
            const uint64_t middle = (low + high) / 2;
            const bool less = graph_.function[middle] != function ? graph_.function[middle] < function : graph_.code[middle] < code;
            if (less) low = middle + 1;
            else high = middle;
        }
        return low < graph_.places && graph_.function[low] == function && graph_.code[low] == code ? static_cast<int64_t>(low) : -1;
    }
    bool inside(int64_t place, int32_t loop) const {
        if (loop < 0) return true;
        if (place < 0) return false;
        int32_t around = graph_.loop[place];
        while (around >= 0 && around != loop) around = graph_.parent[around];
        return around == loop;
    }
    uint32_t code(int32_t place) const { return place < 0 ? kExit : graph_.code[place]; }
    const LedgerGraph& rows() const { return graph_; }

  private:
    const LedgerGraph& graph_;
};
