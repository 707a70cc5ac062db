#include "generator.h"

#include <algorithm>

#include "kernels.h"
#include "streams.h"

namespace rand_ = heddle::rand;
using heddle::library::Kernels;
using heddle::library::Runtime;
using rand_::Distribution;
using rand_::Wide;

extern "C" const char heddle_rand_generate[];

namespace {

constexpr unsigned kThreads = 256;

// They live until the process ends: programs may call the library while it ends.
Kernels& kernels() {
    static auto* const all = new Kernels(heddle_rand_generate);
    return *all;
}

curandStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess                 ? CURAND_STATUS_SUCCESS
           : error == cudaErrorMemoryAllocation ? CURAND_STATUS_ALLOCATION_FAILED
                                                : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class Request>
curandStatus_t launch(const std::string& kernel, Wide threads, cudaStream_t stream, const Request& request) {
    constexpr Wide kMostBlocks = 1 << 20;
    const Wide blocks = std::clamp<Wide>((threads + kThreads - 1) / kThreads, 1, kMostBlocks);
    return status_of(kernels().launch(kernel, {dim3(static_cast<unsigned>(blocks)), dim3(kThreads)}, stream, request));
}

} // namespace

curandGenerator_st::~curandGenerator_st() {
    if (device_states_ != nullptr)
        (void)Runtime::find()->free(device_states_);
}

void curandGenerator_st::set_seed(Wide seed) {
    seed_ = seed;
    has_states_ = false;
}

void curandGenerator_st::set_offset(Wide offset) {
    offset_ = offset;
    has_states_ = false;
}

// The states of all streams are computed on the host.
curandStatus_t curandGenerator_st::make_states() {
    if (has_states_)
        return CURAND_STATUS_SUCCESS;
    next_ = is_counter() ? offset_ : offset_ % rand_::kStreams;
    if (!is_counter()) {
        host_states_ = type_ == CURAND_RNG_PSEUDO_MRG32K3A ? rand_::streams_of(rand_::mrg_of(seed_), offset_)
                                                           : rand_::streams_of(rand_::xorwow_of(seed_), offset_);
        if (!on_host_) {
            const Runtime& runtime = *Runtime::find();
            const std::size_t bytes = host_states_.size() * sizeof(rand_::Word);
            void* memory = device_states_;
            if (memory == nullptr && runtime.allocate(&memory, bytes) != cudaSuccess)
                return CURAND_STATUS_ALLOCATION_FAILED;
            device_states_ = static_cast<rand_::Word*>(memory);
            cudaError_t error = runtime.copy(memory, host_states_.data(), bytes, cudaMemcpyHostToDevice, stream_);
            if (error == cudaSuccess)
                error = runtime.wait(stream_);
            if (error != cudaSuccess)
                return status_of(error);
        }
    }
    has_states_ = true;
    return CURAND_STATUS_SUCCESS;
}

template <class Kind>
curandStatus_t curandGenerator_st::generate(const char* kernel, typename Kind::Number* out, std::size_t n,
                                            const Distribution& distribution) {
    if (n % Kind::kNumbers != 0)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    if (const curandStatus_t status = make_states(); status != CURAND_STATUS_SUCCESS || n == 0)
        return status;
    const Wide groups = n / Kind::kNumbers;
    return is_counter() ? of_counter<Kind>(kernel, out, groups, distribution)
                        : of_streams<Kind>(kernel, out, groups, distribution);
}

template <class Kind>
curandStatus_t curandGenerator_st::of_counter(const char* kernel, void* out, Wide groups,
                                              const Distribution& distribution) {
    const Wide first = (next_ + Kind::kWords - 1) / Kind::kWords * Kind::kWords;
    const rand_::CounterRequest request{
        out, groups, first, {static_cast<rand_::Word>(seed_), static_cast<rand_::Word>(seed_ >> 32)}, distribution};
    next_ = first + groups * Kind::kWords;
    const Wide blocks = (first % 4 + groups * Kind::kWords + 3) / 4;
    if (!on_host_)
        return launch(std::string("rand_philox_") + kernel, blocks, stream_, request);
    for (Wide block = 0; block < blocks; ++block)
        rand_::of_block<Kind>(request, block);
    return CURAND_STATUS_SUCCESS;
}

template <class Kind>
curandStatus_t curandGenerator_st::of_streams(const char* kernel, void* out, Wide groups,
                                              const Distribution& distribution) {
    const bool is_mrg = type_ == CURAND_RNG_PSEUDO_MRG32K3A;
    const rand_::StreamRequest request{out, groups, static_cast<unsigned>(next_),
                                       on_host_ ? host_states_.data() : device_states_, distribution};
    next_ = (next_ + groups) % rand_::kStreams;
    if (!on_host_)
        return launch(std::string(is_mrg ? "rand_mrg32k3a_" : "rand_xorwow_") + kernel, rand_::kStreams, stream_,
                      request);
    for (unsigned stream = 0; stream < rand_::kStreams; ++stream)
        if (is_mrg)
            rand_::of_stream<rand_::Mrg, Kind>(request, stream);
        else
            rand_::of_stream<rand_::Xorwow, Kind>(request, stream);
    return CURAND_STATUS_SUCCESS;
}

#define HEDDLE_GENERATE(Kind)                                                                                          \
    template curandStatus_t curandGenerator_st::generate<rand_::Kind>(const char*, rand_::Kind::Number*, std::size_t,  \
                                                                      const Distribution&);
HEDDLE_GENERATE(Words)
HEDDLE_GENERATE(UniformF32)
HEDDLE_GENERATE(UniformF64)
HEDDLE_GENERATE(NormalF32)
HEDDLE_GENERATE(NormalF64)
HEDDLE_GENERATE(LogNormalF32)
HEDDLE_GENERATE(LogNormalF64)
HEDDLE_GENERATE(Poisson)
