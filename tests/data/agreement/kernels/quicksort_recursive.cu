// Recursive quicksort of short rows, one thread per row, with insertion sort below a cut-off.
__device__ void insertion(int *a, int n)
{
    for (int i = 1; i < n; ++i) {
        const int x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) { a[j] = a[j - 1]; --j; }
        a[j] = x;
    }
}

__device__ int quicksort(int *a, int n)
{
    if (n <= 6) { insertion(a, n); return 1; }
    const int pivot = a[n / 2];
    int i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot) ++i;
        while (a[j] > pivot) --j;
        if (i <= j) { const int t = a[i]; a[i++] = a[j]; a[j--] = t; }
    }
    const int left = quicksort(a, j + 1);
    const int right = quicksort(a + i, n - i);
    return 1 + (left > right ? left : right);
}

__global__ void sort_rows(int *rows, int *depth, int width, int count)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < count) depth[row] = quicksort(rows + row * width, width);
}
