#include "sm/sub_core/sub_core.h"

namespace heddle::sm {

SubCores::SubCores(const config::Machine& machine, const PipeTable& pipes, const formation::Formation::Needs& needs)
    : pipes_(pipes.count()), sub_cores_(machine.get<SubCoreConfig>().schedulers), opens_(sub_cores_.size()) {
    auto config = machine.get<SubCoreConfig>();
    config.collect += needs.extra_stages;
    const std::size_t files = config.register_file == "own" ? sub_cores_.size() : 1;
    registers_.reserve(files);
    for (std::size_t f = 0; f < files; ++f)
        registers_.emplace_back(config, pipes, needs.register_cycles);
    instances_.reserve(sub_cores_.size() * pipes_);
    for (unsigned p = 0; p < pipes_; ++p) {
        const PipeTable::Spec& spec = pipes.specs()[p];
        shared_ |= static_cast<unsigned>(spec.shared) << p;
        for (std::size_t s = 0; s < sub_cores_.size(); ++s) {
            if (s == 0 || !spec.shared)
                instances_.emplace_back(spec.width, spec.collectors);
            sub_cores_[s].pipes[p] = &instances_.back();
        }
    }
    for (std::size_t s = 0; s < sub_cores_.size(); ++s)
        sub_cores_[s].registers = &registers_[s % files];
}

} // namespace heddle::sm
