// The functions that libcurand.so exports
#include <new>
#include <string>

#include "generator.h"
#include "runtime.h"
#include "unsupported.h"

#define HEDDLE_CURAND_API extern "C" __attribute__((visibility("default")))

using namespace heddle::rand;

namespace {

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool on_host) {
    if (generator == nullptr)
        return CURAND_STATUS_OUT_OF_RANGE;
    switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        break;
    default:
        heddle::cudart::tell_unsupported(
            ("the cuRAND generator of type " + std::to_string(static_cast<int>(type))).c_str());
        return CURAND_STATUS_TYPE_ERROR;
    }
    const auto* const runtime = heddle::library::Runtime::find();
    if (!on_host && (runtime == nullptr || runtime->free(nullptr) != cudaSuccess))
        return CURAND_STATUS_INITIALIZATION_FAILED;
    *generator = new (std::nothrow) curandGenerator_st(type, on_host);
    return *generator == nullptr ? CURAND_STATUS_ALLOCATION_FAILED : CURAND_STATUS_SUCCESS;
}

// The frame of what needs a generator
template <class F>
curandStatus_t with(curandGenerator_t generator, F&& body) {
    return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : body(*generator);
}

template <class Kind>
curandStatus_t generate(curandGenerator_t generator, const char* kernel, typename Kind::Number* out, size_t n,
                        const Distribution& distribution = {}) {
    return with(generator, [&](curandGenerator_st& g) { return g.generate<Kind>(kernel, out, n, distribution); });
}

} // namespace

HEDDLE_CURAND_API curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
HEDDLE_CURAND_API curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
}
HEDDLE_CURAND_API curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (generator == nullptr)
        return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

HEDDLE_CURAND_API curandStatus_t curandGetVersion(int* version) {
    if (version == nullptr)
        return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
HEDDLE_CURAND_API curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
    constexpr int kParts[] = {CURAND_VER_MAJOR, CURAND_VER_MINOR, CURAND_VER_PATCH};
    if (value == nullptr || type < MAJOR_VERSION || type > PATCH_LEVEL)
        return CURAND_STATUS_OUT_OF_RANGE;
    *value = kParts[type];
    return CURAND_STATUS_SUCCESS;
}

HEDDLE_CURAND_API curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    return with(generator, [&](curandGenerator_st& g) {
        g.set_stream(stream);
        return CURAND_STATUS_SUCCESS;
    });
}
HEDDLE_CURAND_API curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                                    unsigned long long seed) {
    return with(generator, [&](curandGenerator_st& g) {
        g.set_seed(seed);
        return CURAND_STATUS_SUCCESS;
    });
}
HEDDLE_CURAND_API curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return with(generator, [&](curandGenerator_st& g) {
        g.set_offset(offset);
        return CURAND_STATUS_SUCCESS;
    });
}
// There is one order of the numbers of each generator, whatever the program asks for.
HEDDLE_CURAND_API curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    return with(generator, [&](curandGenerator_st&) {
        const bool known = order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC;
        return known ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
    });
}
// Of generators that are not served
HEDDLE_CURAND_API curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned) {
    return with(generator, [](curandGenerator_st&) { return CURAND_STATUS_TYPE_ERROR; });
}
HEDDLE_CURAND_API curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long*, size_t) {
    return with(generator, [](curandGenerator_st&) { return CURAND_STATUS_TYPE_ERROR; });
}

HEDDLE_CURAND_API curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return with(generator, [](curandGenerator_st& g) { return g.make_states(); });
}
HEDDLE_CURAND_API curandStatus_t curandGenerate(curandGenerator_t generator, unsigned* out, size_t n) {
    return generate<Words>(generator, "words", out, n);
}
HEDDLE_CURAND_API curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* out, size_t n) {
    return generate<UniformF32>(generator, "uniform_f32", out, n);
}
HEDDLE_CURAND_API curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* out, size_t n) {
    return generate<UniformF64>(generator, "uniform_f64", out, n);
}
HEDDLE_CURAND_API curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                                      float deviation) {
    return generate<NormalF32>(generator, "normal_f32", out, n, {mean, deviation});
}
HEDDLE_CURAND_API curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* out, size_t n,
                                                            double mean, double deviation) {
    return generate<NormalF64>(generator, "normal_f64", out, n, {mean, deviation});
}
HEDDLE_CURAND_API curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* out, size_t n, float mean,
                                                         float deviation) {
    return generate<LogNormalF32>(generator, "lognormal_f32", out, n, {mean, deviation});
}
HEDDLE_CURAND_API curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* out, size_t n,
                                                               double mean, double deviation) {
    return generate<LogNormalF64>(generator, "lognormal_f64", out, n, {mean, deviation});
}
HEDDLE_CURAND_API curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned* out, size_t n,
                                                       double lambda) {
    constexpr double kMost = 400000; // numbers stay far below 2^32, and a search takes a few thousand steps
    if (generator != nullptr && !(lambda > 0 && lambda <= kMost))
        return CURAND_STATUS_OUT_OF_RANGE;
    return generate<Poisson>(generator, "poisson", out, n, {lambda, 0});
}
