// The events of a traced block, thread by thread (trace.h says how they are written).
#pragma once
#include "list.h"
#include "trace.h"

constexpr uint32_t kEntry = 0;                   // before the first place of a function
constexpr uint32_t kExit = kTraceCode;           // behind its last
constexpr uint32_t kMeeting = 1u << 29;          // a place that is a barrier or warp operation: this | line

enum class Kind : uint8_t { Node, Access, Enter, Leave, Barrier, Warp, End };

struct Event {
    Kind kind;
    uint8_t access;
    uint16_t bytes;
    uint32_t place;      // code address, or kMeeting | line
    uint32_t mask;       // of a warp operation
    uint64_t address;
};

struct Segment {
    const uint32_t* begin;
    const uint32_t* end;
    int32_t next;
};

// Walks one thread's events.
struct Cursor {
    const uint32_t* at = nullptr;
    const uint32_t* end = nullptr;
    int32_t segment = -1;
};

class Streams {
  public:
    // Finds each thread's parts of the block's events. False: no memory.
    bool open(const LedgerTracedBlock& block, unsigned threads);
    Cursor start(unsigned thread) const;
    // Reads the event under the cursor and moves behind it.
    Event next(Cursor& cursor) const;
    // Whether the thread touches no memory and meets no other from here on.
    bool idle(unsigned thread, const Cursor& cursor) const;

  private:
    List<Segment> segments_;
    List<int32_t> first_;
    List<int32_t> last_;
    List<const uint32_t*> useful_;    // behind each thread's last access or meeting
    List<int32_t> useful_segment_;
};

// How often control went from one place to another in the frames of a function.
struct LedgerEdge {
    uint32_t function;
    uint32_t from;
    uint32_t to;
    uint32_t kind;       // 1: the place `to` touches memory or meets other threads; 2: it is a function that was called
    uint64_t count;
};
