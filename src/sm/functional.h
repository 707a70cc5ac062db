// Execution without time: for validation, for counting, and for launches that are not of interest.
#pragma once

#include "sm/residents.h"

namespace heddle::sm {

// Runs units under stack reconvergence, each as far as it can go. Its clock counts instructions.
class Functional final : public Core {
public:
    Functional(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program);

    std::string refusal(const exec::Launch& /*launch*/) const override {
        return {};
    }
    void begin(const exec::Launch& launch, Cycle /*now*/) override {
        residents_.begin(launch);
    }
    bool can_accept() const override {
        return residents_.can_accept();
    }
    void start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) override {
        residents_.start_block(ctaid, global_id, now);
    }
    void set_blocks_left(bool /*left*/) override {}
    Cycle run(Cycle now, Cycle until) override;
    unsigned resident_blocks() const override {
        return residents_.blocks.resident();
    }
    exec::Executor& executor() override {
        return residents_.executor;
    }
    CoreStats& stats() override {
        return residents_.stats;
    }
    void add_statistics(stats::Tree& tree) override {
        tree.add("core", residents_.stats);
    }
    Cycle wake() const override {
        return 0;
    }
    Cycle now() const override {
        return 0;
    }
    void settle(Cycle /*now*/) override {}
    void record(probe::Timeline& /*timeline*/) override {}
    probe::SmShape shape() const override {
        return {};
    }
    std::vector<std::uint64_t> block_order() const override {
        return {};
    }
    void end_kernel(Cycle /*now*/) override {}
    MemoryPort* port() override {
        return nullptr;
    }

private:
    Residents residents_;
    warp::Flight flight_;
    exec::Access access_;
    UnitId last_ = 0;
};

} // namespace heddle::sm
