// Connected components of a binary image in one block: labels fall to their neighbours' minimum until nothing changes.
#define W 32
#define H 24

__global__ void label_image(const unsigned char *image, int *labels, int *rounds)
{
    __shared__ int label[H][W];
    const int x = threadIdx.x, y = threadIdx.y, here = y * W + x;
    const bool set = image[blockIdx.x * W * H + here] > 127;
    label[y][x] = set ? here + 1 : 0;
    __syncthreads();
    int count = 0;
    do {
        const int old = label[y][x];
        int lowest = old;
        if (old) {
            if (x > 0 && label[y][x - 1]) lowest = min(lowest, label[y][x - 1]);
            if (x + 1 < W && label[y][x + 1]) lowest = min(lowest, label[y][x + 1]);
            if (y > 0 && label[y - 1][x]) lowest = min(lowest, label[y - 1][x]);
            if (y + 1 < H && label[y + 1][x]) lowest = min(lowest, label[y + 1][x]);
        }
        __syncthreads();
        label[y][x] = lowest;
        ++count;
        if (!__syncthreads_or(lowest != old)) break;
    } while (true);
    labels[blockIdx.x * W * H + here] = label[y][x];
    if (here == 0) rounds[blockIdx.x] = count;
}
