// Functions of the runtime that heddle does not serve yet: each says so once and returns cudaErrorNotSupported. They
// take their arguments as whatever the caller passes and look at none.
#include <set>
#include <string>

#include "state.h"

namespace {

cudaError_t refuse(const char* name) {
    using namespace heddle::cudart;
    static auto* const told = new std::set<std::string>;
    const std::lock_guard lock(State::get().mutex);
    if (told->insert(name).second)
        complain(std::string(name) + " is not supported yet");
    return record(cudaErrorNotSupported);
}

} // namespace

// Under an internal name, so that the functions of cuda_runtime_api.h are not declared twice.
#define HEDDLE_UNSUPPORTED(name)                                                                                       \
    HEDDLE_CUDA_API cudaError_t heddle_unsupported_##name() __asm__(#name);                                            \
    cudaError_t heddle_unsupported_##name() {                                                                          \
        return refuse(#name);                                                                                          \
    }
#include "unsupported.def"
