// Texture fetches.
//
// Fetches see memory as it was when the window of several SMs began (exec/window_log.h). Stores of the launch to the
// memory of a texture are not seen: CUDA leaves the result undefined.
#pragma once

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/footprint.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/texture_objects.h"

namespace heddle::exec {

class TextureAccess {
public:
    TextureAccess(const LaunchState& state, const TextureObjects& objects, const GlobalMemory& global,
                  const FaultReporter& faults)
        : state_(state), objects_(objects), global_(global), faults_(faults) {}

    // Executes a fetch. Throws Fault.
    void fetch(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access) const;

private:
    struct Thread { // that executes a fetch
        const ir::MicroOp& op;
        Pc pc;
        const Segment& s;
        unsigned i; // lane of the segment
    };

    void fetch_segment(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access) const;
    void fetch_lane(const Thread& t, const Texture& from, Access& access) const;
    template <class T>
    [[nodiscard]] T value(const Thread& t, unsigned source) const;
    // How the thread reads the texture: the texture's own sampler, or a separate one.
    [[nodiscard]] Sampler sampler_of(const Thread& t, const Texture& from) const;
    [[nodiscard]] Footprint footprint_of(const Thread& t, const Texture& from, const Sampler& sampler) const;
    void read_offsets(const Thread& t, Coordinates& where) const;
    // The texels, or the results of their comparison.
    void read_texels(const Thread& t, const Texture& from, const Sampler& sampler, const Footprint& found,
                     Channels* out, Access& access) const;
    void write_result(const Thread& t, const Channels& result) const;

    const LaunchState& state_;
    const TextureObjects& objects_;
    const GlobalMemory& global_;
    const FaultReporter& faults_;
};

} // namespace heddle::exec
