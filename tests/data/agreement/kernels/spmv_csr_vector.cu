// Sparse matrix (CSR) times vector: a group of lanes per row.
template <typename IndexType, typename ValueType, unsigned int THREADS_PER_VECTOR>
__global__ void spmv_csr_vector(const IndexType num_rows, const IndexType *Ap, const IndexType *Aj, const ValueType *Ax,
                                const ValueType *x, ValueType *y)
{
    const IndexType thread_lane = threadIdx.x & (THREADS_PER_VECTOR - 1);
    const IndexType vector_id = (blockIdx.x * blockDim.x + threadIdx.x) / THREADS_PER_VECTOR;
    const IndexType num_vectors = gridDim.x * blockDim.x / THREADS_PER_VECTOR;
    for (IndexType row = vector_id; row < num_rows; row += num_vectors) {
        const unsigned mask = __activemask();
        ValueType sum = 0;
        for (IndexType jj = Ap[row] + thread_lane; jj < Ap[row + 1]; jj += THREADS_PER_VECTOR)
            sum += Ax[jj] * __ldg(&x[Aj[jj]]);
        __syncwarp(mask);
        for (unsigned d = THREADS_PER_VECTOR / 2; d > 0; d /= 2)
            sum += __shfl_down_sync(mask, sum, d, THREADS_PER_VECTOR);
        if (thread_lane == 0) y[row] = sum;
    }
}
