// See lanes.h.
#include "lanes.h"

#include "places.h"

#include "worker.h"

namespace {

struct Frame {
    uint32_t function;
    uint32_t last;
    uint32_t context;
};

// An agreement to meet at a place of a frame.
struct Meeting {
    uint32_t function;
    uint32_t place;
    uint32_t depth;
    uint32_t members;
    uint32_t arrived;
    uint32_t number;
};

struct Lane {
    Cursor cursor;
    Event next;
    List<Frame> frames;
    List<uint32_t> meetings;    // those it takes part in, outermost first
};

class Output {
  public:
    List<LedgerRequest> requests;
    List<uint64_t> addresses;
};

class WarpReplay {
  public:
    WarpReplay(const Streams& streams, const Graph& graph, Output& output) : streams_(streams), graph_(graph), output_(output) {}

    bool replay(const LedgerTracedBlock& block, uint32_t index, unsigned warp, unsigned threads) {
        block_ = &block;
        block_index_ = index;
        warp_ = warp;
        const unsigned lanes = threads - warp * kWarp < kWarp ? threads - warp * kWarp : kWarp;
        live_ = lanes == kWarp ? ~0u : one(lanes) - 1;
        meetings_.clear();
        groups_.clear();
        gathered_ = 0;
        run_ = number_ = 0;
        const uint32_t all = live_;
        each(all, [&](unsigned lane) { begin(lane); });
        groups_.push(live_);
        while (live_ && !failed_) {
            if (groups_.size()) step(groups_.pop());
            else release_one();
        }
        return !failed_;
    }

  private:
    void begin(unsigned lane) {
        Lane& one_lane = lanes_[lane];
        one_lane.frames.clear();
        one_lane.meetings.clear();
        failed_ |= !one_lane.frames.push({0, kEntry, 0});
        one_lane.cursor = streams_.start(warp_ * kWarp + lane);
        advance(lane);
    }

    void advance(unsigned lane) {
        Lane& it = lanes_[lane];
        if (streams_.idle(warp_ * kWarp + lane, it.cursor)) {
            it.next = {Kind::End, 0, 0, kExit, 0, 0};
            return;
        }
        it.next = streams_.next(it.cursor);
    }

    // --- one group of lanes ----------------------------------------------------------------------------------------

    void step(uint32_t mask) {
        ++run_;
        while (!failed_) {
            mask = without_finished(mask);
            if (!mask) return;
            const Event& event = lanes_[__builtin_ctz(mask)].next;
            uint32_t same = 0;
            each(mask, [&](unsigned lane) {
                const Event& other = lanes_[lane].next;
                if (other.kind == event.kind && other.place == event.place) same |= one(lane);
            });
            if (same != mask) return part(mask);
            const uint32_t parked = park(mask, event.place);
            if (parked) {
                mask &= ~parked;
                ++run_;
                continue;
            }
            if (event.kind == Kind::Barrier || event.kind == Kind::Warp) return gather(mask);
            act(mask, event);
        }
    }

    void act(uint32_t mask, const Event& event) {
        const Event done = event;
        if (done.kind == Kind::Access) record(mask, done);
        each(mask, [&](unsigned lane) {
            Lane& it = lanes_[lane];
            const Frame frame = it.frames.back();
            if (done.kind == Kind::Enter) {
                failed_ |= !it.frames.push({done.place, kEntry, (frame.context + frame.last + 1) * 0x9E3779B1u});
            } else if (done.kind == Kind::Leave && it.frames.size() > 1) {
                leave_frame(lane);
            } else {
                it.frames.back().last = done.place;
            }
            advance(lane);
        });
    }

    uint32_t without_finished(uint32_t mask) {
        uint32_t going = mask;
        each(mask, [&](unsigned lane) {
            if (lanes_[lane].next.kind != Kind::End) return;
            going &= ~one(lane);
            live_ &= ~one(lane);
            leave_meetings(lane, 0);
        });
        if (going != mask) complete_gathering();
        return going;
    }

    // --- parting and meeting again ---------------------------------------------------------------------------------

    // Lanes with different next places: they agree where to meet, level by level of the loops, and go on as groups of their own.
    void part(uint32_t mask) {
        const Frame frame = lanes_[__builtin_ctz(mask)].frames.back();
        const int64_t here = graph_.find(frame.function, frame.last);
        if (here >= 0) {
            const LedgerGraph& rows = graph_.rows();
            const uint32_t first = rows.ways[here];
            for (uint32_t row = rows.ways[here + 1]; row-- > first;) {
                uint32_t next = row;    // the row of the loop further in, `first` when there is none
                while (next > first && rows.way_loop[next] == rows.way_loop[row]) --next;
                const bool further = rows.way_loop[next] != rows.way_loop[row];
                agree(mask, rows.way_loop[row], further ? &rows.way_loop[next] : nullptr, rows.way_meet[row]);
            }
        }
        ++number_;
        uint32_t rest = mask;
        while (rest) {
            const Event& event = lanes_[__builtin_ctz(rest)].next;
            uint32_t same = 0;
            each(rest, [&](unsigned lane) {
                const Event& other = lanes_[lane].next;
                if (other.kind == event.kind && other.place == event.place) same |= one(lane);
            });
            failed_ |= !groups_.push(same);
            rest &= ~same;
        }
    }

