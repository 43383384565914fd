// See order.h.
#include "order.h"

#include <stdlib.h>
#include <string.h>

namespace {

bool less(const Seen& a, const Seen& b) { return a.block != b.block ? a.block < b.block : a.thread < b.thread; }

void clear(Knowledge* knowledge) {
    free(knowledge->seen);
    *knowledge = {};
}

void join(Seen* into, const Seen& other) {
    if (other.epoch > into->epoch) into->epoch = other.epoch;
    if (other.clock > into->clock) into->clock = other.clock;
    into->in_block &= other.in_block;
}

// into = into + from; entries that are for their own block only stay there.
void merge(Knowledge* into, const Knowledge& from, uint32_t block) {
    if (from.count == 0) return;
    Seen* merged = static_cast<Seen*>(malloc((into->count + from.count) * sizeof(Seen)));
    if (!merged) return;
    uint32_t count = 0, a = 0, b = 0;
    while (a < into->count || b < from.count) {
        if (b < from.count && from.seen[b].in_block && from.seen[b].block != block) {
            ++b;
        } else if (b == from.count || (a < into->count && less(into->seen[a], from.seen[b]))) {
            merged[count++] = into->seen[a++];
        } else if (a == into->count || less(from.seen[b], into->seen[a])) {
            merged[count++] = from.seen[b++];
        } else {
            merged[count] = into->seen[a++];
            join(&merged[count++], from.seen[b++]);
        }
    }
    free(into->seen);
    *into = {merged, count, count};
}

void add(Knowledge* into, const Seen& one) {
    Seen copy = one;
    merge(into, {&copy, 1, 1}, one.block);
}

bool knows(const Knowledge& knowledge, const Mark& mark) {
    uint32_t low = 0, high = knowledge.count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (knowledge.seen[middle].block < mark.block) low = middle + 1;
        else high = middle;
    }
    for (; low < knowledge.count && knowledge.seen[low].block == mark.block; ++low) {
        const Seen& seen = knowledge.seen[low];
        if (mark.epoch < seen.epoch || (mark.thread == seen.thread && mark.clock <= seen.clock)) return true;
    }
    return false;
}

}  // namespace

Order* make_order() { return static_cast<Order*>(calloc(1, sizeof(Order))); }

void drop_order(Order* order) {
    if (!order) return;
    for (Knowledge& own : order->own) clear(&own);
    clear(&order->all);
    free(order);
}

void begin_order(Order* order, uint32_t block, unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) {
        clear(&order->own[i]);
        order->clock[i] = 1;
        order->fence[i] = {};
    }
    clear(&order->all);
    memset(order->lanes, 0, sizeof order->lanes);
    order->block = block;
    order->epoch = 1;
    order->learnt = 0;
}

void order_barrier(Order* order, unsigned threads) {
    ++order->epoch;
    if (!order->learnt) return;
    for (unsigned i = 0; i < threads; ++i) {
        merge(&order->all, order->own[i], order->block);
        clear(&order->own[i]);
    }
    order->learnt = 0;
}

void order_lanes(Order* order, unsigned first, uint32_t lanes) {
    uint32_t joined[kWarp] = {};
    Knowledge known{};
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned lane = static_cast<unsigned>(__builtin_ctz(left)), thread = first + lane;
        for (unsigned i = 0; i < kWarp; ++i)
            if (order->lanes[thread][i] > joined[i]) joined[i] = order->lanes[thread][i];
        if (order->clock[thread] > joined[lane]) joined[lane] = order->clock[thread];
        merge(&known, order->own[thread], order->block);
    }
    for (uint32_t left = lanes; left; left &= left - 1) {
        const unsigned thread = first + static_cast<unsigned>(__builtin_ctz(left));
        memcpy(order->lanes[thread], joined, sizeof joined);
        ++order->clock[thread];
        if (known.count) {
            order->learnt += order->own[thread].count == 0;
            merge(&order->own[thread], known, order->block);
        }
    }
    clear(&known);
}

