// Textures, CUDA arrays and surfaces, held against the same reads done by the host.
// EXPECT: linear memory: 0 wrong
// EXPECT: pitched memory: 0 wrong
// EXPECT: plane, filtered: 0 wrong
// EXPECT: plane of bytes, wrapped: 0 wrong
// EXPECT: border and mirror: 0 wrong
// EXPECT: volume: 0 wrong
// EXPECT: layers: 0 wrong
// EXPECT: cube: 0 wrong
// EXPECT: gather: 0 wrong
// EXPECT: surfaces: 0 wrong
// EXPECT: surface of a volume: 0 wrong
// EXPECT: copies: 0 wrong
// EXPECT: asynchronous copies: 0 wrong
// EXPECT: described: 1 1 1 1
// EXPECT: info: 48x20x0 8 8 8 8 u, flags 2
// EXPECT: filter of integers: cudaErrorInvalidFilterSetting
// EXPECT: normalised words: cudaErrorInvalidNormSetting
// EXPECT: three channels: cudaErrorInvalidChannelDescriptor
// EXPECT: no array: cudaErrorInvalidResourceHandle
// EXPECT: beyond an array: cudaErrorInvalidValue
// EXPECT: surface without its flag: cudaErrorInvalidValue
// EXPECT: a texture as surface: cudaErrorInvalidValue
// EXPECT: destroyed twice: cudaErrorInvalidValue
// EXPECT: freed twice: cudaErrorInvalidValue
// EXPECT: fetch of a destroyed texture: cudaErrorIllegalAddress
// ERROR: is a destroyed texture object
// ERROR: made without cudaArraySurfaceLoadStore
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

constexpr int kThreads = 256;

#define MUST(call)                                                                                                     \
    do {                                                                                                               \
        if (const cudaError_t must_error = (call); must_error != cudaSuccess)                                          \
            std::printf("%s: %s\n", #call, cudaGetErrorName(must_error));                                              \
    } while (0)

template <class T>
struct Buffer { // of results, on the device
    explicit Buffer(int n) : size(n) {
        MUST(cudaMalloc(&at, n * sizeof(T)));
        MUST(cudaMemset(at, 0xee, n * sizeof(T)));
    }
    ~Buffer() {
        MUST(cudaFree(at));
    }
    std::vector<T> get() const {
        std::vector<T> out(size);
        MUST(cudaMemcpy(out.data(), at, size * sizeof(T), cudaMemcpyDeviceToHost));
        return out;
    }
    int size;
    T* at = nullptr;
};

template <class T, class F>
void check(const char* what, const Buffer<T>& got, F&& expected) {
    MUST(cudaGetLastError());
    const std::vector<T> values = got.get();
    int wrong = 0;
    for (int i = 0; i < got.size; ++i) {
        const T want = expected(i);
        if (std::memcmp(&values[i], &want, sizeof want) != 0 && wrong++ < 3)
            std::printf("%s %d: %g instead of %g\n", what, i, double(values[i]), double(want));
    }
    std::printf("%s: %d wrong\n", what, wrong);
}

void say(const char* what, cudaError_t error) {
    std::printf("%s: %s\n", what, cudaGetErrorName(error));
    cudaGetLastError();
}

cudaTextureObject_t texture_of(const cudaResourceDesc& resource, cudaTextureAddressMode mode = cudaAddressModeClamp,
                               bool linear = false, bool normalised = false, bool as_floats = false, float border = 0) {
    cudaTextureDesc how{};
    for (cudaTextureAddressMode& m : how.addressMode)
        m = mode;
    how.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = as_floats ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = normalised;
    how.borderColor[0] = border;
    cudaTextureObject_t texture = 0;
    MUST(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    return texture;
}

cudaResourceDesc resource_of(cudaArray_t array) {
    cudaResourceDesc out{};
    out.resType = cudaResourceTypeArray;
    out.res.array.array = array;
    return out;
}

// The weight of a linear filter: 8 bits behind the point.
double weight_at(double x) {
    const double corner = x - 0.5;
    return std::floor((corner - std::floor(corner)) * 256 + 0.5) / 256;
}
int corner_at(double x) {
    return int(std::floor(x - 0.5));
}
int clamped(int i, int n) {
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

__global__ void read_row(cudaTextureObject_t texture, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const short2 texel = tex1Dfetch<short2>(texture, i);
        out[i] = texel.x * 1000 + texel.y;
    }
}
void linear_memory() {
    constexpr int n = 1000;
    std::vector<short2> texels(n);
    for (int i = 0; i < n; ++i)
        texels[i] = {short(i - 500), short(i % 7)};
    short2* memory;
    MUST(cudaMalloc(&memory, n * sizeof(short2)));
    MUST(cudaMemcpy(memory, texels.data(), n * sizeof(short2), cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = memory;
    resource.res.linear.desc = cudaCreateChannelDesc<short2>();
    resource.res.linear.sizeInBytes = n * sizeof(short2);
    const cudaTextureObject_t texture = texture_of(resource);
    Buffer<int> out(n + 24);
    read_row<<<4, kThreads>>>(texture, out.at, out.size);
    check("linear memory", out, [&](int i) { return i < n ? texels[i].x * 1000 + texels[i].y : 0; });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFree(memory));
}

__global__ void read_plane(cudaTextureObject_t texture, float* out, int width, int height, float dx, float dy, float x0,
                           float y0) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width && y < height)
        out[y * width + x] = tex2D<float>(texture, x0 + x * dx, y0 + y * dy);
}
void pitched_memory() {
    constexpr int width = 50, height = 30;
    float* memory;
    size_t pitch;
    MUST(cudaMallocPitch(&memory, &pitch, width * sizeof(float), height));
    std::vector<float> texels(width * height);
    for (int i = 0; i < width * height; ++i)
        texels[i] = float(i) * 0.5F;
    MUST(cudaMemcpy2D(memory, pitch, texels.data(), width * sizeof(float), width * sizeof(float), height,
                      cudaMemcpyHostToDevice));
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = memory;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<float>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    const cudaTextureObject_t texture = texture_of(resource);
    Buffer<float> out(60 * 40);
    read_plane<<<dim3(1, 40), 64>>>(texture, out.at, 60, 40, 1, 1, -4.5F, -4.5F);
    check("pitched memory", out,
          [&](int i) { return texels[clamped(i / 60 - 5, height) * width + clamped(i % 60 - 5, width)]; });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFree(memory));
}

