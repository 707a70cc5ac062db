// Loads and stores through surface objects. x counts bytes. An element of any type of 1, 2, 4, 8 or 16 bytes goes through
// registers of its size.
#pragma once

#include "intrinsics.h"

// Without lines of its own: a fault is at the line that calls it.
#define HEDDLE_CUDA_OBJECT HEDDLE_CUDA_DEVICE __attribute__((nodebug))

template <size_t bytes>
struct heddle_element;
template <>
struct heddle_element<1> {
    unsigned short r[1];
};
template <>
struct heddle_element<2> {
    unsigned short r[1];
};
template <>
struct heddle_element<4> {
    unsigned r[1];
};
template <>
struct heddle_element<8> {
    unsigned r[2];
};
template <>
struct heddle_element<16> {
    unsigned r[4];
};

// A list of arguments as one argument of a macro.
#define HEDDLE_CUDA_LIST(...) __VA_ARGS__

// One size of element. `registers`, with the operands of the place from %N on; `outputs` and `inputs` name them.
#define HEDDLE_CUDA_LOAD_OF(name, geometry, mode, bytes, type, registers, place, parameters, operands, outputs)        \
    HEDDLE_CUDA_OBJECT void heddle_##name##_##mode(heddle_element<bytes>& e, cudaSurfaceObject_t surface,              \
                                                   parameters) {                                                       \
        asm volatile("suld.b." geometry type "." #mode " " registers ", " place ";"                                    \
                     : outputs                                                                                         \
                     : [s] "l"(surface), operands                                                                      \
                     : "memory");                                                                                      \
    }
#define HEDDLE_CUDA_STORE_OF(name, geometry, mode, bytes, type, registers, place, parameters, operands, inputs)        \
    HEDDLE_CUDA_OBJECT void heddle_##name##_##mode(const heddle_element<bytes>& e, cudaSurfaceObject_t surface,        \
                                                   parameters) {                                                       \
        asm volatile("sust.b." geometry type "." #mode " " place ", " registers ";"                                    \
                     :                                                                                                 \
                     : [s] "l"(surface), operands, inputs                                                              \
                     : "memory");                                                                                      \
    }
#define HEDDLE_CUDA_SIZES(OF, name, geometry, mode, place, parameters, operands, as)                                   \
    OF(name, geometry, mode, 1, ".b8", "{%[a]}", place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands),      \
       [a] as "h"(e.r[0]))                                                                                             \
    OF(name, geometry, mode, 2, ".b16", "{%[a]}", place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands),     \
       [a] as "h"(e.r[0]))                                                                                             \
    OF(name, geometry, mode, 4, ".b32", "{%[a]}", place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands),     \
       [a] as "r"(e.r[0]))                                                                                             \
    OF(name, geometry, mode, 8, ".v2.b32", "{%[a], %[b]}", place, HEDDLE_CUDA_LIST(parameters),                        \
       HEDDLE_CUDA_LIST(operands), HEDDLE_CUDA_LIST([a] as "r"(e.r[0]), [b] as "r"(e.r[1])))                           \
    OF(name, geometry, mode, 16, ".v4.b32", "{%[a], %[b], %[c], %[d]}", place, HEDDLE_CUDA_LIST(parameters),           \
       HEDDLE_CUDA_LIST(operands),                                                                                     \
       HEDDLE_CUDA_LIST([a] as "r"(e.r[0]), [b] as "r"(e.r[1]), [c] as "r"(e.r[2]), [d] as "r"(e.r[3])))
#define HEDDLE_CUDA_MODES(OF, name, geometry, place, parameters, operands, as)                                         \
    HEDDLE_CUDA_SIZES(OF, name, geometry, trap, place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands), as)   \
    HEDDLE_CUDA_SIZES(OF, name, geometry, clamp, place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands), as)  \
    HEDDLE_CUDA_SIZES(OF, name, geometry, zero, place, HEDDLE_CUDA_LIST(parameters), HEDDLE_CUDA_LIST(operands), as)
#define HEDDLE_CUDA_BY_MODE(name, arguments)                                                                           \
    switch (mode) {                                                                                                    \
    case cudaBoundaryModeClamp:                                                                                        \
        heddle_##name##_clamp(e, surface, arguments);                                                                  \
        break;                                                                                                         \
    case cudaBoundaryModeZero:                                                                                         \
        heddle_##name##_zero(e, surface, arguments);                                                                   \
        break;                                                                                                         \
    default:                                                                                                           \
        heddle_##name##_trap(e, surface, arguments);                                                                   \
    }
