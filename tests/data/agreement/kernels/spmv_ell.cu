// Sparse matrix (ELLPACK, column-major, -1 for holes) times vector, a thread per row.
extern "C" __global__ void spmv_ell(int rows, int width, int pitch, const int *columns, const float *values, const float *x, float *y)
{
    int row = blockDim.x * blockIdx.x + threadIdx.x;
    if (row < rows) {
        float dot = 0;
        for (int n = 0; n < width; n++) {
            int col = columns[pitch * n + row];
            if (col == -1) break;
            float val = values[pitch * n + row];
            if (val != 0) dot += val * x[col];
        }
        y[row] = dot;
    }
}
