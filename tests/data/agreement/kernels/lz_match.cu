// Longest earlier match of every position inside a window, as a compressor's front end would ask.
#define WINDOW 128
#define MAX_MATCH 32
#define MIN_MATCH 3

struct __align__(4) Match {
    unsigned short distance;
    unsigned short length;
};

__global__ void find_matches(const unsigned char *__restrict__ text, Match *__restrict__ matches, int n)
{
    __shared__ unsigned char window[WINDOW + WINDOW + MAX_MATCH];
    const int first = (int)(blockIdx.x * WINDOW) - WINDOW;
    for (int i = threadIdx.x; i < WINDOW + WINDOW + MAX_MATCH; i += blockDim.x) {
        const int at = first + i;
        window[i] = at >= 0 && at < n ? text[at] : 0;
    }
    __syncthreads();
    const int position = blockIdx.x * WINDOW + threadIdx.x;
    if (position >= n) return;
    const unsigned char *here = window + WINDOW + threadIdx.x;
    const int most = min(MAX_MATCH, n - position);
    Match best = {0, 0};
    for (int distance = 1; distance <= WINDOW && distance <= position; ++distance) {
        int length = 0;
        while (length < most && here[length - distance] == here[length]) ++length;
        if (length > best.length) {
            best.length = (unsigned short)length;
            best.distance = (unsigned short)distance;
            if (length == most) break;
        }
    }
    if (best.length < MIN_MATCH) best = Match{0, 0};
    matches[position] = best;
}
