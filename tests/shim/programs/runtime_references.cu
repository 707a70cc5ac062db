// Texture and surface references of the runtime, as the headers of CUDA 11 and older have them: the program registers
// them, and a kernel, as such a compiler's start-up code does. The compilers of today have no such headers.
// EXPECT: registered: the same, another variable: cudaErrorInvalidTexture
// EXPECT: linear: 30 offset 0, with an offset: 30 offset 8, without: cudaErrorInvalidValue
// EXPECT: all that there is: 70
// EXPECT: pitched: 12
// EXPECT: array: points 21, linear 15.5, normalised coordinates: 32
// EXPECT: fractions: 1.0
// EXPECT: a surface: 9, without cudaArraySurfaceLoadStore: cudaErrorInvalidValue
// EXPECT: nothing bound: cudaErrorIllegalAddress
// ERROR: which is no multiple of 256: the program has to take an offset
// ERROR: a surface of an array that was made without cudaArraySurfaceLoadStore
// ERROR: nothing is bound to the texture reference
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <string>
#include <vector>

static const char kModule[] = R"(
.version 6.0
.target sm_50
.address_size 64
.global .texref row;
.global .texref plane;
.global .texref bytes;
.global .surfref s;
.visible .entry fetch(.param .u64 out, .param .u32 what, .param .f32 x, .param .f32 y) {
    .reg .f32 %f<8>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<2>;
    .reg .pred %p<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [what];
    ld.param.f32 %f5, [x];
    ld.param.f32 %f6, [y];
    setp.eq.u32 %p1, %r1, 1;
    @%p1 bra PLANE;
    setp.eq.u32 %p1, %r1, 2;
    @%p1 bra BYTES;
    setp.eq.u32 %p1, %r1, 3;
    @%p1 bra SURFACE;
    cvt.rzi.s32.f32 %r2, %f5;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [row, {%r2}];
    bra DONE;
PLANE:
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [plane, {%f5, %f6}];
    bra DONE;
BYTES:
    cvt.rzi.s32.f32 %r2, %f5;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [bytes, {%r2}];
    bra DONE;
SURFACE:
    mov.b32 %r3, 0f41100000;
    sust.b.2d.b32.trap [s, {4, 1}], %r3;
    suld.b.2d.b32.trap %r4, [s, {4, 1}];
    mov.b32 %f1, %r4;
DONE:
    st.global.f32 [%rd1], %f1;
    ret;
}
)";

// CUDA 11's structs.
struct textureReference {
    int normalized = 0;
    cudaTextureFilterMode filterMode = cudaFilterModePoint;
    cudaTextureAddressMode addressMode[3] = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp};
    cudaChannelFormatDesc channelDesc{};
    int sRGB = 0;
    unsigned maxAnisotropy = 0;
    cudaTextureFilterMode mipmapFilterMode = cudaFilterModePoint;
    float mipmapLevelBias = 0, minMipmapLevelClamp = 0, maxMipmapLevelClamp = 0;
    int disableTrilinearOptimization = 0;
    int reserved[14] = {};
};
struct surfaceReference {
    cudaChannelFormatDesc channelDesc{};
};
extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, uint3*, uint3*,
                            dim3*, dim3*, int*);
}

