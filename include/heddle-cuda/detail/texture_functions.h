// Fetches through texture objects: each function is one instruction of PTX.
#pragma once

#include "intrinsics.h"

// Without lines of its own: a fault is at the line that calls it.
#define HEDDLE_CUDA_OBJECT HEDDLE_CUDA_DEVICE __attribute__((nodebug))

// A texel of type T from the four channels that the instruction gives: `raw`, 32 bits each.
template <class T>
struct heddle_texel;
#define HEDDLE_CUDA_TEXEL_OF(Texel, Raw, ...)                                                                          \
    template <>                                                                                                        \
    struct heddle_texel<Texel> {                                                                                       \
        typedef Raw raw;                                                                                               \
        HEDDLE_CUDA_OBJECT static Texel from(const Raw* t) {                                                           \
            return {__VA_ARGS__};                                                                                      \
        }                                                                                                              \
    };
#define HEDDLE_CUDA_TEXELS(scalar, name, Raw)                                                                          \
    HEDDLE_CUDA_TEXEL_OF(scalar, Raw, static_cast<scalar>(t[0]))                                                       \
    HEDDLE_CUDA_TEXEL_OF(name##1, Raw, static_cast<scalar>(t[0]))                                                      \
    HEDDLE_CUDA_TEXEL_OF(name##2, Raw, static_cast<scalar>(t[0]), static_cast<scalar>(t[1]))                           \
    HEDDLE_CUDA_TEXEL_OF(name##4, Raw, static_cast<scalar>(t[0]), static_cast<scalar>(t[1]),                           \
                         static_cast<scalar>(t[2]), static_cast<scalar>(t[3]))
HEDDLE_CUDA_TEXELS(signed char, char, int)
HEDDLE_CUDA_TEXELS(unsigned char, uchar, unsigned)
HEDDLE_CUDA_TEXELS(short, short, int)
HEDDLE_CUDA_TEXELS(unsigned short, ushort, unsigned)
HEDDLE_CUDA_TEXELS(int, int, int)
HEDDLE_CUDA_TEXELS(unsigned, uint, unsigned)
HEDDLE_CUDA_TEXELS(float, float, float)
HEDDLE_CUDA_TEXEL_OF(char, int, static_cast<char>(t[0]))
#undef HEDDLE_CUDA_TEXELS
#undef HEDDLE_CUDA_TEXEL_OF

// A list of arguments as one argument of a macro.
#define HEDDLE_CUDA_LIST(...) __VA_ARGS__

#define HEDDLE_CUDA_FETCH_AS(name, Raw, letter, type, operation, coordinate, place, parameters, operands)              \
    HEDDLE_CUDA_OBJECT void heddle_##name(Raw* t, cudaTextureObject_t texture, parameters) {                           \
        asm(operation ".v4." type "." coordinate " {%0, %1, %2, %3}, " place ";"                                       \
            : "=" letter(t[0]), "=" letter(t[1]), "=" letter(t[2]), "=" letter(t[3])                                   \
            : "l"(texture), operands);                                                                                 \
    }
// NAME(texture, parameters...) and NAME(&texel, texture, parameters...), which `arguments` are of.
#define HEDDLE_CUDA_FETCH(name, operation, coordinate, place, parameters, operands, arguments)                         \
    HEDDLE_CUDA_FETCH_AS(name, float, "f", "f32", operation, coordinate, place, HEDDLE_CUDA_LIST(parameters),          \
                         HEDDLE_CUDA_LIST(operands))                                                                   \
    HEDDLE_CUDA_FETCH_AS(name, int, "r", "s32", operation, coordinate, place, HEDDLE_CUDA_LIST(parameters),            \
                         HEDDLE_CUDA_LIST(operands))                                                                   \
    HEDDLE_CUDA_FETCH_AS(name, unsigned, "r", "u32", operation, coordinate, place, HEDDLE_CUDA_LIST(parameters),       \
                         HEDDLE_CUDA_LIST(operands))                                                                   \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT T name(cudaTextureObject_t texture, parameters) {                                               \
        typename heddle_texel<T>::raw t[4];                                                                            \
        heddle_##name(t, texture, arguments);                                                                          \
        return heddle_texel<T>::from(t);                                                                               \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT void name(T* texel, cudaTextureObject_t texture, parameters) {                                  \
        *texel = name<T>(texture, arguments);                                                                          \
    }

#define HEDDLE_CUDA_X float x
#define HEDDLE_CUDA_XY float x, float y
#define HEDDLE_CUDA_XYZ float x, float y, float z

HEDDLE_CUDA_FETCH(tex1Dfetch, "tex.1d", "s32", "[%4, {%5}]", int x, "r"(x), x)
HEDDLE_CUDA_FETCH(tex1D, "tex.1d", "f32", "[%4, {%5}]", HEDDLE_CUDA_X, "f"(x), x)
HEDDLE_CUDA_FETCH(tex2D, "tex.2d", "f32", "[%4, {%5, %6}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y)), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_FETCH(tex3D, "tex.3d", "f32", "[%4, {%5, %6, %7, %7}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z)), HEDDLE_CUDA_LIST(x, y, z))
HEDDLE_CUDA_FETCH(tex1DLayered, "tex.a1d", "f32", "[%4, {%6, %5}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_X, int layer),
                  HEDDLE_CUDA_LIST("f"(x), "r"(layer)), HEDDLE_CUDA_LIST(x, layer))
HEDDLE_CUDA_FETCH(tex2DLayered, "tex.a2d", "f32", "[%4, {%7, %5, %6, %6}]",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer), HEDDLE_CUDA_LIST("f"(x), "f"(y), "r"(layer)),
                  HEDDLE_CUDA_LIST(x, y, layer))
