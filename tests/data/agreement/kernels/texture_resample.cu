// An image turned about its centre, read through a texture object with linear filtering and clamped borders.
__global__ void rotate(cudaTextureObject_t image, float *out, int width, int height, float cosine, float sine)
{
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float u = x - width * 0.5f + 0.5f, v = y - height * 0.5f + 0.5f;
    const float tu = __fmaf_rn(u, cosine, __fmul_rn(-v, sine)), tv = __fmaf_rn(v, cosine, __fmul_rn(u, sine));
    out[y * width + x] = tex2D<float>(image, tu + width * 0.5f, tv + height * 0.5f);
}