// A function that the libraries of today's toolkits do not have.
#define OLD_FUNCTION(result, name, ...)                                                                                \
    static result (*const old_##name)(__VA_ARGS__) =                                                                   \
        reinterpret_cast<result (*)(__VA_ARGS__)>(dlsym(RTLD_DEFAULT, #name))
OLD_FUNCTION(void, __cudaRegisterTexture, void**, const textureReference*, const void**, const char*, int, int, int);
OLD_FUNCTION(void, __cudaRegisterSurface, void**, const surfaceReference*, const void**, const char*, int, int);
OLD_FUNCTION(cudaError_t, cudaBindTexture, size_t*, const textureReference*, const void*, const cudaChannelFormatDesc*,
             size_t);
OLD_FUNCTION(cudaError_t, cudaBindTexture2D, size_t*, const textureReference*, const void*,
             const cudaChannelFormatDesc*, size_t, size_t, size_t);
OLD_FUNCTION(cudaError_t, cudaBindTextureToArray, const textureReference*, cudaArray_const_t,
             const cudaChannelFormatDesc*);
OLD_FUNCTION(cudaError_t, cudaBindSurfaceToArray, const surfaceReference*, cudaArray_const_t,
             const cudaChannelFormatDesc*);
OLD_FUNCTION(cudaError_t, cudaUnbindTexture, const textureReference*);
OLD_FUNCTION(cudaError_t, cudaGetTextureReference, const textureReference**, const void*);
OLD_FUNCTION(cudaError_t, cudaGetTextureAlignmentOffset, size_t*, const textureReference*);

static textureReference row, plane, bytes;
static surfaceReference surface;
static char kernel; // its address stands for the kernel

// A fat binary with one text of PTX.
static std::vector<char> image;
static struct {
    int magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    const void* more = nullptr;
} wrapper;

template <class T>
static void put(T value) {
    const char* const at = reinterpret_cast<const char*>(&value);
    image.insert(image.end(), at, at + sizeof value);
}

static void register_all() {
    const std::uint64_t text = (sizeof kModule + 7) / 8 * 8;
    put(0xBA55ED50U), put<std::uint16_t>(1), put<std::uint16_t>(16), put<std::uint64_t>(64 + text);
    put<std::uint16_t>(1), put<std::uint16_t>(0x0101), put(64U), put(text), put(0U), put(0U), put<std::uint16_t>(5);
    put<std::uint16_t>(7), put(50U), put(0U), put(0U), put<std::uint64_t>(0x11), put<std::uint64_t>(0);
    put<std::uint64_t>(sizeof kModule);
    image.insert(image.end(), kModule, kModule + sizeof kModule);
    image.resize(80 + text);
    wrapper.data = image.data();
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &kernel, nullptr, "fetch", -1, nullptr, nullptr, nullptr, nullptr, nullptr);
    old___cudaRegisterTexture(handle, &row, nullptr, "row", 1, 0, 0);
    old___cudaRegisterTexture(handle, &plane, nullptr, "plane", 2, 0, 0);
    old___cudaRegisterTexture(handle, &bytes, nullptr, "bytes", 1, 1, 0);
    old___cudaRegisterSurface(handle, &surface, nullptr, "s", 2, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

static float* out;

static float fetch(unsigned what, float x, float y = 0) {
    void* arguments[] = {&out, &what, &x, &y};
    cudaLaunchKernel(&kernel, dim3(1), dim3(1), arguments, 0, nullptr);
    float value = -1;
    cudaMemcpy(&value, out, sizeof value, cudaMemcpyDeviceToHost);
    return value;
}

int main() {
    register_all();
    cudaMalloc(&out, 4);
    const textureReference* found = nullptr;
    const bool same = old_cudaGetTextureReference(&found, &row) == cudaSuccess && found == &row;
    printf("registered: %s, another variable: %s\n", same ? "the same" : "not found",
           cudaGetErrorName(old_cudaGetTextureReference(&found, &image)));

    const cudaChannelFormatDesc floats{32, 0, 0, 0, cudaChannelFormatKindFloat};
    float values[64];
    for (int i = 0; i < 64; ++i)
        values[i] = 10.0F * i;
    float* memory = nullptr;
    cudaMalloc(&memory, sizeof values);
    cudaMemcpy(memory, values, sizeof values, cudaMemcpyHostToDevice);
    size_t offset = 99, told = 99;
    old_cudaBindTexture(&offset, &row, memory, &floats, sizeof values);
    printf("linear: %g offset %zu", fetch(0, 3), offset);
    old_cudaBindTexture(&offset, &row, memory + 2, &floats, 16);
    old_cudaGetTextureAlignmentOffset(&told, &row);
    const float third = fetch(0, 1 + static_cast<float>(told) / 4);
    printf(", with an offset: %g offset %zu, without: %s\n", third, offset,
           cudaGetErrorName(old_cudaBindTexture(nullptr, &row, memory + 2, &floats, 16)));
    old_cudaBindTexture(nullptr, &row, memory, &floats, 0xffffffff);
    printf("all that there is: %g\n", fetch(0, 7));

    float* rows = nullptr;
    cudaMalloc(&rows, 256);
    const float second[] = {11, 12, 13, 14};
    cudaMemcpy(rows + 32, second, sizeof second, cudaMemcpyHostToDevice);
    old_cudaBindTexture2D(&offset, &plane, rows, &floats, 4, 2, 128);
    printf("pitched: %g\n", fetch(1, 1.5F, 1.5F));

    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &floats, 2, 2);
    const float texels[] = {10, 21, 10, 32};
    cudaMemcpy2DToArray(array, 0, 0, texels, 8, 8, 2, cudaMemcpyHostToDevice);
    old_cudaBindTextureToArray(&plane, array, &floats);
    printf("array: points %g", fetch(1, 1.0F, 0.5F));
    plane.filterMode = cudaFilterModeLinear;
    old_cudaBindTextureToArray(&plane, array, &floats);
    printf(", linear %g", fetch(1, 1.0F, 0.5F));
    plane.filterMode = cudaFilterModePoint;
    plane.normalized = 1;
    old_cudaBindTextureToArray(&plane, array, &floats);
    printf(", normalised coordinates: %g\n", fetch(1, 0.75F, 0.75F));

    const cudaChannelFormatDesc chars{8, 0, 0, 0, cudaChannelFormatKindUnsigned};
    cudaMemset(memory, 255, 16);
    old_cudaBindTexture(nullptr, &bytes, memory, &chars, 16);
    printf("fractions: %.1f\n", fetch(2, 3));

    cudaArray_t writable = nullptr;
    cudaMallocArray(&writable, &floats, 2, 2, cudaArraySurfaceLoadStore);
    old_cudaBindSurfaceToArray(&surface, writable, &floats);
    printf("a surface: %g, without cudaArraySurfaceLoadStore: %s\n", fetch(3, 0),
           cudaGetErrorName(old_cudaBindSurfaceToArray(&surface, array, &floats)));

    old_cudaUnbindTexture(&row);
    fetch(0, 0);
    printf("nothing bound: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
