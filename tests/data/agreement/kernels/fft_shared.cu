// Batched radix-2 FFT (decimation in time) of one row per block in shared memory, twiddles made with sincospif.
template <typename Real>
struct __align__(8) Complex {
    Real re, im;
    __device__ Complex() {}
    __device__ Complex(Real r, Real i) : re(r), im(i) {}
};

template <typename Real>
__device__ __forceinline__ Complex<Real> operator+(const Complex<Real> &a, const Complex<Real> &b) { return {a.re + b.re, a.im + b.im}; }
template <typename Real>
__device__ __forceinline__ Complex<Real> operator-(const Complex<Real> &a, const Complex<Real> &b) { return {a.re - b.re, a.im - b.im}; }
template <typename Real>
__device__ __forceinline__ Complex<Real> operator*(const Complex<Real> &a, const Complex<Real> &b)
{
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

template <int LOG_N>
__global__ void fft_rows(const float2 *in, float2 *out)
{
    constexpr int N = 1 << LOG_N;
    __shared__ float2 raw[N];
    Complex<float> *data = reinterpret_cast<Complex<float> *>(raw);
    for (int i = threadIdx.x; i < N; i += blockDim.x) {
        const float2 v = in[blockIdx.x * N + i];
        data[__brev(i) >> (32 - LOG_N)] = Complex<float>(v.x, v.y);
    }
    for (int half = 1; half < N; half <<= 1) {
        __syncthreads();
        for (int t = threadIdx.x; t < N / 2; t += blockDim.x) {
            const int k = t & (half - 1), i = 2 * (t - k) + k, j = i + half;
            float s, c;
            sincospif(-static_cast<float>(k) / half, &s, &c);
            const Complex<float> odd = data[j] * Complex<float>(c, s), even = data[i];
            data[i] = even + odd;
            data[j] = even - odd;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < N; i += blockDim.x) out[blockIdx.x * N + i] = raw[i];
}
