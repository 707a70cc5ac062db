// Texture and surface references of modules.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "driver.h"

struct CUtexref_st {
    std::uint64_t handle = 0; // 0: of no module
    bool changed = false;
    bool described = false; // `resource` is set
    CUDA_RESOURCE_DESC resource{};
    CUDA_TEXTURE_DESC how{};
    CUarray_format format = CU_AD_FORMAT_FLOAT;
    int channels = 1;
};

struct CUsurfref_st {
    std::uint64_t handle = 0;
    CUarray array = nullptr;
};

namespace heddle::driver {

// Lets the references whose description has changed stand for what they describe, or for nothing where that can not be.
// Before each launch.
void bind_references();

struct ReferenceState {
    std::mutex mutex;
    std::map<std::uint64_t, std::unique_ptr<CUtexref_st>> textures; // by handle
    std::map<std::uint64_t, std::unique_ptr<CUsurfref_st>> surfaces;
};
ReferenceState& reference_state();

} // namespace heddle::driver
