// Mipmapped arrays, views of arrays, sRGB and seamless cubes.
// EXPECT: levels: 3 of 5 asked for, 4x2x0 2x1x0 1x1x0, beyond: cudaErrorInvalidValue
// EXPECT: by level: 1 2 3 2.5, by gradient: 1 2 3
// EXPECT: a level that a surface wrote: 20
// EXPECT: a copy of a level: 20
// EXPECT: view of levels 1 to 2: 20 3, of format: 1 1065353216
// EXPECT: view of layers 1 to 2: 11 12 12
// EXPECT: described: levels 1 to 2, no view: cudaErrorInvalidValue
// EXPECT: view of another size: cudaErrorInvalidValue, block-compressed: cudaErrorNotSupported
// EXPECT: sRGB: 0 0.0382 1 0.5020, of floats: cudaErrorNotSupported
// EXPECT: seamless: 6, not: 1, no cube: cudaErrorInvalidValue
// EXPECT: coordinates in texels: cudaErrorInvalidValue
// EXPECT: a level freed: cudaErrorInvalidValue, the array: cudaSuccess, again: cudaErrorInvalidValue
// ERROR: heddle: a texture of a mipmapped array whose coordinates are not normalised
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

static float* out;

__global__ void by_level(cudaTextureObject_t t, float* out) {
    for (int l = 0; l < 3; ++l)
        out[l] = tex2DLod<float>(t, 0.25f, 0.25f, l);
    out[3] = tex2DLod<float>(t, 0.25f, 0.25f, 1.5f);
    // 4 texels a row: a quarter of it is one texel
    out[4] = tex2DGrad<float>(t, 0.25f, 0.25f, make_float2(0.25f, 0), make_float2(0, 0));
    out[5] = tex2DGrad<float>(t, 0.25f, 0.25f, make_float2(0.25f, 0), make_float2(0, 1));
    out[6] = tex2DGrad<float>(t, 0.25f, 0.25f, make_float2(1, 0), make_float2(0, 0));
}
__global__ void write(cudaSurfaceObject_t s) {
    surf2Dwrite(20.0f, s, 0, 0);
}
__global__ void read(cudaTextureObject_t t, float* out) {
    out[0] = tex2DLod<float>(t, 0.25f, 0.25f, 0);
    out[1] = tex2DLod<float>(t, 0.25f, 0.25f, 1);
}
__global__ void read_words(cudaTextureObject_t t, unsigned* out) {
    out[0] = tex2D<unsigned>(t, 0.5f, 0.5f);
}
__global__ void read_layers(cudaTextureObject_t t, float* out) {
    for (int l = 0; l < 3; ++l)
        out[l] = tex1DLayered<float>(t, 0.5f, l);
}
__global__ void read_colour(cudaTextureObject_t t, float4* out) {
    *out = tex2D<float4>(t, 0.5f, 0.5f);
}
__global__ void read_cube(cudaTextureObject_t t, float* out) {
    *out = texCubemap<float>(t, 1, 0.5f, 1);
}

static const float* results() {
    static float host[8];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    return host;
}

static cudaResourceDesc of(cudaArray_t array) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    return what;
}
static cudaResourceDesc of(cudaMipmappedArray_t array) {
    cudaResourceDesc what = {};
    what.resType = cudaResourceTypeMipmappedArray;
    what.res.mipmap.mipmap = array;
    return what;
}

static cudaMipmappedArray_t levels() {
    cudaMipmappedArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&array, &format, make_cudaExtent(4, 2, 0), 5); // a surface needs no flag
    cudaExtent size[3];
    const float values[3][8] = {{1, 1, 1, 1, 1, 1, 1, 1}, {2, 2}, {3}};
    cudaArray_t level = nullptr;
    for (unsigned l = 0; l < 3; ++l) {
        cudaGetMipmappedArrayLevel(&level, array, l);
        cudaArrayGetInfo(nullptr, &size[l], nullptr, level);
        const size_t row = size[l].width * sizeof(float);
        cudaMemcpy2DToArray(level, 0, 0, values[l], row, row, size[l].height, cudaMemcpyHostToDevice);
    }
    const cudaError_t beyond = cudaGetMipmappedArrayLevel(&level, array, 3);
    std::printf("levels: 3 of 5 asked for, %zux%zux%zu %zux%zux%zu %zux%zux%zu, beyond: %s\n", size[0].width,
                size[0].height, size[0].depth, size[1].width, size[1].height, size[1].depth, size[2].width,
                size[2].height, size[2].depth, cudaGetErrorName(beyond));
    return array;
}

static cudaTextureDesc sampler() {
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.mipmapFilterMode = cudaFilterModeLinear;
    how.maxMipmapLevelClamp = 2;
    how.maxAnisotropy = 4;
    return how;
}