HEDDLE_CUDA_FETCH(texCubemap, "tex.cube", "f32", "[%4, {%5, %6, %7, %7}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z)), HEDDLE_CUDA_LIST(x, y, z))
HEDDLE_CUDA_FETCH(texCubemapLayered, "tex.acube", "f32", "[%4, {%8, %5, %6, %7}]",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, int layer), HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), "r"(layer)),
                  HEDDLE_CUDA_LIST(x, y, z, layer))

HEDDLE_CUDA_FETCH(tex1DLod, "tex.level.1d", "f32", "[%4, {%5}], %6", HEDDLE_CUDA_LIST(HEDDLE_CUDA_X, float level),
                  HEDDLE_CUDA_LIST("f"(x), "f"(level)), HEDDLE_CUDA_LIST(x, level))
HEDDLE_CUDA_FETCH(tex2DLod, "tex.level.2d", "f32", "[%4, {%5, %6}], %7",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, float level), HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(level)),
                  HEDDLE_CUDA_LIST(x, y, level))
HEDDLE_CUDA_FETCH(tex3DLod, "tex.level.3d", "f32", "[%4, {%5, %6, %7, %7}], %8",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float level),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), "f"(level)), HEDDLE_CUDA_LIST(x, y, z, level))
HEDDLE_CUDA_FETCH(tex1DLayeredLod, "tex.level.a1d", "f32", "[%4, {%6, %5}], %7",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_X, int layer, float level),
                  HEDDLE_CUDA_LIST("f"(x), "r"(layer), "f"(level)), HEDDLE_CUDA_LIST(x, layer, level))
HEDDLE_CUDA_FETCH(tex2DLayeredLod, "tex.level.a2d", "f32", "[%4, {%7, %5, %6, %6}], %8",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer, float level),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "r"(layer), "f"(level)), HEDDLE_CUDA_LIST(x, y, layer, level))
HEDDLE_CUDA_FETCH(texCubemapLod, "tex.level.cube", "f32", "[%4, {%5, %6, %7, %7}], %8",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float level),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), "f"(level)), HEDDLE_CUDA_LIST(x, y, z, level))
HEDDLE_CUDA_FETCH(texCubemapLayeredLod, "tex.level.acube", "f32", "[%4, {%8, %5, %6, %7}], %9",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, int layer, float level),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), "r"(layer), "f"(level)),
                  HEDDLE_CUDA_LIST(x, y, z, layer, level))

HEDDLE_CUDA_FETCH(tex1DGrad, "tex.grad.1d", "f32", "[%4, {%5}], {%6}, {%7}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_X, float dx, float dy), HEDDLE_CUDA_LIST("f"(x), "f"(dx), "f"(dy)),
                  HEDDLE_CUDA_LIST(x, dx, dy))
HEDDLE_CUDA_FETCH(tex2DGrad, "tex.grad.2d", "f32", "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, float2 dx, float2 dy),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)),
                  HEDDLE_CUDA_LIST(x, y, dx, dy))
#define HEDDLE_CUDA_GRADIENTS_3D                                                                                       \
    "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)
HEDDLE_CUDA_FETCH(tex3DGrad, "tex.grad.3d", "f32",
                  "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float4 dx, float4 dy),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), HEDDLE_CUDA_GRADIENTS_3D), HEDDLE_CUDA_LIST(x, y, z, dx, dy))
HEDDLE_CUDA_FETCH(tex1DLayeredGrad, "tex.grad.a1d", "f32", "[%4, {%6, %5}], {%7}, {%8}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_X, int layer, float dx, float dy),
                  HEDDLE_CUDA_LIST("f"(x), "r"(layer), "f"(dx), "f"(dy)), HEDDLE_CUDA_LIST(x, layer, dx, dy))
HEDDLE_CUDA_FETCH(tex2DLayeredGrad, "tex.grad.a2d", "f32", "[%4, {%7, %5, %6, %6}], {%8, %9}, {%10, %11}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer, float2 dx, float2 dy),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "r"(layer), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)),
                  HEDDLE_CUDA_LIST(x, y, layer, dx, dy))
HEDDLE_CUDA_FETCH(texCubemapGrad, "tex.grad.cube", "f32",
                  "[%4, {%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float4 dx, float4 dy),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), HEDDLE_CUDA_GRADIENTS_3D), HEDDLE_CUDA_LIST(x, y, z, dx, dy))
HEDDLE_CUDA_FETCH(texCubemapLayeredGrad, "tex.grad.acube", "f32",
                  "[%4, {%14, %5, %6, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}",
                  HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, int layer, float4 dx, float4 dy),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y), "f"(z), HEDDLE_CUDA_GRADIENTS_3D, "r"(layer)),
                  HEDDLE_CUDA_LIST(x, y, z, layer, dx, dy))
