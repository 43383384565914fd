// One request of known addresses for each warp: how the hardware counts sectors and wavefronts of 4, 8 and 16 bytes per lane.
// `map` gives each thread of the block its element; a negative one switches the lane off.
template <class T> __device__ void through_shared(const int* map, float* out, bool write) {
    extern __shared__ float4 memory[];
    T* own = reinterpret_cast<T*>(memory);
    int t = threadIdx.x, k = map[t];
    __syncthreads();
    T v = {};
    if (k >= 0) {
        if (write)
            own[k] = v;
        else
            v = own[k];
    }
    __syncthreads();
    if (*reinterpret_cast<float*>(&v) == 12345.f)
        out[t] = 1.f;
}

template <class T> __device__ void through_global(const int* map, T* data, float* out, bool write) {
    int t = threadIdx.x, k = map[t];
    T v = {};
    if (k >= 0) {
        if (write)
            data[k] = v;
        else
            v = data[k];
    }
    if (*reinterpret_cast<float*>(&v) == 12345.f)
        out[t] = 1.f;
}

extern "C" {
__global__ void shared_read_4(const int* map, float* data, float* out) { through_shared<float>(map, out, false); }
__global__ void shared_read_8(const int* map, float* data, float* out) { through_shared<float2>(map, out, false); }
__global__ void shared_read_16(const int* map, float* data, float* out) { through_shared<float4>(map, out, false); }
__global__ void shared_write_4(const int* map, float* data, float* out) { through_shared<float>(map, out, true); }
__global__ void shared_write_8(const int* map, float* data, float* out) { through_shared<float2>(map, out, true); }
__global__ void shared_write_16(const int* map, float* data, float* out) { through_shared<float4>(map, out, true); }
__global__ void global_read_4(const int* map, float* data, float* out) { through_global<float>(map, data, out, false); }
__global__ void global_read_8(const int* map, float* data, float* out) { through_global<float2>(map, reinterpret_cast<float2*>(data), out, false); }
__global__ void global_read_16(const int* map, float* data, float* out) { through_global<float4>(map, reinterpret_cast<float4*>(data), out, false); }
__global__ void global_write_4(const int* map, float* data, float* out) { through_global<float>(map, data, out, true); }
__global__ void global_write_8(const int* map, float* data, float* out) { through_global<float2>(map, reinterpret_cast<float2*>(data), out, true); }
__global__ void global_write_16(const int* map, float* data, float* out) { through_global<float4>(map, reinterpret_cast<float4*>(data), out, true); }
}
