// One Jacobi step of the 7-point Laplacian, marching in z with values in registers; the largest change by an atomic maximum.
#define INDEX(x, y, z) (((z) * ny + (y)) * nx + (x))

__global__ void jacobi7(const double *__restrict__ u, double *__restrict__ next, const double *__restrict__ f,
                        unsigned long long *change, int nx, int ny, int nz, double h2)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    double largest = 0.0;
    if (x < nx - 1 && y < ny - 1) {
        double below = u[INDEX(x, y, 0)], here = u[INDEX(x, y, 1)];
        for (int z = 1; z < nz - 1; ++z) {
            const double above = u[INDEX(x, y, z + 1)];
            double sum = u[INDEX(x - 1, y, z)] + u[INDEX(x + 1, y, z)];
            sum += u[INDEX(x, y - 1, z)] + u[INDEX(x, y + 1, z)];
            sum += below + above;
            const double value = fma(h2, f[INDEX(x, y, z)], sum) / 6.0;
            next[INDEX(x, y, z)] = value;
            largest = fmax(largest, fabs(value - here));
            below = here;
            here = above;
        }
    }
    atomicMax(change, (unsigned long long)__double_as_longlong(largest));
}
