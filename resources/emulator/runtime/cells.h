// Inside of the sanitizer: the cells it keeps for memory, and what it does with a finding.
#pragma once
#include "order.h"
#include "shadow.h"

constexpr unsigned kReads = 3;
constexpr unsigned kPending = 64;
constexpr uint64_t kSmall = 16;    // bytes of the widest single access

struct Cell {
    Mark write;
    Mark reads[kReads];
};

// The cells of some memory, one a byte.
struct Cells {
    Region region;
    Cell* cells;
    LedgerSpace space;
    bool initialised;

    bool shared() const { return space == LEDGER_STATIC_SHARED || space == LEDGER_DYNAMIC_SHARED; }
};

// A write to a byte that another thread wrote: whether it is the same value is known once it has taken place.
struct Pending {
    uint64_t address;
    uint64_t bytes;
    LedgerFinding* finding;
    int32_t otherwise;    // the severity where it is another value
    char before[kSmall];
};

struct Access {
    Worker* worker;
    uint64_t address;
    uint64_t bytes;
    int access;
    uint64_t code;
    const Cells* cells;

    int kind() const { return access & 3; }
};

class Lock {
  public:
    explicit Lock(std::atomic_flag* flag) : flag_(flag) {
        while (flag_->test_and_set(std::memory_order_acquire)) {}
    }
    ~Lock() { flag_->clear(std::memory_order_release); }
    Lock(const Lock&) = delete;

  private:
    std::atomic_flag* flag_;
};

// What one launch knows.
struct Sight {
    std::atomic_flag lock = ATOMIC_FLAG_INIT;
    LedgerShadow* shadow;
    Board* board;
    Cells* ranges;
    Cells module;
};

// What one OS thread knows.
struct Watch {
    Order* order;
    Cells static_shared;
    Cells dynamic_shared;
    Pending pending[kPending];
    unsigned pending_count;
};

// Counts a finding and returns it as it is kept; nullptr where there is no room for another.
LedgerFinding* keep_finding(LedgerShadow* shadow, const LedgerFinding& finding);
LedgerFinding describe(const Access& at, int32_t kind, uint64_t address);
// One hazard with an earlier access; the caller asks once for each place in the code.
void found_race(const Access& at, const Mark& earlier, uint64_t address);
// Two writes to one place by two threads: looks, once the later one has taken place, whether it wrote another value.
void resolve(Watch* watch, uint64_t address, uint64_t bytes);
