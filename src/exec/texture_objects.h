// The texture, surface and sampler objects that threads name by their handles.
#pragma once

#include <cstdint>

#include "exec/fault_report.h"
#include "exec/launch_state.h"
#include "exec/memory_image.h"
#include "exec/texture.h"

namespace heddle::exec {

class TextureObjects {
public:
    TextureObjects(const LaunchState& state, const MemoryImage& image, const FaultReporter& faults)
        : state_(state), image_(image), faults_(faults) {}

    struct Use { // of handles in a source of a micro-op
        Pc pc;
        const Segment& s;
        ir::Place handle;
    };
    // The object of the kind that lane `i` names. `last`: the object of the lane before, null at first. Throws Fault.
    [[nodiscard]] const Texture& find(const Use& use, unsigned i, Texture::Kind kind, const Texture* last) const;
    // The object that lane `i` names, null when there is none.
    [[nodiscard]] const Texture* look_up(const Use& use, unsigned i) const;

private:
    [[noreturn]] void fault(const Use& use, unsigned i, const std::string& what) const;

    const LaunchState& state_;
    const MemoryImage& image_;
    const FaultReporter& faults_;
};

} // namespace heddle::exec
