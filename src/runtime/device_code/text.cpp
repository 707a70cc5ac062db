#include "runtime/device_code/text.h"

#include "base/embedded_text.h"

HEDDLE_EMBED_TEXT(heddle_heap_ptx, HEDDLE_DEVICE_CODE "/heap.ptx")
HEDDLE_EMBED_TEXT(heddle_conditions_ptx, HEDDLE_DEVICE_CODE "/conditions.ptx")
HEDDLE_EMBED_TEXT(heddle_launches_ptx, HEDDLE_LAUNCHES_PTX)

extern "C" const char heddle_heap_ptx[], heddle_conditions_ptx[], heddle_launches_ptx[];

namespace heddle::runtime {

std::string_view heap_functions() {
    return heddle_heap_ptx;
}

std::string_view condition_functions() {
    return heddle_conditions_ptx;
}

std::string_view launch_functions() {
    return heddle_launches_ptx;
}

} // namespace heddle::runtime