    // The lanes that stay in `loop` meet at `place`, if they go more than one way; all that stay in the loop further in count as one.
    void agree(uint32_t mask, int32_t loop, const int32_t* inner, int32_t place) {
        const Frame frame = lanes_[__builtin_ctz(mask)].frames.back();
        uint32_t members = 0, deeper = 0;
        uint32_t first_way = 0;
        bool several = false, any = false;
        each(mask, [&](unsigned lane) {
            const int64_t to = graph_.find(frame.function, lanes_[lane].next.place);
            if (!graph_.inside(to, loop)) return;
            const bool further = inner && graph_.inside(to, *inner);
            const uint32_t way = further ? ~0u : lanes_[lane].next.place;
            if (any && way != first_way) several = true;
            if (!any) first_way = way;
            any = true;
            members |= one(lane);
            deeper |= further ? one(lane) : 0;
        });
        if (!several) return;
        const uint32_t depth = static_cast<uint32_t>(lanes_[__builtin_ctz(mask)].frames.size());
        const uint32_t code = graph_.code(place);
        if (agreed(members, frame.function, code, depth)) return;
        const uint32_t index = static_cast<uint32_t>(meetings_.size());
        failed_ |= !meetings_.push({frame.function, code, depth, members, 0, number_ + 1});
        each(members, [&](unsigned lane) { failed_ |= !lanes_[lane].meetings.push(index); });
    }

    // Whether all of them are bound for the same place already, by one agreement.
    bool agreed(uint32_t members, uint32_t function, uint32_t code, uint32_t depth) {
        const List<uint32_t>& first = lanes_[__builtin_ctz(members)].meetings;
        if (!first.size()) return false;
        const uint32_t index = first.back();
        const Meeting& meeting = meetings_[index];
        bool all = meeting.function == function && meeting.place == code && meeting.depth == depth;
        each(members, [&](unsigned lane) {
            const List<uint32_t>& own = lanes_[lane].meetings;
            all = all && own.size() && own.back() == index;
        });
        return all;
    }

    // Lanes that have come to a place where they agreed to meet wait there. Returns them.
    uint32_t park(uint32_t mask, uint32_t place) {
        uint32_t parked = 0;
        each(mask, [&](unsigned lane) {
            Lane& it = lanes_[lane];
            const uint32_t depth = static_cast<uint32_t>(it.frames.size());
            for (uint64_t i = it.meetings.size(); i-- > 0;) {
                const Meeting& meeting = meetings_[it.meetings[i]];
                if (meeting.place != place || meeting.depth != depth || meeting.function != it.frames.back().function) continue;
                meetings_[it.meetings[i]].arrived |= one(lane);
                parked |= one(lane);
                leave_meetings(lane, i + 1);
                break;
            }
        });
        each(parked, [&](unsigned lane) {
            if (lanes_[lane].meetings.size()) release_if_complete(lanes_[lane].meetings.back());
        });
        return parked;
    }

    void leave_frame(unsigned lane) {
        Lane& it = lanes_[lane];
        uint64_t keep = it.meetings.size();
        while (keep && meetings_[it.meetings[keep - 1]].depth >= it.frames.size()) --keep;
        leave_meetings(lane, keep);
        it.frames.pop();
    }

    // The lane takes no part any more in its meetings from the `from`-th on.
    void leave_meetings(unsigned lane, uint64_t from) {
        List<uint32_t>& own = lanes_[lane].meetings;
        while (own.size() > from) {
            const uint32_t index = own.pop();
            meetings_[index].members &= ~one(lane);
            meetings_[index].arrived &= ~one(lane);
            release_if_complete(index);
        }
    }

    void release_if_complete(uint32_t index) {
        const Meeting meeting = meetings_[index];
        if (meeting.members && meeting.members == meeting.arrived) release(index);
    }

    void release(uint32_t index) {
        const uint32_t lanes = meetings_[index].arrived;
        meetings_[index].members &= ~lanes;
        meetings_[index].arrived = 0;
        each(lanes, [&](unsigned lane) { lanes_[lane].meetings.pop(); });
        failed_ |= !groups_.push(lanes);
    }

    // --- barriers and warp operations ------------------------------------------------------------------------------

    void gather(uint32_t mask) {
        gathered_ |= mask;
        complete_gathering();
    }

    void complete_gathering() {
        for (bool again = true; again && gathered_;) {
            again = false;
            for (uint32_t rest = gathered_; rest; rest &= rest - 1) {
                const Event& event = lanes_[__builtin_ctz(rest)].next;
                const uint32_t wanted = (event.kind == Kind::Warp ? event.mask : ~0u) & live_;
                if ((gathered_ & wanted) != wanted) continue;
                let_go(wanted);
                again = true;
                break;
            }
        }
    }

