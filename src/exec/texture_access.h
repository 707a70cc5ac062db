// Loads and stores through texture and surface objects.
//
// Loads see memory as it was when the window of several SMs began (exec/window_log.h), with the SM's own surface stores
// since then. Other stores of the launch to the memory of a texture are not seen: CUDA leaves the result undefined.
#pragma once

#include <array>
#include <cstdint>

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/texture.h"

namespace heddle::exec {

class TextureAccess {
public:
    TextureAccess(const LaunchState& state, GlobalMemory& global, const FaultReporter& faults)
        : state_(state), global_(global), faults_(faults) {}

    // Executes a Texture instruction: a fetch, or a load of a surface. Throws Fault.
    void load(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);
    // Executes a Surface instruction: a store. Throws Fault.
    void store(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome, Access& access);

private:
    struct SurfacePlaces { // of a row's threads
        std::array<Address, kVectorLanes> address{};
        std::uint32_t inside = 0; // threads with a place inside
    };

    void fetch_segment(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    void load_surface(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    void store_surface(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    // The object that a lane names. `last`: the object of the lane before, null at first. Throws Fault.
    [[nodiscard]] const Texture& object_of(const ir::MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                           const Texture* last) const;
    [[nodiscard]] Footprint footprint_of(const ir::MicroOp& op, const Segment& s, unsigned i,
                                         const Texture& from) const;
    // The address of an element of a surface; 0: the access has no effect. Throws Fault.
    [[nodiscard]] Address surface_address(const ir::MicroOp& op, Pc pc, const Segment& s, unsigned i,
                                          const Texture& surface) const;
    [[nodiscard]] SurfacePlaces surface_places(const ir::MicroOp& op, Pc pc, const Segment& s) const;

    const LaunchState& state_;
    GlobalMemory& global_;
    const FaultReporter& faults_;
};

} // namespace heddle::exec