void filtered_plane() {
    constexpr int width = 37, height = 21;
    std::vector<float> texels(width * height);
    for (int i = 0; i < width * height; ++i)
        texels[i] = float((i * 37) % 101) - 50;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, width, height));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float), width * sizeof(float), height,
                             cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_of(resource_of(array), cudaAddressModeClamp, true);
    constexpr int w = 100, h = 60;
    Buffer<float> out(w * h);
    read_plane<<<dim3(1, h), 128>>>(texture, out.at, w, h, 0.4375F, 0.40625F, -1, -1.25F);
    check("plane, filtered", out, [&](int i) {
        const double x = -1 + (i % w) * 0.4375, y = -1.25 + (i / w) * 0.40625;
        const auto at = [&](int dx, int dy) {
            return double(texels[clamped(corner_at(y) + dy, height) * width + clamped(corner_at(x) + dx, width)]);
        };
        const double a = weight_at(x), b = weight_at(y);
        return float((1 - a) * (1 - b) * at(0, 0) + a * (1 - b) * at(1, 0) + (1 - a) * b * at(0, 1) + a * b * at(1, 1));
    });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void read_bytes(cudaTextureObject_t texture, float* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width) {
        const float4 texel = tex2D<float4>(texture, (x - 16 + 0.5F) / 32, (y - 8 + 0.5F) / 16);
        out[y * width + x] = texel.x + 2 * texel.w;
    }
}
void wrapped_bytes() {
    constexpr int width = 32, height = 16, w = 3 * width, h = 2 * height;
    std::vector<uchar4> texels(width * height);
    for (int i = 0; i < width * height; ++i)
        texels[i] = {(unsigned char)(i % 251), 1, 2, (unsigned char)(255 - i % 256)};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, width, height));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * 4, width * 4, height, cudaMemcpyDefault));
    const cudaTextureObject_t texture = texture_of(resource_of(array), cudaAddressModeWrap, false, true, true);
    Buffer<float> out(w * h);
    read_bytes<<<dim3(1, h), w>>>(texture, out.at, w, h);
    check("plane of bytes, wrapped", out, [&](int i) {
        const uchar4 texel = texels[(i / w + 3 * height - 8) % height * width + (i % w + width - 16) % width];
        return float(texel.x) / 255 + 2 * (float(texel.w) / 255);
    });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void read_line(cudaTextureObject_t border, cudaTextureObject_t mirror, float* out, int n) {
    const int i = threadIdx.x;
    out[i] = tex1D<float>(border, i - 7.5F);
    tex1D(&out[n + i], mirror, (i - 20 + 0.5F) / 16);
}
void border_and_mirror() {
    constexpr int width = 16, n = 64;
    std::vector<float> texels(width);
    for (int i = 0; i < width; ++i)
        texels[i] = float(i * i);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, width));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels.data(), 0, width * 4, 1, cudaMemcpyHostToDevice)); // one row
    const cudaTextureObject_t border = texture_of(resource_of(array), cudaAddressModeBorder, false, false, false, -3);
    const cudaTextureObject_t mirror = texture_of(resource_of(array), cudaAddressModeMirror, false, true);
    Buffer<float> out(2 * n);
    read_line<<<1, n>>>(border, mirror, out.at, n);
    check("border and mirror", out, [&](int i) {
        if (i < n)
            return i - 8 < 0 || i - 8 >= width ? -3.0F : texels[i - 8];
        const int in_pair = (i - n - 20 + 4 * width) % (2 * width);
        return texels[in_pair < width ? in_pair : 2 * width - 1 - in_pair];
    });
    MUST(cudaDestroyTextureObject(border));
    MUST(cudaDestroyTextureObject(mirror));
    MUST(cudaFreeArray(array));
}

