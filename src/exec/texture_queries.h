// Instructions that ask about texture, surface and sampler objects (txq, suq, istypep), and the level of detail of
// fetches with gradients.
#pragma once

#include <cstdint>

#include "exec/launch_state.h"
#include "exec/texture_objects.h"

namespace heddle::exec {

class TextureQueries {
public:
    TextureQueries(const LaunchState& state, const TextureObjects& objects) : state_(state), objects_(objects) {}

    // txq, suq. Throws Fault.
    void query(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;
    // istypep: 1 or 0.
    void is_type(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;
    // The level of detail for gradients, f32. Throws Fault.
    void level_of_gradients(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome) const;

private:
    struct Thread {
        const ir::MicroOp& op;
        Pc pc;
        const Segment& s;
        unsigned i; // lane of the segment
    };

    // Writes f(thread), 32 bits, for each thread of a group.
    template <class F>
    void for_each_thread(const warp::Group& group, const ir::MicroOp& op, warp::Outcome& outcome, F&& f) const;
    [[nodiscard]] std::uint32_t answer(const Thread& t) const;
    [[nodiscard]] float level_of(const Thread& t) const;

    const LaunchState& state_;
    const TextureObjects& objects_;
};

} // namespace heddle::exec
