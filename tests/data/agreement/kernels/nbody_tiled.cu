// Gravity among bodies: tiles of positions in shared memory, one body per thread, as in the GPU Gems chapter.
#include <cuda_runtime.h>
#include <vector_types.h>

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj, float softeningSquared)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z;
    distSqr += softeningSquared;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void integrateBodies(float4 *newPos, float4 *vel, const float4 *oldPos, unsigned int numBodies, float deltaTime, float softening2)
{
    extern __shared__ float4 sharedPos[];
    const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 position = index < numBodies ? oldPos[index] : make_float4(0, 0, 0, 0);
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (unsigned tile = 0; tile * blockDim.x < numBodies; tile++) {
        const unsigned j = tile * blockDim.x + threadIdx.x;
        sharedPos[threadIdx.x] = j < numBodies ? oldPos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (unsigned counter = 0; counter < blockDim.x; counter++)
            acc = bodyBodyInteraction(acc, position, sharedPos[counter], softening2);
        __syncthreads();
    }
    if (index >= numBodies) return;
    float4 velocity = vel[index];
    velocity.x += acc.x * deltaTime;
    velocity.y += acc.y * deltaTime;
    velocity.z += acc.z * deltaTime;
    position.x += velocity.x * deltaTime;
    position.y += velocity.y * deltaTime;
    position.z += velocity.z * deltaTime;
    newPos[index] = position;
    vel[index] = velocity;
}