__global__ void read_volume(cudaTextureObject_t texture, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex3D<float>(texture, i % 8 * 1.25F, i / 8 % 8 * 1.125F, i / 64 * 0.75F);
}
void volume() {
    constexpr int width = 9, height = 10, depth = 5;
    std::vector<float> texels(width * height * depth);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = float(i * 13 % 64);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, height, depth)));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, height);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, height, depth);
    copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    const cudaTextureObject_t texture = texture_of(resource_of(array), cudaAddressModeClamp, true);
    Buffer<float> out(512);
    read_volume<<<2, kThreads>>>(texture, out.at);
    check("volume", out, [&](int i) {
        const double p[3] = {i % 8 * 1.25, i / 8 % 8 * 1.125, i / 64 * 0.75};
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double weight = 1;
            int at[3];
            for (int d = 0; d < 3; ++d) {
                const int second = corner >> d & 1;
                weight *= second ? weight_at(p[d]) : 1 - weight_at(p[d]);
                at[d] = corner_at(p[d]) + second;
            }
            sum += weight *
                   texels[(clamped(at[2], depth) * height + clamped(at[1], height)) * width + clamped(at[0], width)];
        }
        return float(sum);
    });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void read_layers(cudaTextureObject_t rows, cudaTextureObject_t planes, int* out) {
    const int i = threadIdx.x;
    out[i] = tex1DLayered<int>(rows, i % 8, i / 8 % 4) + 1000 * tex2DLayered<int>(planes, i % 4, i / 4 % 2, i / 8 % 4);
}
void layers() {
    int numbers[32];
    for (int i = 0; i < 32; ++i)
        numbers[i] = i;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t rows, planes;
    MUST(cudaMalloc3DArray(&rows, &format, make_cudaExtent(8, 0, 4), cudaArrayLayered));
    MUST(cudaMalloc3DArray(&planes, &format, make_cudaExtent(4, 2, 4), cudaArrayLayered));
    cudaMemcpy3DParms copy{};
    copy.kind = cudaMemcpyHostToDevice;
    copy.srcPtr = make_cudaPitchedPtr(numbers, 32, 8, 1);
    copy.dstArray = rows;
    copy.extent = make_cudaExtent(8, 1, 4);
    MUST(cudaMemcpy3D(&copy));
    copy.srcPtr = make_cudaPitchedPtr(numbers, 16, 4, 2);
    copy.dstArray = planes;
    copy.extent = make_cudaExtent(4, 2, 4);
    MUST(cudaMemcpy3DAsync(&copy));
    const cudaTextureObject_t a = texture_of(resource_of(rows)), b = texture_of(resource_of(planes));
    Buffer<int> out(32);
    read_layers<<<1, 32>>>(a, b, out.at);
    check("layers", out, [](int i) { return i * 1001; });
    MUST(cudaDestroyTextureObject(a));
    MUST(cudaDestroyTextureObject(b));
    MUST(cudaFreeArray(rows));
    MUST(cudaFreeArray(planes));
}

