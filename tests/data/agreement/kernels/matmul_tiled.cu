// C = alpha A B + beta C with square tiles in shared memory, any size, as in a textbook; whole program.
#include <stdio.h>
#include <stdlib.h>

#ifndef TILE
#define TILE 16
#endif
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

typedef struct {
    int rows, columns;
    float *data;
} Matrix;

__global__ void sgemm_tiled(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float acc = 0.0f;
    for (int t = 0; t < DIV_UP(K, TILE); t++) {
        int ak = t * TILE + threadIdx.x, bk = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = (row < M && ak < K) ? A[row * K + ak] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (bk < K && col < N) ? B[bk * N + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

static Matrix new_matrix(int rows, int columns)
{
    Matrix m = {rows, columns, NULL};
    cudaMallocManaged((void **)&m.data, (size_t)rows * columns * sizeof(float));
    for (int i = 0; i < rows * columns; i++) m.data[i] = (float)(rand() % 100) / 100.0f;
    return m;
}

int main(void)
{
    Matrix a = new_matrix(100, 70), b = new_matrix(70, 90), c = new_matrix(100, 90);
    dim3 block(TILE, TILE), grid(DIV_UP(b.columns, TILE), DIV_UP(a.rows, TILE));
    sgemm_tiled<<<grid, block>>>(a.data, b.data, c.data, a.rows, b.columns, a.columns, 1.0f, 0.0f);
    cudaDeviceSynchronize();
    printf("%f\n", c.data[0]);
    cudaFree(a.data); cudaFree(b.data); cudaFree(c.data);
    return 0;
}
