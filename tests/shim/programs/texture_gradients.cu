// Levels of mipmapped arrays of each kind, chosen by gradients and by number. A texel is 100 times its level and its
// slice: the depth, the layer or the face.
// EXPECT: 3D: 2 101 200, by level 100 resident 1
// EXPECT: layers of rows: 1 101 201
// EXPECT: layers: 2 102 202, resident 1
// EXPECT: cube: 0 105 200
// EXPECT: layers of cubes: 6 111 206, by level 208
// EXPECT: gather resident 1: 2 2 2 2
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static float* out;

__global__ void volume(cudaTextureObject_t t, float* out) {
    const float4 none = make_float4(0, 0, 0, 0);
    bool resident = false;
    // One texel of four is a quarter; the longer gradient counts, whatever its dimension.
    out[0] = tex3DGrad<float>(t, 0.5f, 0.5f, 0.5f, make_float4(0.25f, 0, 0, 0), none);
    out[1] = tex3DGrad<float>(t, 0.5f, 0.5f, 0.75f, none, make_float4(0, 0.5f, 0, 9));
    tex3DGrad(&out[2], t, 0.5f, 0.5f, 0.5f, make_float4(0.25f, 0, 0, 0), make_float4(0, 0, 1, 0), &resident);
    out[3] = tex3DLod<float>(t, 0.25f, 0.25f, 0.25f, 1);
    out[4] = resident;
}
__global__ void rows(cudaTextureObject_t t, float* out) {
    out[0] = tex1DLayeredGrad<float>(t, 0.5f, 1, 0.25f, 0);
    out[1] = tex1DLayeredGrad<float>(t, 0.5f, 1, 0, -0.5f);
    tex1DLayeredGrad(&out[2], t, 0.5f, 1, 1, 0.25f);
}
__global__ void layers(cudaTextureObject_t t, float* out) {
    bool resident = false, everywhere = true;
    out[0] = tex2DLayeredGrad<float>(t, 0.5f, 0.5f, 2, make_float2(0.25f, 0), make_float2(0, 0));
    out[1] = tex2DLayeredGrad<float>(t, 0.5f, 0.5f, 2, make_float2(0, 0), make_float2(0, 0.5f));
    out[2] = tex2DLayeredGrad<float>(t, 0.5f, 0.5f, 2, make_float2(1, 0), make_float2(0, 0), &resident);
    everywhere = resident && everywhere;
    everywhere = tex2DLayered<float>(t, 0.5f, 0.5f, 1, &(resident = false)) == 1 && resident && everywhere;
    everywhere = tex2DLayeredLod<float>(t, 0.5f, 0.5f, 1, 2, &(resident = false)) == 201 && resident && everywhere;
    out[3] = everywhere;
}
// At the middle of a face a step of 1 beside a direction of length 1 is half of the face: two texels of four.
__global__ void cube(cudaTextureObject_t t, float* out) {
    const float4 none = make_float4(0, 0, 0, 0);
    out[0] = texCubemapGrad<float>(t, 1, 0, 0, make_float4(0, 0.5f, 0, 0), none); // face 0
    out[1] = texCubemapGrad<float>(t, 0, 0, -1, none, make_float4(1, 0, 0, 0));   // face 5
    out[2] = texCubemapGrad<float>(t, 1, 0, 0, make_float4(0, 0, 2, 0), none);
}
__global__ void cubes(cudaTextureObject_t t, float* out) { // the second: slices 6 to 11
    const float4 none = make_float4(0, 0, 0, 0);
    out[0] = texCubemapLayeredGrad<float>(t, 1, 0, 0, 1, make_float4(0, 0.5f, 0, 0), none);
    out[1] = texCubemapLayeredGrad<float>(t, 0, 0, -1, 1, none, make_float4(1, 0, 0, 0));
    out[2] = texCubemapLayeredGrad<float>(t, 1, 0, 0, 1, make_float4(0, 0, 2, 0), none);
    out[3] = texCubemapLayeredLod<float>(t, 0, 1, 0, 1, 2); // face 2
}
__global__ void gather(cudaTextureObject_t t, float4* out) {
    bool resident = false;
    out[0] = tex2Dgather<float4>(t, 0.5f, 0.5f, &resident);
    out[1].x = resident;
}

// Three levels of 4 texels in each dimension that shrinks. `slices`: layers or faces, which do not; 0: it has depth.
static cudaTextureObject_t texture(int height, int slices, unsigned flags) {
    cudaMipmappedArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&array, &format, make_cudaExtent(4, height, slices == 0 ? 4 : slices), 3, flags);
    for (int l = 0; l < 3; ++l) {
        const size_t edge = 4 >> l, depth = slices == 0 ? edge : slices, rows = height == 0 ? 1 : edge;
        std::vector<float> texels(edge * rows * depth);
        for (size_t i = 0; i < texels.size(); ++i)
            texels[i] = 100.0f * l + i / (edge * rows);
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(texels.data(), edge * sizeof(float), edge, rows);
        cudaGetMipmappedArrayLevel(&copy.dstArray, array, l);
        copy.extent = make_cudaExtent(edge, rows, depth);
        copy.kind = cudaMemcpyHostToDevice;
        if (cudaMemcpy3D(&copy) != cudaSuccess)
            std::printf("level %d is not written\n", l);
    }
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = array;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = cudaAddressModeClamp;
    how.maxMipmapLevelClamp = 2;
    how.maxAnisotropy = 1;
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    return t;
}
static cudaTextureObject_t plain() {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 2, 2, cudaArrayTextureGather);
    const float texels[] = {2, 2, 2, 2};
    cudaMemcpy2DToArray(array, 0, 0, texels, 8, 8, 2, cudaMemcpyHostToDevice);
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    const cudaTextureDesc how = {};
    cudaTextureObject_t t = 0;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    return t;
}

static const float* results() {
    static float host[8];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host;
}

int main() {
    cudaMalloc(reinterpret_cast<void**>(&out), 8 * sizeof *out);
    volume<<<1, 1>>>(texture(4, 0, 0), out);
    const float* r = results();
    std::printf("3D: %g %g %g, by level %g resident %g\n", r[0], r[1], r[2], r[3], r[4]);
    rows<<<1, 1>>>(texture(0, 2, cudaArrayLayered), out);
    r = results();
    std::printf("layers of rows: %g %g %g\n", r[0], r[1], r[2]);
    layers<<<1, 1>>>(texture(4, 3, cudaArrayLayered), out);
    r = results();
    std::printf("layers: %g %g %g, resident %g\n", r[0], r[1], r[2], r[3]);
    cube<<<1, 1>>>(texture(4, 6, cudaArrayCubemap), out);
    r = results();
    std::printf("cube: %g %g %g\n", r[0], r[1], r[2]);
    cubes<<<1, 1>>>(texture(4, 12, cudaArrayCubemap | cudaArrayLayered), out);
    r = results();
    std::printf("layers of cubes: %g %g %g, by level %g\n", r[0], r[1], r[2], r[3]);
    gather<<<1, 1>>>(plain(), reinterpret_cast<float4*>(out));
    r = results();
    std::printf("gather resident %g: %g %g %g %g\n", r[4], r[0], r[1], r[2], r[3]);
}
