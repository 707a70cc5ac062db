#include "runtime/device_code/functions.h"

namespace heddle::runtime {

bool is_heap_function(std::string_view name) {
    return name == "malloc" || name == "free";
}

bool is_launch_function(std::string_view name) {
    return name.starts_with("__cudaCDP2") || name == "cudaGraphLaunch" || // since CUDA 12
           name.starts_with("cudaGraphKernelNode");
}

bool is_condition_function(std::string_view name) {
    return name == "cudaGraphSetConditional";
}

bool needs(std::span<const ptx::Module> units, Predicate is_function) {
    bool calls = false;
    for (const ptx::Module& unit : units)
        for (const ptx::Function& f : unit.functions) {
            if (!is_function(f.name))
                continue;
            if (f.has_body)
                return false;
            calls = true;
        }
    return calls;
}

} // namespace heddle::runtime