#undef HEDDLE_CUDA_GRADIENTS_3D

// A component of the four texels that a linear filter at (x, y) would read.
HEDDLE_CUDA_FETCH(heddle_gather_r, "tld4.r.2d", "f32", "[%4, {%5, %6}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y)), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_FETCH(heddle_gather_g, "tld4.g.2d", "f32", "[%4, {%5, %6}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y)), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_FETCH(heddle_gather_b, "tld4.b.2d", "f32", "[%4, {%5, %6}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y)), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_FETCH(heddle_gather_a, "tld4.a.2d", "f32", "[%4, {%5, %6}]", HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY),
                  HEDDLE_CUDA_LIST("f"(x), "f"(y)), HEDDLE_CUDA_LIST(x, y))
template <class T>
HEDDLE_CUDA_OBJECT T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
    switch (component) {
    case 1:
        return heddle_gather_g<T>(texture, x, y);
    case 2:
        return heddle_gather_b<T>(texture, x, y);
    case 3:
        return heddle_gather_a<T>(texture, x, y);
    default:
        return heddle_gather_r<T>(texture, x, y);
    }
}
template <class T>
HEDDLE_CUDA_OBJECT void tex2Dgather(T* texels, cudaTextureObject_t texture, float x, float y, int component = 0) {
    *texels = tex2Dgather<T>(texture, x, y, component);
}

// The forms that say whether the texels are resident. There are no sparse arrays, so they are.
#define HEDDLE_CUDA_RESIDENT(name, parameters, arguments)                                                              \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT T name(cudaTextureObject_t texture, parameters, bool* resident) {                               \
        *resident = true;                                                                                              \
        return name<T>(texture, arguments);                                                                            \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT void name(T* texel, cudaTextureObject_t texture, parameters, bool* resident) {                  \
        *texel = name<T>(texture, arguments, resident);                                                                \
    }
HEDDLE_CUDA_RESIDENT(tex2D, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_RESIDENT(tex3D, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ), HEDDLE_CUDA_LIST(x, y, z))
HEDDLE_CUDA_RESIDENT(tex2DLayered, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer), HEDDLE_CUDA_LIST(x, y, layer))
HEDDLE_CUDA_RESIDENT(tex2DLod, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, float level), HEDDLE_CUDA_LIST(x, y, level))
HEDDLE_CUDA_RESIDENT(tex3DLod, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float level), HEDDLE_CUDA_LIST(x, y, z, level))
HEDDLE_CUDA_RESIDENT(tex2DLayeredLod, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer, float level),
                     HEDDLE_CUDA_LIST(x, y, layer, level))
HEDDLE_CUDA_RESIDENT(tex2DGrad, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, float2 dx, float2 dy),
                     HEDDLE_CUDA_LIST(x, y, dx, dy))
HEDDLE_CUDA_RESIDENT(tex3DGrad, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XYZ, float4 dx, float4 dy),
                     HEDDLE_CUDA_LIST(x, y, z, dx, dy))
HEDDLE_CUDA_RESIDENT(tex2DLayeredGrad, HEDDLE_CUDA_LIST(HEDDLE_CUDA_XY, int layer, float2 dx, float2 dy),
                     HEDDLE_CUDA_LIST(x, y, layer, dx, dy))
#undef HEDDLE_CUDA_RESIDENT
template <class T>
HEDDLE_CUDA_OBJECT T tex2Dgather(cudaTextureObject_t texture, float x, float y, bool* resident, int component = 0) {
    *resident = true;
    return tex2Dgather<T>(texture, x, y, component);
}
template <class T>
HEDDLE_CUDA_OBJECT void tex2Dgather(T* texels, cudaTextureObject_t texture, float x, float y, bool* resident,
                                    int component = 0) {
    *texels = tex2Dgather<T>(texture, x, y, resident, component);
}

#undef HEDDLE_CUDA_X
#undef HEDDLE_CUDA_XY
#undef HEDDLE_CUDA_XYZ
#undef HEDDLE_CUDA_FETCH
#undef HEDDLE_CUDA_FETCH_AS
#undef HEDDLE_CUDA_LIST
#undef HEDDLE_CUDA_OBJECT
