// printf, assert and __trap of device code. Output is kept until the launch is over, as on a GPU.
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "worker.h"

namespace {

constexpr size_t kRoom = 1 << 20;    // CUDA's default cudaLimitPrintfFifoSize
char printed[kRoom];
size_t used = 0;
size_t dropped = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

}  // namespace

void flush_print() {
    if (used) fwrite(printed, 1, used, stdout);
    if (dropped) fprintf(stdout, "[%zu bytes of device printf dropped]\n", dropped);
    if (used || dropped) fflush(stdout);
    used = dropped = 0;
}

LEDGER_API int ledger_printf(const char* format, ...) {
    char line[1024];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (length < 0) return length;
    const size_t bytes = static_cast<size_t>(length) < sizeof line ? static_cast<size_t>(length) : sizeof line - 1;
    pthread_mutex_lock(&lock);
    if (used + bytes <= kRoom) {
        memcpy(printed + used, line, bytes);
        used += bytes;
    } else {
        dropped += bytes;
    }
    pthread_mutex_unlock(&lock);
    return length;
}

LEDGER_API void ledger_assertion(const char* text, int line) {
    if (LedgerReport* report = claim_report(ledger_worker, LEDGER_ASSERTION)) {
        report->line_a = line;
        strncpy(report->text, text, sizeof report->text - 1);
    }
    leave_block();
}

LEDGER_API void ledger_trap(int line) { fail(LEDGER_TRAP, line, 0); }
