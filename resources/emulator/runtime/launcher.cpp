// The pool of OS threads, made once, and a launch over it.
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "shadow.h"
#include "flushing.h"
#include "worker.h"

void flush_print();

namespace {

pthread_mutex_t one_launch = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t work = PTHREAD_COND_INITIALIZER;
pthread_cond_t finished = PTHREAD_COND_INITIALIZER;
Launch* posted = nullptr;
uint64_t generation = 0;
unsigned busy = 0;
unsigned pool = 0;

double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

struct Search {
    uint64_t inside;
    Region image;
    Region shared;
};

int find_image(dl_phdr_info* info, size_t, void* data) {
    Search* search = static_cast<Search*>(data);
    Region image{~uint64_t{0}, 0}, shared{0, 0};
    uint64_t end = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& header = info->dlpi_phdr[i];
        if (header.p_type == PT_TLS) shared = {reinterpret_cast<uint64_t>(info->dlpi_tls_data), header.p_memsz};
        if (header.p_type != PT_LOAD) continue;
        const uint64_t begin = info->dlpi_addr + header.p_vaddr;
        if (begin < image.begin) image.begin = begin;
        if (begin + header.p_memsz > end) end = begin + header.p_memsz;
    }
    if (search->inside < image.begin || search->inside >= end) return 0;
    search->image = {image.begin, end - image.begin};
    search->shared = shared;
    return 1;
}

Search image_of(const LedgerModule* module) {
    Search search{reinterpret_cast<uint64_t>(module), {0, 0}, {0, 0}};
    dl_iterate_phdr(find_image, &search);
    return search;
}

void serve(Worker* worker, Launch* launch) {
    worker->launch = launch;
    worker->last_range = nullptr;
    if (launch->request->checked) {
        launch->request->module->touch_shared();
        worker->static_shared = image_of(launch->request->module).shared;
    }
    Flushing flushing(launch->request->module);
    run_blocks(worker);
}

void* thread_main(void*) {
    sigset_t all;
    sigfillset(&all);
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigdelset(&all, fault);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    Worker own{};    // on this stack, for as long as the thread: operator new would need a C++ library
    Worker* worker = &own;
    ledger_worker = worker;
    use_alternate_stack();
    make_stacks(worker, true);
    uint64_t seen = 0;
    for (;;) {
        pthread_mutex_lock(&lock);
        while (generation == seen) pthread_cond_wait(&work, &lock);
        seen = generation;
        Launch* launch = posted;
        pthread_mutex_unlock(&lock);
        serve(worker, launch);
        pthread_mutex_lock(&lock);
        if (--busy == 0) pthread_cond_signal(&finished);
        pthread_mutex_unlock(&lock);
    }
}

// While a kernel runs the process can open no file and start no process; what is open stays open.
class Confined {
  public:
    Confined() {
        for (int i = 0; i < 2; ++i) {
            saved_[i].rlim_cur = RLIM_INFINITY;
            held_[i] = getrlimit(kinds_[i], &saved_[i]) == 0;
            rlimit none = saved_[i];
            none.rlim_cur = 0;
            if (held_[i]) held_[i] = setrlimit(kinds_[i], &none) == 0;
        }
    }
    ~Confined() {
        for (int i = 0; i < 2; ++i)
            if (held_[i]) setrlimit(kinds_[i], &saved_[i]);
    }

  private:
    static constexpr decltype(RLIMIT_NOFILE) kinds_[2] = {RLIMIT_NOFILE, RLIMIT_NPROC};
    rlimit saved_[2];
    bool held_[2];
};

}  // namespace

LEDGER_API int ledger_abi() { return LEDGER_ABI; }

// Makes the pool. Returns the number of OS threads, fewer than asked where the system gives no more.
LEDGER_API int ledger_start(int threads) {
    for (int i = static_cast<int>(pool); i < threads; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, nullptr, thread_main, nullptr) != 0) break;
        pthread_detach(thread);
        ++pool;
    }
    return static_cast<int>(pool);
}

// Launches and waits. Returns the fault, 0 when there was none; `report` holds the wall seconds and the fault's place.
LEDGER_API int ledger_launch(const LedgerLaunch* request, LedgerReport* report) {
    memset(report, 0, sizeof *report);
    Launch launch;
    launch.request = request;
    launch.report = report;
    launch.blocks = uint64_t{request->grid_size.x} * request->grid_size.y * request->grid_size.z;
    const uint64_t share = launch.blocks / (uint64_t{pool} * 16);
    launch.chunk = request->in_order || share == 0 ? 1 : (share > 64 ? 64 : share);
    if (request->shadow && !request->in_order) launch.chunk = launch.blocks;    // one OS thread: the same findings every time
    if (request->checked) launch.module = image_of(request->module).image;
    if (request->shadow && !shadow_begin(&launch)) report->fault = launch.fault = LEDGER_NO_MEMORY;
    pthread_mutex_lock(&one_launch);
    {
        Confined confined;
        const double begin = now();
        pthread_mutex_lock(&lock);
        posted = &launch;
        busy = pool;
        ++generation;
        pthread_cond_broadcast(&work);
        while (busy) pthread_cond_wait(&finished, &lock);
        pthread_mutex_unlock(&lock);
        report->seconds = now() - begin;
    }
    flush_print();
    if (launch.sight) shadow_end(&launch);
    pthread_mutex_unlock(&one_launch);
    return report->fault;
}

LEDGER_API long long ledger_clock() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}
