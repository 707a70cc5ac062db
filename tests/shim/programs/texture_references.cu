// The driver API: references of a module to textures and surfaces, mipmapped arrays, views.
// OPTIONS: -lcuda
// EXPECT: array, points: 2, linear: 1.5, normalised: 4
// EXPECT: linear memory: 30, pitched: 31
// EXPECT: integers: 51, fractions: 0.2
// EXPECT: levels: 2 3
// EXPECT: a surface: 9
// EXPECT: told: 1 1 2 0 1.5, array: same, no address: CUDA_ERROR_INVALID_VALUE
// EXPECT: a variable: CUDA_ERROR_NOT_FOUND, a surface: CUDA_ERROR_NOT_FOUND, as a variable: CUDA_ERROR_NOT_FOUND
// EXPECT: a view: 2, found: 1 to 1
// EXPECT: nothing bound: CUDA_ERROR_ILLEGAL_ADDRESS
// ERROR: a texture of a mipmapped array whose coordinates are not normalised
// ERROR: nothing is bound to the texture reference
#include <cstdio>
#include <cuda.h>

static const char kModule[] = R"(
.version 6.0
.target sm_50
.address_size 64
.global .texref t = { addr_mode_0 = clamp_to_edge };
.global .texref unbound;
.global .surfref s;
.global .u32 v;
.visible .entry fetch(.param .u64 out, .param .f32 x) {
    .reg .f32 %f<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.param.f32 %f5, [x];
    tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f5, 0f3E800000}];
    st.global.f32 [%rd1], %f1;
    ret;
}
.visible .entry fetch_row(.param .u64 out, .param .u32 x) {
    .reg .b32 %r<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r5, [x];
    tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [t, {%r5}];
    st.global.u32 [%rd1], %r1;
    ret;
}
.visible .entry level(.param .u64 out, .param .f32 l) {
    .reg .f32 %f<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.param.f32 %f5, [l];
    tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {0f3E800000, 0f3E800000}], %f5;
    st.global.f32 [%rd1], %f1;
    ret;
}
.visible .entry store(.param .u64 out, .param .f32 x) {
    .reg .b32 %r<2>;
    ld.param.b32 %r1, [x];
    sust.b.2d.b32.trap [s, {4, 0}], %r1;
    ret;
}
.visible .entry fetch_nothing(.param .u64 out, .param .f32 x) {
    .reg .f32 %f<6>;
    tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [unbound, {0f00000000}];
    ret;
}
)";

static const char* name(CUresult result) {
    const char* text = "?";
    cuGetErrorName(result, &text);
    return text;
}

static CUmodule module;
static CUdeviceptr out;

template <class T, class R = float>
static R run(const char* kernel, T argument) {
    CUfunction function;
    cuModuleGetFunction(&function, module, kernel);
    void* arguments[] = {&out, &argument};
    R result{};
    cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    cuMemcpyDtoH(&result, out, sizeof result);
    return result;
}

static CUarray make_array(unsigned flags) {
    CUDA_ARRAY3D_DESCRIPTOR what = {};
    what.Width = 4;
    what.Height = 1;
    what.Format = CU_AD_FORMAT_FLOAT;
    what.NumChannels = 1;
    what.Flags = flags;
    CUarray array;
    cuArray3DCreate(&array, &what);
    const float row[] = {1, 2, 4, 8};
    cuMemcpyHtoA(array, 0, row, sizeof row);
    return array;
}

static void of_array(CUtexref t) {
    const CUarray array = make_array(CUDA_ARRAY3D_SURFACE_LDST);
    cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT);
    const float points = run("fetch", 1.0f);
    cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR);
    const float linear = run("fetch", 1.0f);
    cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_POINT);
    cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES);
    std::printf("array, points: %g, linear: %g, normalised: %g\n", points, linear, run("fetch", 0.5f));
    cuTexRefSetFlags(t, 0);
}

static void of_memory(CUtexref t) {
    CUdeviceptr memory;
    cuMemAlloc(&memory, 1024);
    const unsigned row[] = {10, 20, 30, 40};
    cuMemcpyHtoD(memory, row, sizeof row);
    size_t offset = 7;
    cuTexRefSetFormat(t, CU_AD_FORMAT_UNSIGNED_INT32, 1);
    cuTexRefSetAddress(&offset, t, memory, sizeof row);
    const unsigned linear = run<unsigned, unsigned>("fetch_row", 2) + static_cast<unsigned>(offset);
    const float second[] = {11, 21, 31, 41};
    cuMemcpyHtoD(memory, second, sizeof second);
    CUDA_ARRAY_DESCRIPTOR what = {};
    what.Width = 4;
    what.Height = 1;
    what.Format = CU_AD_FORMAT_FLOAT;
    what.NumChannels = 1;
    cuTexRefSetAddress2D(t, &what, memory, 512);
    std::printf("linear memory: %u, pitched: %g\n", linear, run("fetch", 2.5f));
    const unsigned char bytes[] = {51};
    cuMemcpyHtoD(memory, bytes, sizeof bytes);
    what.Format = CU_AD_FORMAT_UNSIGNED_INT8;
    cuTexRefSetAddress2D(t, &what, memory, 512);
    const float fraction = run("fetch", 0.5f);
    cuTexRefSetFlags(t, CU_TRSF_READ_AS_INTEGER);
    std::printf("integers: %u, fractions: %g\n", run<unsigned, unsigned>("fetch_row", 0), fraction);
    cuTexRefSetFlags(t, 0);
}

