// A generator of cuRAND's API for the host
#pragma once

#include <curand.h>
#include <string>
#include <vector>

#include "kernels/generators.h"

struct curandGenerator_st {
public:
    curandGenerator_st(curandRngType_t type, bool on_host) : type_(type), on_host_(on_host) {}
    ~curandGenerator_st();
    curandGenerator_st(const curandGenerator_st&) = delete;
    curandGenerator_st& operator=(const curandGenerator_st&) = delete;

    void set_stream(cudaStream_t stream) {
        stream_ = stream;
    }
    void set_seed(heddle::rand::Wide seed);     // and begins anew
    void set_offset(heddle::rand::Wide offset); // in words from the begin
    curandStatus_t make_states();

    // Writes n numbers of a kind. `kernel`: the name of the kernels of that kind
    template <class Kind>
    curandStatus_t generate(const char* kernel, typename Kind::Number* out, std::size_t n,
                            const heddle::rand::Distribution& = {});

private:
    using Words = std::vector<heddle::rand::Word>;

    [[nodiscard]] bool is_counter() const {
        return type_ == CURAND_RNG_PSEUDO_PHILOX4_32_10;
    }
    template <class Kind>
    curandStatus_t of_counter(const char* kernel, void* out, heddle::rand::Wide groups,
                              const heddle::rand::Distribution&);
    template <class Kind>
    curandStatus_t of_streams(const char* kernel, void* out, heddle::rand::Wide groups,
                              const heddle::rand::Distribution&);

    curandRngType_t type_;
    bool on_host_;
    cudaStream_t stream_ = nullptr;
    heddle::rand::Wide seed_ = 0, offset_ = 0;
    heddle::rand::Wide next_ = 0; // of a counter the next word, else the stream whose turn is next
    bool has_states_ = false;
    Words host_states_;
    heddle::rand::Word* device_states_ = nullptr;
};
