// D2Q9 lattice Boltzmann step: stream by pulling, bounce back at solid cells, relax; structure of arrays.
struct Lattice {
    float *f[9];
};

__constant__ int2 velocity[9] = {{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
__constant__ float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ int opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__device__ float equilibrium(int q, float rho, float ux, float uy)
{
    const float cu = velocity[q].x * ux + velocity[q].y * uy;
    return weight[q] * rho * (1.f + 3.f * cu + 4.5f * cu * cu - 1.5f * (ux * ux + uy * uy));
}

__global__ void collide_and_stream(const float *source, float *target, const bool *solid, int width, int height, float omega)
{
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    if (x >= width || y >= height) return;
    Lattice to;
    for (int q = 0; q < 9; ++q) to.f[q] = target + q * width * height;
    const int cell = y * width + x;
    float in[9];
    float rho = 0.f, ux = 0.f, uy = 0.f;
    for (int q = 0; q < 9; ++q) {
        const int fx = (x - velocity[q].x + width) % width, fy = (y - velocity[q].y + height) % height;
        in[q] = solid[fy * width + fx] ? source[opposite[q] * width * height + cell] : source[(q * height + fy) * width + fx];
        rho += in[q];
        ux += in[q] * velocity[q].x;
        uy += in[q] * velocity[q].y;
    }
    ux /= rho;
    uy /= rho;
    for (int q = 0; q < 9; ++q)
        to.f[q][cell] = solid[cell] ? in[q] : in[q] + omega * (equilibrium(q, rho, ux, uy) - in[q]);
}