__global__ void read_cube(cudaTextureObject_t texture, float* out) {
    const float s = 0.25F, t = 0.75F; // (s, t) from -1 to 1 on each face in turn
    const float x[6] = {1, -1, s, s, s, -s}, y[6] = {-t, -t, 1, -1, -t, -t}, z[6] = {-s, s, t, -t, 1, -1};
    const int face = threadIdx.x;
    out[face] = texCubemap<float>(texture, 3 * x[face], 3 * y[face], 3 * z[face]);
}
void cube() {
    constexpr int width = 4;
    std::vector<float> texels(6 * width * width);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = float(i);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(width, width, 6), cudaArrayCubemap));
    cudaMemcpy3DParms copy{};
    copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, width);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(width, width, 6);
    copy.kind = cudaMemcpyHostToDevice;
    MUST(cudaMemcpy3D(&copy));
    const cudaTextureObject_t texture = texture_of(resource_of(array), cudaAddressModeWrap, false, true);
    Buffer<float> out(6);
    read_cube<<<1, 6>>>(texture, out.at);
    // s = 0.25 lies in column 2, t = 0.75 in row 3.
    check("cube", out, [&](int face) { return texels[face * 16 + 3 * width + 2]; });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void gather(cudaTextureObject_t texture, float* out) {
    const float4 four = tex2Dgather<float4>(texture, 1, 1, 1);
    out[0] = four.x;
    out[1] = four.y;
    out[2] = four.z;
    out[3] = four.w;
}
void gathered() {
    const float2 texels[4] = {{1, 10}, {2, 20}, {3, 30}, {4, 40}};
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float2>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, 2, 2, cudaArrayTextureGather));
    MUST(cudaMemcpy2DToArray(array, 0, 0, texels, 16, 16, 2, cudaMemcpyHostToDevice));
    const cudaTextureObject_t texture = texture_of(resource_of(array));
    Buffer<float> out(4);
    gather<<<1, 1>>>(texture, out.at);
    check("gather", out, [](int i) { return float((i == 0 ? 3 : i == 1 ? 4 : i == 2 ? 2 : 1) * 10); });
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void write_surface(cudaSurfaceObject_t surface, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x < width)
        surf2Dwrite(make_uchar4(x, y, x + y, 255), surface, x * 4, y);
    surf2Dwrite(make_uchar4(9, 9, 9, 9), surface, -4, y, cudaBoundaryModeZero);
}
__global__ void read_surface(cudaSurfaceObject_t surface, unsigned* out, int width) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= width)
        return;
    const uchar4 a = surf2Dread<uchar4>(surface, x * 4, y);
    unsigned char b;
    surf2Dread(&b, surface, x * 4 + 1, y + 100, cudaBoundaryModeClamp); // of the last row
    out[y * width + x] = a.x + 256U * a.y + 65536U * a.z + (1U << 24) * b;
}
void surfaces() {
    constexpr int width = 48, height = 20;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    Buffer<unsigned> out(width * height);
    write_surface<<<dim3(1, height), 64>>>(surface, width);
    read_surface<<<dim3(1, height), 64>>>(surface, out.at, width);
    check("surfaces", out, [](int i) {
        const unsigned x = i % width, y = i / width;
        return x + 256 * y + 65536 * (x + y) + (1U << 24) * (height - 1);
    });
    MUST(cudaDestroySurfaceObject(surface));
    MUST(cudaFreeArray(array));
}