static void fetches(cudaMipmappedArray_t array) {
    const cudaResourceDesc what = of(array);
    const cudaTextureDesc how = sampler();
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    by_level<<<1, 1>>>(t, out);
    const float* r = results();
    std::printf("by level: %g %g %g %g, by gradient: %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, array, 1);
    const cudaResourceDesc part = of(level);
    cudaSurfaceObject_t s;
    cudaCreateSurfaceObject(&s, &part);
    write<<<1, 1>>>(s);
    read<<<1, 1>>>(t, out);
    std::printf("a level that a surface wrote: %g\n", results()[1]);
    float back[2];
    cudaMemcpy2DFromArray(back, sizeof back, level, 0, 0, sizeof back, 1, cudaMemcpyDeviceToHost);
    std::printf("a copy of a level: %g\n", back[0]);
    cudaDestroySurfaceObject(s);
    cudaDestroyTextureObject(t);
}

static void views(cudaMipmappedArray_t array) {
    cudaResourceDesc what = of(array);
    cudaTextureDesc how = sampler();
    cudaResourceViewDesc view = {};
    view.width = 4;
    view.height = 2;
    view.firstMipmapLevel = 1;
    view.lastMipmapLevel = 2;
    cudaTextureObject_t t, plain;
    cudaCreateTextureObject(&t, &what, &how, &view);
    read<<<1, 1>>>(t, out);
    const float first = results()[0], second = results()[1];
    cudaResourceViewDesc found;
    cudaGetTextureObjectResourceViewDesc(&found, t);

    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, array, 0);
    cudaResourceDesc one = of(level);
    how = {};
    view = {};
    view.format = cudaResViewFormatUnsignedInt1;
    view.width = 4;
    view.height = 2;
    cudaTextureObject_t words;
    cudaCreateTextureObject(&words, &one, &how, &view);
    cudaCreateTextureObject(&plain, &one, &how, nullptr);
    read_words<<<1, 1>>>(words, reinterpret_cast<unsigned*>(out));
    unsigned bits;
    std::memcpy(&bits, results(), sizeof bits);
    std::printf("view of levels 1 to 2: %g %g, of format: 1 %u\n", first, second, bits);

    cudaArray_t layers;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&layers, &format, make_cudaExtent(1, 0, 4), cudaArrayLayered);
    float values[] = {10, 11, 12, 13};
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(values, sizeof(float), 1, 1);
    copy.dstArray = layers;
    copy.extent = make_cudaExtent(1, 1, 4);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    one = of(layers);
    view = {};
    view.width = 1;
    view.depth = 4;
    view.firstLayer = 1;
    view.lastLayer = 2;
    cudaCreateTextureObject(&t, &one, &how, &view);
    read_layers<<<1, 1>>>(t, out);
    const float* r = results();
    std::printf("view of layers 1 to 2: %g %g %g\n", r[0], r[1], r[2]);
    std::printf("described: levels %u to %u, no view: %s\n", found.firstMipmapLevel, found.lastMipmapLevel,
                cudaGetErrorName(cudaGetTextureObjectResourceViewDesc(&found, plain)));
    view.width = 2;
    const cudaError_t size = cudaCreateTextureObject(&t, &one, &how, &view);
    view.width = 1;
    view.format = cudaResViewFormatUnsignedBlockCompressed1;
    std::printf("view of another size: %s, block-compressed: %s\n", cudaGetErrorName(size),
                cudaGetErrorName(cudaCreateTextureObject(&t, &one, &how, &view)));
}

static void colours(cudaMipmappedArray_t floats) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaMallocArray(&array, &format, 1, 1);
    const unsigned char colour[] = {0, 55, 255, 128};
    cudaMemcpy2DToArray(array, 0, 0, colour, 4, 4, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc what = of(array);
    cudaTextureDesc how = {};
    how.readMode = cudaReadModeNormalizedFloat;
    how.sRGB = 1;
    cudaTextureObject_t t;
    cudaCreateTextureObject(&t, &what, &how, nullptr);
    read_colour<<<1, 1>>>(t, reinterpret_cast<float4*>(out));
    const float* r = results();
    cudaGetMipmappedArrayLevel(&array, floats, 0);
    what = of(array);
    std::printf("sRGB: %g %.4f %g %.4f, of floats: %s\n", r[0], r[1], r[2], r[3],
                cudaGetErrorName(cudaCreateTextureObject(&t, &what, &how, nullptr)));
}

static void cubes(cudaMipmappedArray_t floats) {
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&array, &format, make_cudaExtent(2, 2, 6), cudaArrayCubemap);
    float faces[24] = {1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11, 12, 13};
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(faces, 2 * sizeof(float), 2, 2);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(2, 2, 6);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    cudaResourceDesc what = of(array);
    cudaTextureDesc how = {};
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t plain, seamless;
    cudaCreateTextureObject(&plain, &what, &how, nullptr);
    how.seamlessCubemap = 1;
    cudaCreateTextureObject(&seamless, &what, &how, nullptr);
    read_cube<<<1, 1>>>(seamless, out);
    read_cube<<<1, 1>>>(plain, out + 1);
    const float* r = results();
    cudaGetMipmappedArrayLevel(&array, floats, 0);
    what = of(array);
    std::printf("seamless: %g, not: %g, no cube: %s\n", r[0], r[1],
                cudaGetErrorName(cudaCreateTextureObject(&plain, &what, &how, nullptr)));
}

int main() {
    cudaMalloc(&out, 64);
    const cudaMipmappedArray_t array = levels();
    fetches(array);
    views(array);
    colours(array);
    cubes(array);
    const cudaResourceDesc what = of(array);
    cudaTextureDesc how = sampler();
    how.normalizedCoords = 0;
    cudaTextureObject_t t;
    std::printf("coordinates in texels: %s\n", cudaGetErrorName(cudaCreateTextureObject(&t, &what, &how, nullptr)));
    cudaArray_t level;
    cudaGetMipmappedArrayLevel(&level, array, 2);
    const cudaError_t part = cudaFreeArray(level), all = cudaFreeMipmappedArray(array);
    std::printf("a level freed: %s, the array: %s, again: %s\n", cudaGetErrorName(part), cudaGetErrorName(all),
                cudaGetErrorName(cudaFreeMipmappedArray(array)));
    return 0;
}