static void of_levels(CUtexref t) {
    CUDA_ARRAY3D_DESCRIPTOR what = {};
    what.Width = 2;
    what.Height = 2;
    what.Format = CU_AD_FORMAT_FLOAT;
    what.NumChannels = 1;
    CUmipmappedArray array;
    cuMipmappedArrayCreate(&array, &what, 2);
    for (unsigned l = 0; l < 2; ++l) {
        CUarray level;
        cuMipmappedArrayGetLevel(&level, array, l);
        const float row[] = {2.0f + l, 2.0f + l};
        cuMemcpyHtoA(level, 0, row, l == 0 ? 8 : 4);
    }
    cuTexRefSetMipmappedArray(t, array, CU_TRSA_OVERRIDE_FORMAT);
    cuTexRefSetMipmapLevelClamp(t, 0, 5);
    cuTexRefSetFlags(t, CU_TRSF_NORMALIZED_COORDINATES);
    std::printf("levels: %g %g\n", run("level", 0.0f), run("level", 1.0f));
    cuTexRefSetFlags(t, 0);
}

static void of_surface(CUtexref t) {
    CUsurfref s;
    cuModuleGetSurfRef(&s, module, "s");
    const CUarray array = make_array(CUDA_ARRAY3D_SURFACE_LDST);
    cuSurfRefSetArray(s, array, 0);
    run("store", 9.0f); // the levels can not be bound now, which a kernel without them does not see
    cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT);
    std::printf("a surface: %g\n", run("fetch", 1.5f));
    CUfilter_mode filter;
    CUaddress_mode mode;
    unsigned flags;
    float bias;
    CUarray found;
    CUdeviceptr address;
    cuTexRefSetFilterMode(t, CU_TR_FILTER_MODE_LINEAR);
    cuTexRefSetAddressMode(t, 1, CU_TR_ADDRESS_MODE_MIRROR);
    cuTexRefSetMipmapLevelBias(t, 1.5f);
    cuTexRefGetFilterMode(&filter, t);
    cuTexRefGetMipmapLevelBias(&bias, t);
    cuTexRefGetFlags(&flags, t);
    CUaddress_mode first;
    cuTexRefGetAddressMode(&first, t, 0);
    cuTexRefGetAddressMode(&mode, t, 1);
    cuTexRefGetArray(&found, t);
    std::printf("told: %d %d %d %u %g, array: %s, no address: %s\n", filter, first, mode, flags, bias,
                found == array ? "same" : "another", name(cuTexRefGetAddress(&address, t)));
}

static void a_view() {
    CUDA_ARRAY3D_DESCRIPTOR what = {};
    what.Width = 2;
    what.Height = 2;
    what.Format = CU_AD_FORMAT_FLOAT;
    what.NumChannels = 1;
    CUmipmappedArray array;
    cuMipmappedArrayCreate(&array, &what, 2);
    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    resource.res.mipmap.hMipmappedArray = array;
    CUDA_TEXTURE_DESC how = {};
    how.flags = CU_TRSF_NORMALIZED_COORDINATES;
    CUDA_RESOURCE_VIEW_DESC view = {}, found = {};
    view.width = view.height = 2;
    view.firstMipmapLevel = view.lastMipmapLevel = 1;
    CUtexObject object;
    const CUresult made = cuTexObjectCreate(&object, &resource, &how, &view);
    cuTexObjectGetResourceViewDesc(&found, object);
    std::printf("a view: %zu, found: %u to %u\n", made == CUDA_SUCCESS ? found.width : 0, found.firstMipmapLevel,
                found.lastMipmapLevel);
}

int main() {
    cuInit(0);
    CUcontext context;
    cuDevicePrimaryCtxRetain(&context, 0);
    cuCtxSetCurrent(context);
    cuModuleLoadData(&module, kModule);
    cuMemAlloc(&out, 64);
    CUtexref t, other;
    CUdeviceptr variable;
    size_t bytes;
    cuModuleGetTexRef(&t, module, "t");
    of_array(t);
    of_memory(t);
    of_levels(t);
    of_surface(t);
    std::printf("a variable: %s, a surface: %s, as a variable: %s\n", name(cuModuleGetTexRef(&other, module, "v")),
                name(cuModuleGetTexRef(&other, module, "s")), name(cuModuleGetGlobal(&variable, &bytes, module, "t")));
    a_view();
    CUfunction nothing;
    float x = 0;
    void* arguments[] = {&out, &x};
    cuModuleGetFunction(&nothing, module, "fetch_nothing");
    cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr);
    std::printf("nothing bound: %s\n", name(cuCtxSynchronize()));
    return 0;
}
