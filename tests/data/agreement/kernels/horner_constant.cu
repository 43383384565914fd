// A polynomial of degree 7 in double precision, its coefficients in constant memory filled by the host.
#define DEGREE 7

__constant__ double coefficients[DEGREE + 1];

template <int N>
__device__ double horner(const double (&c)[N], double x)
{
    double sum = c[N - 1];
#pragma unroll
    for (int k = N - 2; k >= 0; --k)
        sum = fma(sum, x, c[k]);
    return sum;
}

__global__ void evaluate(const double *x, double *y, size_t n)
{
    const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = horner(coefficients, x[i]);
}
