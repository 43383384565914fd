// What a wild access or a trap of the processor becomes: a short report in the fault file, then the end of the process.
// Everything below runs in a signal handler: no allocation, no locks, no stdio.
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "memory.h"
#include "worker.h"

bool emulate_division(ucontext_t* context);

namespace {

constexpr int kExitCode = 77;
int report_file = STDERR_FILENO;
char module_path[4096];
uint64_t module_base = 0;
struct sigaction earlier[64];

class Text {
  public:
    Text& put(const char* text) {
        while (*text && used_ < sizeof buffer_) buffer_[used_++] = *text++;
        return *this;
    }
    Text& put(uint64_t value, unsigned base = 10) {
        char digits[24];
        int count = 0;
        do digits[count++] = "0123456789abcdef"[value % base];
        while (value /= base);
        while (count && used_ < sizeof buffer_) buffer_[used_++] = digits[--count];
        return *this;
    }
    Text& put(int64_t value) {
        if (value < 0) put("-");
        return put(value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value), 10);
    }
    Text& put(uint3 v) { return put(uint64_t{v.x}).put(", ").put(uint64_t{v.y}).put(", ").put(uint64_t{v.z}); }
    void write_to(int file) const {
        size_t done = 0;
        while (done < used_) {
            const ssize_t step = write(file, buffer_ + done, used_ - done);
            if (step <= 0) return;
            done += static_cast<size_t>(step);
        }
    }

  private:
    char buffer_[8192];
    size_t used_ = 0;
};

// The argument nearest to an address within 64 MiB, and how far from its start; nullptr when none is near.
const Allocation* nearest(uint64_t address, int64_t* offset) {
    const Allocation* best = nullptr;
    uint64_t best_gap = 64 * 1024 * 1024;
    for (unsigned i = 0; i < ledger_allocation_count; ++i) {
        const Allocation& buffer = ledger_allocations[i];
        if (!buffer.begin || buffer.argument < 0) continue;
        const uint64_t end = buffer.begin + buffer.bytes;
        const uint64_t gap = address < buffer.begin ? buffer.begin - address : (address >= end ? address - end : 0);
        if (gap >= best_gap) continue;
        best = &buffer;
        best_gap = gap;
        *offset = static_cast<int64_t>(address - buffer.begin);
    }
    return best;
}

struct Crash {
    uint64_t address;
    uint64_t code;
    int access;             // -1: the processor does not tell
    bool address_known;
};

Crash read_crash(int number, const siginfo_t* info, const ucontext_t* context) {
    Crash crash{reinterpret_cast<uint64_t>(info->si_addr), 0, -1, number == SIGSEGV || number == SIGBUS};
#if defined(__x86_64__) && defined(__linux__)
    crash.code = static_cast<uint64_t>(context->uc_mcontext.gregs[REG_RIP]);
    if (context->uc_mcontext.gregs[REG_TRAPNO] == 14) crash.access = context->uc_mcontext.gregs[REG_ERR] >> 1 & 1;
    else crash.address_known = false;    // a general protection fault does not carry its address
#elif defined(__aarch64__) && defined(__linux__)
    crash.code = context->uc_mcontext.pc;
#else
    (void)context;
#endif
    return crash;
}

bool in_stack_guard(const Worker* worker, uint64_t address) {
    const uint64_t begin = reinterpret_cast<uint64_t>(worker->stacks), bytes = kStackBytes * kMaxThreads;
    return address - begin < bytes && (address - begin) % kStackBytes < kPage;
}

void put_place(Text& text, const Crash& crash) {
    text.put("arg.block=").put(ledger_thread.block_index).put("\narg.thread=").put(ledger_thread.thread_index).put("\n");
    text.put("code=0x").put(crash.code - module_base, 16).put("\nbinary=").put(module_path).put("\n");
}

void put_access(Text& text, const Crash& crash) {
    static const char* const verbs[] = {"accessed", "read", "wrote"};
    int64_t offset = 0;
    const char* verb = verbs[crash.access + 1];
    static const char* const accesses[] = {"", "read", "write"};
    text.put("access=").put(accesses[crash.access + 1]).put("\n");
    const Allocation* buffer = crash.address_known ? nearest(crash.address, &offset) : nullptr;
    if (buffer) {
        text.put("kind=OutOfBounds\ntext=Out of bounds: the kernel ").put(verb);
        text.put(" at byte {offset} of argument {argument}, which has {bytes} bytes, in block ({block}), thread ({thread}).\n");
        text.put("arg.offset=").put(offset).put("\narg.argument=").put(uint64_t(buffer->argument) + 1);
        text.put("\narg.bytes=").put(buffer->bytes).put("\n");
    } else if (crash.address_known) {
        text.put("kind=OutOfBounds\ntext=Out of bounds: the kernel ").put(verb);
        text.put(" at address {address}, far from every argument, in block ({block}), thread ({thread}).\n");
        text.put("arg.address=0x").put(crash.address, 16).put("\n");
    } else {
        text.put("kind=OutOfBounds\ntext=Out of bounds: the kernel used an address that cannot exist or is not aligned, "
                 "in block ({block}), thread ({thread}).\n");
    }
}

void report_crash(int number, const Crash& crash) {
    const Worker* worker = ledger_worker;
    Text text;
    if (number == SIGFPE || number == SIGILL) {
        text.put("kind=DeviceFault\ntext=The processor stopped the kernel at an instruction it cannot finish (signal {signal}), "
                 "in block ({block}), thread ({thread}).\narg.signal=").put(uint64_t(number)).put("\n");
    } else if (crash.address_known && in_stack_guard(worker, crash.address)) {
        text.put("kind=DeviceFault\ntext=The kernel needs more stack than the {bytes} bytes that the emulator gives a thread, "
                 "in block ({block}), thread ({thread}); use smaller local arrays.\narg.bytes=").put(kLocalBytes).put("\n");
    } else {
        put_access(text, crash);
    }
    put_place(text, crash);
    text.write_to(report_file);
}

void handle(int number, siginfo_t* info, void* raw) {
    ucontext_t* context = static_cast<ucontext_t*>(raw);
    const Worker* worker = ledger_worker;
    if (!worker || !worker->running) {    // not a kernel: it happens again for who was there before
        sigaction(number, &earlier[number], nullptr);
        return;
    }
    if (number == SIGFPE && emulate_division(context)) return;
    static volatile int reporting = 0;
    if (__sync_lock_test_and_set(&reporting, 1)) for (;;) pause();    // another OS thread reports already
    report_crash(number, read_crash(number, info, context));
    _exit(kExitCode);
}

}  // namespace

void use_alternate_stack() {
    stack_t stack{};
    stack.ss_size = 64 * 1024;
    stack.ss_sp = mmap(nullptr, stack.ss_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sigaltstack(&stack, nullptr);
}

// Says which compiled kernel runs, so that a report can name the place in its code.
LEDGER_API void ledger_name_module(const char* path, uint64_t base) {
    strncpy(module_path, path, sizeof module_path - 1);
    module_base = base;
}

// Reports go to `path` (opened now, since a kernel's process may open no file), to standard error without one.
LEDGER_API int ledger_watch_faults(const char* path) {
    if (path && *path) {
        const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0) return -1;
        report_file = file;
    }
    struct sigaction action {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
        if (sigaction(fault, &action, &earlier[fault]) != 0) return -1;
    return 0;
}
