// Escape times of the Mandelbrot set. Every operation is rounded as written, so the counts are the same everywhere.
typedef struct { float left, top, step; int width, height, limit; } View;

__global__ void mandelbrot(View view, unsigned short *counts)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= view.width || py >= view.height) return;
    const float cr = __fadd_rn(view.left, __fmul_rn(px, view.step));
    const float ci = __fadd_rn(view.top, __fmul_rn(py, view.step));
    float zr = 0.0f, zi = 0.0f;
    int count = 0;
    while (count < view.limit) {
        const float rr = __fmul_rn(zr, zr), ii = __fmul_rn(zi, zi);
        if (__fadd_rn(rr, ii) > 4.0f) break;
        zi = __fmaf_rn(__fadd_rn(zr, zr), zi, ci);
        zr = __fadd_rn(__fsub_rn(rr, ii), cr);
        ++count;
    }
    counts[py * view.width + px] = (unsigned short)count;
}