__global__ void fill_volume(cudaSurfaceObject_t surface) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    surf3Dwrite(make_float4(x, y, z, 1), surface, x * 16, y, z);
}
__global__ void sum_volume(cudaSurfaceObject_t surface, cudaTextureObject_t texture, float* out) {
    const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
    const float4 a = surf3Dread<float4>(surface, x * 16, y, z);
    const float4 b = tex3D<float4>(texture, x, y, z);
    out[(z * 3 + y) * 5 + x] = a.x + 10 * a.y + 100 * a.z + 1000 * a.w + b.x + 10 * b.y + 100 * b.z;
}
void surface_of_volume() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float4>();
    cudaArray_t array;
    MUST(cudaMalloc3DArray(&array, &format, make_cudaExtent(5, 3, 4), cudaArraySurfaceLoadStore));
    const cudaResourceDesc resource = resource_of(array);
    cudaSurfaceObject_t surface;
    MUST(cudaCreateSurfaceObject(&surface, &resource));
    const cudaTextureObject_t texture = texture_of(resource);
    Buffer<float> out(60);
    fill_volume<<<4, dim3(5, 3)>>>(surface);
    sum_volume<<<4, dim3(5, 3)>>>(surface, texture, out.at);
    check("surface of a volume", out,
          [](int i) { return float(2 * (i % 5 + 10 * (i / 5 % 3) + 100 * (i / 15)) + 1000); });
    MUST(cudaDestroySurfaceObject(surface));
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

