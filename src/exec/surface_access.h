// Loads and stores through surface objects, and the addresses of their elements.
//
// Loads see memory as it was when the window of several SMs began (exec/window_log.h), with the SM's own surface stores
// since then.
#pragma once

#include <array>
#include <cstdint>

#include "exec/executor.h"
#include "exec/fault_report.h"
#include "exec/global_memory.h"
#include "exec/launch_state.h"
#include "exec/texture_objects.h"

namespace heddle::exec {

class SurfaceAccess {
public:
    SurfaceAccess(const LaunchState& state, const TextureObjects& objects, GlobalMemory& global,
                  const FaultReporter& faults)
        : state_(state), objects_(objects), global_(global), faults_(faults) {}

    // Executes a load (suld). Throws Fault.
    void load(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, Access& access);
    // Executes a store (sust). Throws Fault.
    void store(const warp::Group& group, const ir::MicroOp& op, Cycle now, warp::Outcome& outcome, Access& access);
    // Writes the address of an element of each thread's surface, or 0 where a reduction has no effect. Throws Fault.
    void addresses(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    struct Places { // of a row's threads
        std::array<Address, kVectorLanes> address{};
        std::array<const Texture*, kVectorLanes> surface{};
        std::uint32_t inside = 0; // threads with a place inside
    };
    struct Thread {
        const ir::MicroOp& op;
        Pc pc;
        const Segment& s;
        unsigned i; // lane of the segment
    };

    void load_segment(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    void store_segment(const ir::MicroOp& op, Pc pc, const Segment& s, Access& access);
    // Stores `bytes` of each thread of a mask.
    void store_lanes(const ir::MicroOp& op, const Segment& s, const Places& places, std::uint32_t lanes,
                     std::uint8_t bytes, Access& access);
    // Writes the elements of a thread's operand to memory, in the format of the surface or as they are.
    void write_elements(const ir::MicroOp& op, const Segment& s, unsigned i, const Texture& surface,
                        std::byte* to) const;
    // The address of an element of a surface; 0: the access has no effect. Throws Fault.
    [[nodiscard]] Address element_address(const Thread& t, const Texture& surface, ir::Outside outside) const;
    [[nodiscard]] Address reduced_address(const Thread& t, const Texture& surface) const;
    [[nodiscard]] Places places_of(const ir::MicroOp& op, Pc pc, const Segment& s) const;
    [[noreturn]] void fault(const Thread& t, Fault::Kind kind, const std::string& what) const;

    const LaunchState& state_;
    const TextureObjects& objects_;
    GlobalMemory& global_;
    const FaultReporter& faults_;
};

} // namespace heddle::exec