// PREFIXread(surface, parameters..., mode), PREFIXread(&value, surface, ...) and PREFIXwrite(value, surface, ...).
#define HEDDLE_CUDA_SURFACE(prefix, geometry, place, parameters, operands, arguments)                                  \
    HEDDLE_CUDA_MODES(HEDDLE_CUDA_LOAD_OF, prefix##read, geometry, place, HEDDLE_CUDA_LIST(parameters),                \
                      HEDDLE_CUDA_LIST(operands), "=")                                                                 \
    HEDDLE_CUDA_MODES(HEDDLE_CUDA_STORE_OF, prefix##write, geometry, place, HEDDLE_CUDA_LIST(parameters),              \
                      HEDDLE_CUDA_LIST(operands), "")                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT T prefix##read(cudaSurfaceObject_t surface, parameters,                                         \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                           \
        heddle_element<sizeof(T)> e;                                                                                   \
        HEDDLE_CUDA_BY_MODE(prefix##read, HEDDLE_CUDA_LIST(arguments))                                                 \
        T value;                                                                                                       \
        __builtin_memcpy(&value, &e, sizeof value);                                                                    \
        return value;                                                                                                  \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT void prefix##read(T* value, cudaSurfaceObject_t surface, parameters,                            \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                        \
        *value = prefix##read<T>(surface, arguments, mode);                                                            \
    }                                                                                                                  \
    template <class T>                                                                                                 \
    HEDDLE_CUDA_OBJECT void prefix##write(T value, cudaSurfaceObject_t surface, parameters,                            \
                                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                       \
        heddle_element<sizeof(T)> e = {};                                                                              \
        __builtin_memcpy(&e, &value, sizeof value);                                                                    \
        HEDDLE_CUDA_BY_MODE(prefix##write, HEDDLE_CUDA_LIST(arguments))                                                \
    }

HEDDLE_CUDA_SURFACE(surf1D, "1d", "[%[s], {%[x]}]", int x, [x] "r"(x), x)
HEDDLE_CUDA_SURFACE(surf2D, "2d", "[%[s], {%[x], %[y]}]", HEDDLE_CUDA_LIST(int x, int y),
                    HEDDLE_CUDA_LIST([x] "r"(x), [y] "r"(y)), HEDDLE_CUDA_LIST(x, y))
HEDDLE_CUDA_SURFACE(surf3D, "3d", "[%[s], {%[x], %[y], %[z], %[z]}]", HEDDLE_CUDA_LIST(int x, int y, int z),
                    HEDDLE_CUDA_LIST([x] "r"(x), [y] "r"(y), [z] "r"(z)), HEDDLE_CUDA_LIST(x, y, z))
HEDDLE_CUDA_SURFACE(surf1DLayered, "a1d", "[%[s], {%[z], %[x]}]", HEDDLE_CUDA_LIST(int x, int layer),
                    HEDDLE_CUDA_LIST([x] "r"(x), [z] "r"(layer)), HEDDLE_CUDA_LIST(x, layer))
HEDDLE_CUDA_SURFACE(surf2DLayered, "a2d", "[%[s], {%[z], %[x], %[y], %[y]}]",
                    HEDDLE_CUDA_LIST(int x, int y, int layer),
                    HEDDLE_CUDA_LIST([x] "r"(x), [y] "r"(y), [z] "r"(layer)), HEDDLE_CUDA_LIST(x, y, layer))
HEDDLE_CUDA_SURFACE(surfCubemap, "a2d", "[%[s], {%[z], %[x], %[y], %[y]}]", HEDDLE_CUDA_LIST(int x, int y, int face),
                    HEDDLE_CUDA_LIST([x] "r"(x), [y] "r"(y), [z] "r"(face)), HEDDLE_CUDA_LIST(x, y, face))
HEDDLE_CUDA_SURFACE(surfCubemapLayered, "a2d", "[%[s], {%[z], %[x], %[y], %[y]}]",
                    HEDDLE_CUDA_LIST(int x, int y, int layerFace),
                    HEDDLE_CUDA_LIST([x] "r"(x), [y] "r"(y), [z] "r"(layerFace)), HEDDLE_CUDA_LIST(x, y, layerFace))

#undef HEDDLE_CUDA_SURFACE
#undef HEDDLE_CUDA_BY_MODE
#undef HEDDLE_CUDA_MODES
#undef HEDDLE_CUDA_SIZES
#undef HEDDLE_CUDA_STORE_OF
#undef HEDDLE_CUDA_LOAD_OF
#undef HEDDLE_CUDA_LIST
#undef HEDDLE_CUDA_OBJECT
