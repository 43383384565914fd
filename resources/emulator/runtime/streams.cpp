// Splits the events of a block by thread, and collects the edges of the control flow that was taken.
#include "streams.h"

#include "worker.h"

namespace {

unsigned length(uint32_t word) {
    if (word >> 30 == TRACE_ACCESS >> 30) return 3;
    const uint32_t what = word >> 24 & 63;
    return word >> 30 == TRACE_CONTROL >> 30 && (what == TRACE_ENTER || what == TRACE_WARP) ? 2 : 1;
}

bool is_useful(uint32_t word) {
    const uint32_t what = word >> 24 & 63;
    return word >> 30 == TRACE_ACCESS >> 30 || (word >> 30 == TRACE_CONTROL >> 30 && (what == TRACE_BARRIER || what == TRACE_WARP));
}

}  // namespace

bool Streams::open(const LedgerTracedBlock& block, unsigned threads) {
    segments_.clear();
    if (!first_.assign(threads, -1) || !last_.assign(threads, -1) || !useful_.assign(threads, nullptr) ||
        !useful_segment_.assign(threads, -1))
        return false;
    const uint32_t* end = block.events + block.words;
    unsigned thread = 0;
    for (const uint32_t* at = block.events; at < end; at += length(*at)) {
        if (*at >> 24 == (TRACE_CONTROL >> 24 | TRACE_THREAD)) {
            if (segments_.size()) segments_.back().end = at;
            thread = (*at & kTraceValue) % threads;
            const int32_t index = static_cast<int32_t>(segments_.size());
            if (!segments_.push({at + 1, end, -1})) return false;
            if (last_[thread] >= 0) segments_[static_cast<uint64_t>(last_[thread])].next = index;
            else first_[thread] = index;
            last_[thread] = index;
        } else if (is_useful(*at)) {
            useful_[thread] = at + length(*at);
            useful_segment_[thread] = last_[thread];
        }
    }
    return true;
}

Cursor Streams::start(unsigned thread) const {
    Cursor cursor;
    cursor.segment = first_[thread];
    if (cursor.segment >= 0) {
        cursor.at = segments_[static_cast<uint64_t>(cursor.segment)].begin;
        cursor.end = segments_[static_cast<uint64_t>(cursor.segment)].end;
    }
    return cursor;
}

bool Streams::idle(unsigned thread, const Cursor& cursor) const {
    // Segments of a thread have rising numbers, and addresses rise within one.
    if (cursor.segment != useful_segment_[thread]) return cursor.segment > useful_segment_[thread];
    return cursor.at >= useful_[thread];
}

Event Streams::next(Cursor& cursor) const {
    while (cursor.at == cursor.end) {
        if (cursor.segment < 0 || segments_[static_cast<uint64_t>(cursor.segment)].next < 0) return {Kind::End, 0, 0, kExit, 0, 0};
        cursor.segment = segments_[static_cast<uint64_t>(cursor.segment)].next;
        cursor.at = segments_[static_cast<uint64_t>(cursor.segment)].begin;
        cursor.end = segments_[static_cast<uint64_t>(cursor.segment)].end;
    }
    const uint32_t* at = cursor.at;
    const uint32_t word = *at;
    cursor.at += length(word);
    if (word >> 30 == TRACE_NODE >> 30) return {Kind::Node, 0, 0, word & kTraceCode, 0, 0};
    if (word >> 30 == TRACE_ACCESS >> 30)
        return {Kind::Access, static_cast<uint8_t>(at[2] >> 16 & 3), static_cast<uint16_t>(at[2] >> 18), word & kTraceCode, 0,
                at[1] | static_cast<uint64_t>(at[2] & 0xFFFF) << 32};
    switch (word >> 24 & 63) {
        case TRACE_ENTER: return {Kind::Enter, 0, 0, at[1], 0, 0};
        case TRACE_LEAVE: return {Kind::Leave, 0, 0, kExit, 0, 0};
        case TRACE_WARP: return {Kind::Warp, 0, 0, kMeeting | (word & kTraceValue), at[1], 0};
        default: return {Kind::Barrier, 0, 0, kMeeting | (word & kTraceValue), 0, 0};
    }
}

