// What the scoreboards of chips after 2017 do otherwise than those of the papers' machines ([hazards], [uniform]).
#pragma once

#include "config/parameter.h"
#include "sm/sub_core/config.h"
#include "sm/sub_core/pipe_config.h"

namespace heddle::sm {

struct Hazards {
    bool at_write = false;  // a result of fixed latency is let through when its register has been written
    unsigned readers = 0;   // as HazardConfig
    Cycle uniform_lead = 0; // the uniform path has its results so many cycles before other instructions

    [[nodiscard]] bool any() const {
        return at_write || readers != 0 || uniform_lead != 0;
    }
    // Between the cycle in which a result can be met on a bypass and the one behind its write lie the stages from the
    // issue to the execution.
    [[nodiscard]] static Hazards of(const config::Machine& machine) {
        const auto config = machine.get<HazardConfig>();
        const auto stages = machine.get<SubCoreConfig>();
        const auto uniform = machine.get<UniformConfig>();
        Hazards out{config.release == "write", static_cast<unsigned>(config.readers), 0};
        const Cycle first =
            uniform.latency +
            (out.at_write ? stages.collect + machine.get<SubCoreStagesConfig>().read_stages + stages.dispatch : 0);
        out.uniform_lead = uniform.vector_latency > first ? uniform.vector_latency - first : 0;
        return out;
    }
};

} // namespace heddle::sm