void order_part(Order* order, unsigned first, unsigned count) {
    Knowledge known{};
    for (unsigned thread = first; thread < first + count; ++thread) {
        merge(&known, order->own[thread], order->block);
        add(&known, {order->block, thread, 0, order->clock[thread], 0});
        for (unsigned lane = 0; lane < kWarp; ++lane)
            if (const uint32_t clock = order->lanes[thread][lane])
                add(&known, {order->block, thread / kWarp * kWarp + lane, 0, clock, 0});
    }
    for (unsigned thread = first; thread < first + count; ++thread) {
        order->learnt += order->own[thread].count == 0;
        merge(&order->own[thread], known, order->block);
        ++order->clock[thread];
    }
    clear(&known);
}

void order_fence(Order* order, unsigned thread, int scope) {
    order->fence[thread] = {order->epoch, order->clock[thread], scope};
    ++order->clock[thread];
}

bool comes_before(const Order* order, const Mark& earlier, unsigned thread) {
    if (earlier.block == order->block) {
        if (earlier.thread == thread || earlier.epoch < order->epoch) return true;
        const bool one_warp = earlier.thread / kWarp == thread / kWarp;
        if (one_warp && order->lanes[thread][earlier.thread % kWarp] >= earlier.clock) return true;
    }
    return knows(order->own[thread], earlier) || knows(order->all, earlier);
}

struct Board {
    struct Post {
        uint64_t address;
        Knowledge knowledge;
    };
    Post* posts;
    uint32_t room;    // a power of two
    uint32_t used;
};

namespace {

Board::Post* find(Board* board, uint64_t address) {
    uint32_t at = static_cast<uint32_t>(address * 0x9E3779B97F4A7C15u >> 33) & (board->room - 1);
    while (board->posts[at].address && board->posts[at].address != address) at = (at + 1) & (board->room - 1);
    return &board->posts[at];
}

void grow(Board* board) {
    Board larger{static_cast<Board::Post*>(calloc(board->room * 2, sizeof(Board::Post))), board->room * 2, board->used};
    if (!larger.posts) return;
    for (uint32_t i = 0; i < board->room; ++i)
        if (board->posts[i].address) *find(&larger, board->posts[i].address) = board->posts[i];
    free(board->posts);
    *board = larger;
}

}  // namespace

Board* make_board() {
    Board* board = static_cast<Board*>(calloc(1, sizeof(Board)));
    if (!board) return nullptr;
    board->room = 256;
    board->posts = static_cast<Board::Post*>(calloc(board->room, sizeof(Board::Post)));
    return board;
}

void drop_board(Board* board) {
    if (!board) return;
    for (uint32_t i = 0; i < board->room; ++i) clear(&board->posts[i].knowledge);
    free(board->posts);
    free(board);
}

void publish(Board* board, Order* order, unsigned thread, uint64_t address) {
    const Fence& fence = order->fence[thread];
    if (!fence.scope) return;
    if (board->used * 2 >= board->room) grow(board);
    Board::Post* post = find(board, address);
    if (!post->address) {
        post->address = address;
        ++board->used;
    }
    const uint32_t in_block = fence.scope == LEDGER_OF_BLOCK;
    merge(&post->knowledge, order->all, order->block);
    merge(&post->knowledge, order->own[thread], order->block);
    add(&post->knowledge, {order->block, thread, fence.epoch, fence.clock, in_block});
    const unsigned first = thread / kWarp * kWarp;
    for (unsigned lane = 0; lane < kWarp; ++lane)
        if (const uint32_t clock = order->lanes[thread][lane])
            if (first + lane != thread) add(&post->knowledge, {order->block, first + lane, fence.epoch, clock, in_block});
}

void learn(Board* board, Order* order, unsigned thread, uint64_t address) {
    const Board::Post* post = find(board, address);
    if (!post->address) return;
    const uint32_t before = order->own[thread].count;
    merge(&order->own[thread], post->knowledge, order->block);
    order->learnt += before == 0 && order->own[thread].count != 0;
}