// A part of an array to another and back through device memory.
void copies(bool asynchronous) {
    constexpr int width = 70, height = 19;
    std::vector<unsigned short> texels(width * height), back(width * height);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = static_cast<unsigned short>(i * 3);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned short>();
    cudaArray_t a, b;
    MUST(cudaMallocArray(&a, &format, width, height));
    MUST(cudaMallocArray(&b, &format, width, height));
    unsigned short* memory;
    size_t pitch;
    MUST(cudaMallocPitch(&memory, &pitch, width * 2, height));
    if (asynchronous) {
        MUST(cudaMemcpy2DToArrayAsync(a, 0, 0, texels.data(), width * 2, width * 2, height, cudaMemcpyHostToDevice));
        MUST(cudaMemcpy2DArrayToArray(b, 0, 0, a, 0, 0, width * 2, height));
        MUST(cudaMemcpy2DArrayToArray(b, 6, 2, a, 40, 5, 60, 12, cudaMemcpyDeviceToDevice));
        MUST(cudaMemcpy2DFromArrayAsync(memory, pitch, b, 0, 0, width * 2, height, cudaMemcpyDeviceToDevice));
    } else {
        MUST(cudaMemcpyToArray(a, 0, 0, texels.data(), 1000, cudaMemcpyHostToDevice));
        MUST(cudaMemcpyToArray(a, 1000 % (width * 2), 1000 / (width * 2), texels.data() + 500, texels.size() * 2 - 1000,
                               cudaMemcpyHostToDevice));
        MUST(cudaMemcpyArrayToArray(b, 0, 0, a, 0, 0, texels.size() * 2));
        cudaMemcpy3DParms copy{};
        copy.srcArray = a;
        copy.srcPos = make_cudaPos(20, 5, 0);
        copy.dstArray = b;
        copy.dstPos = make_cudaPos(3, 2, 0);
        copy.extent = make_cudaExtent(30, 12, 1);
        copy.kind = cudaMemcpyDeviceToDevice;
        MUST(cudaMemcpy3D(&copy));
        MUST(cudaMemcpy2DFromArray(memory, pitch, b, 0, 0, width * 2, height, cudaMemcpyDeviceToDevice));
    }
    MUST(cudaMemcpy2D(back.data(), width * 2, memory, pitch, width * 2, height, cudaMemcpyDeviceToHost));
    std::vector<unsigned short> whole(width * height);
    MUST(cudaMemcpyFromArray(whole.data(), b, 0, 0, whole.size() * 2, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < width * height; ++i) {
        const int x = i % width, y = i / width;
        const bool moved = x >= 3 && x < 33 && y >= 2 && y < 14;
        const unsigned short want = moved ? texels[(y + 3) * width + x + 17] : texels[i];
        wrong += back[i] != want || whole[i] != want;
    }
    std::printf("%s: %d wrong\n", asynchronous ? "asynchronous copies" : "copies", wrong);
    MUST(cudaFree(memory));
    MUST(cudaFreeArray(a));
    MUST(cudaFreeArray(b));
}

void descriptions() {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    cudaArray_t array;
    MUST(cudaMallocArray(&array, &format, 48, 20, cudaArraySurfaceLoadStore));
    const cudaTextureObject_t texture = texture_of(resource_of(array), cudaAddressModeMirror, true, true, true, 0.5F);
    cudaResourceDesc resource{};
    cudaTextureDesc how{};
    MUST(cudaGetTextureObjectResourceDesc(&resource, texture));
    MUST(cudaGetTextureObjectTextureDesc(&how, texture));
    std::printf("described: %d %d %d %d\n", resource.res.array.array == array,
                how.addressMode[1] == cudaAddressModeMirror, how.filterMode == cudaFilterModeLinear,
                how.normalizedCoords == 1 && how.borderColor[0] == 0.5F);
    cudaChannelFormatDesc got;
    cudaExtent extent;
    unsigned flags;
    MUST(cudaArrayGetInfo(&got, &extent, &flags, array));
    std::printf("info: %zux%zux%zu %d %d %d %d %s, flags %u\n", extent.width, extent.height, extent.depth, got.x, got.y,
                got.z, got.w, got.f == cudaChannelFormatKindUnsigned ? "u" : "?", flags);
    MUST(cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
}

__global__ void fetch_one(cudaTextureObject_t texture, float* out) {
    *out = tex1D<float>(texture, 0.5F);
}
void errors() {
    const cudaChannelFormatDesc words = cudaCreateChannelDesc<int>(), floats = cudaCreateChannelDesc<float>();
    cudaArray_t array, plain;
    MUST(cudaMallocArray(&array, &words, 8, 8));
    MUST(cudaMallocArray(&plain, &floats, 8));
    const cudaResourceDesc resource = resource_of(array);
    cudaTextureDesc how{};
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t texture;
    say("filter of integers", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeNormalizedFloat;
    say("normalised words", cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    const cudaChannelFormatDesc three = cudaCreateChannelDesc(8, 8, 8, 0, cudaChannelFormatKindUnsigned);
    cudaArray_t none;
    say("three channels", cudaMallocArray(&none, &three, 8, 8));
    const cudaResourceDesc nothing = resource_of(reinterpret_cast<cudaArray_t>(&none));
    how.readMode = cudaReadModeElementType;
    say("no array", cudaCreateTextureObject(&texture, &nothing, &how, nullptr));
    int row[8];
    say("beyond an array", cudaMemcpy2DToArray(array, 4, 0, row, 32, 32, 1, cudaMemcpyHostToDevice));
    cudaSurfaceObject_t surface;
    say("surface without its flag", cudaCreateSurfaceObject(&surface, &resource));
    texture = texture_of(resource_of(plain));
    say("a texture as surface", cudaDestroySurfaceObject(texture));
    MUST(cudaDestroyTextureObject(texture));
    say("destroyed twice", cudaDestroyTextureObject(texture));
    MUST(cudaFreeArray(array));
    say("freed twice", cudaFreeArray(array));
    float* out;
    MUST(cudaMalloc(&out, sizeof *out));
    fetch_one<<<1, 1>>>(texture, out);
    say("fetch of a destroyed texture", cudaDeviceSynchronize());
}

int main() {
    linear_memory();
    pitched_memory();
    filtered_plane();
    wrapped_bytes();
    border_and_mirror();
    volume();
    layers();
    cube();
    gathered();
    surfaces();
    surface_of_volume();
    copies(false);
    copies(true);
    descriptions();
    errors();
}
