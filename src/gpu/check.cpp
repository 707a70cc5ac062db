// What threads do, for the checker: the logs of a device's SMs.
#include "check/checker.h"
#include "gpu/gpu.h"

namespace heddle::gpu {

void Gpu::check(check::Checker& checker) {
    checker_ = &checker;
    const auto observe = [this](exec::Executor& executor) {
        read_.push_back(logs_.emplace_back(std::make_unique<check::EventLog>()).get());
        executor.observe(*read_.back());
    };
    observe(functional_.front()->executor());
    for (exec::Executor* const executor : executors_)
        observe(*executor);
}

void Gpu::read_logs() {
    if (checker_ != nullptr)
        checker_->read(read_);
}

} // namespace heddle::gpu
