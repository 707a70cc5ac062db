// A scheduler with counters and hardware of its own, and a core model over one of heddle's.
#include "config/plugin.h"
#include "sched/scheduler.h"
#include "sm/frame/core.h"
using namespace heddle;
struct Picks {
    std::uint64_t picks = 0;
    static std::span<const stats::Statistic<Picks>> statistics() {
        static const stats::Statistic<Picks> table[] = {{"picks", &Picks::picks, "picks", "units that were picked"}};
        return table;
    }
};
HEDDLE_STATISTICS(Picks, "counted", "the scheduler counted")
struct Counted final : sched::Scheduler {
    Counted(const sched::Share&, const config::Machine&) {}
    UnitId pick(const UnitSet& can_issue, const warp::View&, Cycle) override {
        ++counts.picks;
        return can_issue.first();
    }
    void add_statistics(stats::Tree& tree) override {
        tree.add_one_of("counted", counts);
    }
    std::vector<cost::HardwareCost> hardware_cost() const override {
        return {{"pick counter", 1, 40, "example", "", 0, 0, false}};
    }
    Picks counts;
};
HEDDLE_SCHEDULER(Counted, "counted", "the lowest unit", "test");

struct Around final : sm::Core {
    Around(const config::Machine& machine, unsigned sm, exec::MemoryImage& image, const ir::Program& program,
           const sm::TraceSink& trace)
        : in(sm::cores().make("barrel", machine, sm, image, program, trace)) {}
    static std::string objection(const formation::Formation& how) {
        return sm::core_objection("barrel", how);
    }
    std::string refusal(const exec::Launch& l) const override {
        return in->refusal(l);
    }
    void begin(const exec::Launch& l, Cycle now) override {
        in->begin(l, now);
    }
    bool can_accept() const override {
        return in->can_accept();
    }
    unsigned room() const override {
        return in->room();
    }
    void start_block(Dim3 c, std::uint64_t id, Cycle now) override {
        in->start_block(c, id, now);
    }
    void set_blocks_left(bool left) override {
        in->set_blocks_left(left);
    }
    void cluster_met(unsigned slot, Cycle now) override {
        in->cluster_met(slot, now);
    }
    void report_deadlock(Cycle now) override {
        in->report_deadlock(now);
    }
    Cycle run(Cycle now, Cycle until) override {
        return in->run(now, until);
    }
    Cycle wake() const override {
        return in->wake();
    }
    Cycle now() const override {
        return in->now();
    }
    void catch_up(Cycle now) override {
        in->catch_up(now);
    }
    void record(probe::Timeline& t) override {
        in->record(t);
    }
    void count_in(probe::SmProfile& p, const config::Machine& m) override {
        in->count_in(p, m);
    }
    probe::SmShape shape() const override {
        return in->shape();
    }
    std::vector<std::uint64_t> block_order() const override {
        return in->block_order();
    }
    void end_kernel(Cycle now) override {
        in->end_kernel(now);
    }
    sm::MemoryPort* port() override {
        return in->port();
    }
    unsigned resident_blocks() const override {
        return in->resident_blocks();
    }
    exec::Executor& executor() override {
        return in->executor();
    }
    sm::CoreStats& stats() override {
        return in->stats();
    }
    void add_statistics(stats::Tree& tree) override {
        in->add_statistics(tree);
    }
    std::unique_ptr<sm::Core> in;
};
HEDDLE_CORE(Around, "around", "a barrel core", "test");

HEDDLE_PLUGIN("counts", "test")