namespace {

// Edges by content, in an open table whose room is a power of two.
class EdgeTable {
  public:
    bool open() { return slots_.assign(1024, {0, 0, 0, 0, 0}); }
    bool add(uint32_t function, uint32_t from, uint32_t to, uint32_t kind) {
        LedgerEdge& edge = find(function, from, to);
        if (edge.count++ == 0) {
            edge.function = function;
            edge.from = from;
            edge.to = to;
            edge.kind = kind;
            if (++used_ * 2 > slots_.size()) return grow();
        }
        return true;
    }
    const List<LedgerEdge>& slots() const { return slots_; }

  private:
    LedgerEdge& find(uint32_t function, uint32_t from, uint32_t to) {
        const uint64_t last = slots_.size() - 1;
        uint64_t at = ((function * 0x9E3779B1u ^ from) * 0x85EBCA77u ^ to) * 0xC2B2AE3Du;
        for (at = (at ^ at >> 15) & last;; at = (at + 1) & last) {
            LedgerEdge& edge = slots_[at];
            if (edge.count == 0 || (edge.function == function && edge.from == from && edge.to == to)) return edge;
        }
    }
    bool grow() {
        List<LedgerEdge> old;
        for (uint64_t i = 0; i < slots_.size(); ++i)
            if (slots_[i].count && !old.push(slots_[i])) return false;
        if (!slots_.assign(slots_.size() * 4, {0, 0, 0, 0, 0})) return false;
        for (uint64_t i = 0; i < old.size(); ++i) find(old[i].function, old[i].from, old[i].to) = old[i];
        return true;
    }

    List<LedgerEdge> slots_;
    uint64_t used_ = 0;
};

struct Place {
    uint32_t function;
    uint32_t last;
};

bool walk(const Streams& streams, unsigned thread, List<Place>& frames, EdgeTable& edges) {
    frames.clear();
    if (!frames.push({0, kEntry})) return false;
    Cursor cursor = streams.start(thread);
    for (Event event = streams.next(cursor); event.kind != Kind::End; event = streams.next(cursor)) {
        if (event.kind == Kind::Enter) {
            if (!edges.add(frames.back().function, frames.back().last, event.place, 2)) return false;
            if (!frames.push({event.place, kEntry})) return false;
            continue;
        }
        Place& frame = frames.back();
        if (!edges.add(frame.function, frame.last, event.place, event.kind != Kind::Node && event.kind != Kind::Leave)) return false;
        if (event.kind == Kind::Leave && frames.size() > 1) frames.pop();
        else frame.last = event.place;
    }
    while (frames.size()) {
        const Place frame = frames.pop();
        if (!edges.add(frame.function, frame.last, kExit, 0)) return false;
    }
    return true;
}

}  // namespace

// Writes the edges that the complete blocks of `blocks` took, `room` at most; returns how many there are, -1 without memory.
LEDGER_API int64_t ledger_trace_edges(const LedgerTracedBlock* blocks, uint64_t count, unsigned threads, LedgerEdge* out, uint64_t room) {
    Streams streams;
    EdgeTable edges;
    List<Place> frames;
    if (!edges.open()) return -1;
    for (uint64_t i = 0; i < count; ++i) {
        if (!blocks[i].complete) continue;
        if (!streams.open(blocks[i], threads)) return -1;
        for (unsigned thread = 0; thread < threads; ++thread)
            if (!walk(streams, thread, frames, edges)) return -1;
    }
    uint64_t written = 0;
    for (uint64_t i = 0; i < edges.slots().size(); ++i)
        if (edges.slots()[i].count && written++ < room) out[written - 1] = edges.slots()[i];
    return static_cast<int64_t>(written);
}