    void let_go(uint32_t lanes) {
        gathered_ &= ~lanes;
        while (lanes) {
            const unsigned first = static_cast<unsigned>(__builtin_ctz(lanes));
            const uint32_t place = lanes_[first].next.place;
            const uint64_t depth = lanes_[first].frames.size();
            const uint32_t context = lanes_[first].frames.back().context;
            uint32_t together = 0;
            each(lanes, [&](unsigned lane) {
                const Lane& it = lanes_[lane];
                if (it.next.place == place && it.frames.size() == depth && it.frames.back().context == context) together |= one(lane);
            });
            each(together, [&](unsigned lane) {
                lanes_[lane].frames.back().last = place;
                advance(lane);
            });
            failed_ |= !groups_.push(together);
            lanes &= ~together;
        }
    }

    // Nobody can go on: lanes wait at a meeting for others that wait elsewhere. A GPU's barriers would not stop them.
    void release_one() {
        for (uint64_t i = meetings_.size(); i-- > 0;)
            if (meetings_[i].arrived) {
                const uint32_t stay = meetings_[i].members & ~meetings_[i].arrived;
                each(stay, [&](unsigned lane) { forget(lane, static_cast<uint32_t>(i)); });
                meetings_[i].members = meetings_[i].arrived;
                return release(static_cast<uint32_t>(i));
            }
        if (gathered_) return let_go(gathered_);
        live_ = 0;
    }

    void forget(unsigned lane, uint32_t meeting) {
        List<uint32_t>& own = lanes_[lane].meetings;
        for (uint64_t i = own.size(); i-- > 0;)
            if (own[i] == meeting) own.drop(i);
    }

    // --- what is found ---------------------------------------------------------------------------------------------

    void record(uint32_t mask, const Event& event) {
        const Lane& leader = lanes_[__builtin_ctz(mask)];
        LedgerRequest request{};
        request.first_address = output_.addresses.size();
        request.block = block_index_;
        request.function = leader.frames.back().function;
        request.code = event.place;
        request.context = leader.frames.back().context;
        request.mask = mask;
        request.run = run_;
        request.parting = leader.meetings.size() ? meetings_[leader.meetings.back()].number : 0;
        request.warp = static_cast<uint16_t>(warp_);
        request.bytes = event.bytes;
        request.access = event.access;
        request.space = space_of(event.address);
        failed_ |= !output_.requests.push(request);
        each(mask, [&](unsigned lane) { failed_ |= !output_.addresses.push(seen(lanes_[lane].next.address)); });
    }

    static bool within(uint64_t address, uint64_t begin, uint64_t bytes) { return address - begin < bytes; }

    uint8_t space_of(uint64_t address) const {
        if (within(address, block_->static_shared, block_->static_bytes)) return 1;
        if (within(address, block_->dynamic_shared, block_->dynamic_bytes)) return 1;
        return within(address, block_->stacks, block_->stack_bytes) ? 2 : 0;
    }

    uint64_t seen(uint64_t address) const {
        if (within(address, block_->static_shared, block_->static_bytes)) return address - block_->static_shared;
        if (within(address, block_->dynamic_shared, block_->dynamic_bytes))
            return kDynamicShared + address - block_->dynamic_shared;
        return address;
    }

    const Streams& streams_;
    const Graph& graph_;
    Output& output_;
    const LedgerTracedBlock* block_ = nullptr;
    Lane lanes_[kWarp];
    List<Meeting> meetings_;
    List<uint32_t> groups_;
    uint32_t live_ = 0;
    uint32_t gathered_ = 0;
    uint32_t block_index_ = 0;
    uint32_t run_ = 0;
    uint32_t number_ = 0;
    unsigned warp_ = 0;
    bool failed_ = false;
};

Output output;    // of the last call, until the next: one analysis runs at a time

}  // namespace

void drop_requests() {
    output.requests.give_back();
    output.addresses.give_back();
}

// Replays blocks [begin, end) and answers their requests, valid until the next call. False: no memory.
LEDGER_API int ledger_trace_requests(const LedgerTracedBlock* blocks, uint64_t begin, uint64_t end, unsigned threads,
                                     const LedgerGraph* rows, LedgerRequests* answer) {
    Streams streams;
    const Graph graph(*rows);
    output.requests.clear();
    output.addresses.clear();
    WarpReplay warp(streams, graph, output);
    for (uint64_t i = begin; i < end; ++i) {
        if (!blocks[i].complete) continue;
        if (!streams.open(blocks[i], threads)) return 0;
        for (unsigned w = 0; w * kWarp < threads; ++w)
            if (!warp.replay(blocks[i], static_cast<uint32_t>(i), w, threads)) return 0;
    }
    *answer = {output.requests.data(), output.requests.size(), output.addresses.data(), output.addresses.size()};
    return 1;
}
