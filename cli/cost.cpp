// heddle cost: the hardware cost of the formation and the scheduler of a machine.
#include "cost.h"

#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "base/output_file.h"
#include "command.h"
#include "gpu/gpu_config.h"
#include "machine_options.h"
#include "output_files.h"
#include "sched/scheduler.h"
#include "sm/frame/core_config.h"

namespace heddle::cli {

namespace {

struct CostOptions {
    MachineOptions machine;
    std::string result;
};

void run(const CostOptions& options) {
    const std::string output = options.result.empty() ? "" : prepare_result_file(options.result);
    const report::CostResult cost = cost_of(options.machine.load());
    if (!output.empty())
        write_file(output, report::cost_json(cost));
    fmt::print("{}", report::cost_table(cost));
}

} // namespace

report::CostResult cost_of(const config::Machine& machine) {
    const auto core = machine.get<sm::CoreConfig>();
    const auto formation = core.make_formation(core.formation, machine);
    const sched::Share all{.units = formation->units.capacity(), .block_slots = static_cast<unsigned>(core.blocks)};
    const auto scheduler = sched::schedulers().make(core.scheduler, all, machine);
    return {machine.name(),
            machine.values(),
            machine.get<gpu::GpuConfig>().sms,
            {{"formation", core.formation, formation->hardware_cost()},
             {"scheduler", core.scheduler, scheduler->hardware_cost()}}};
}

void add_cost(CLI::App& app, int& status) {
    auto* command =
        app.add_subcommand("cost", "Lists the structures that a machine's formation and scheduler need in hardware");
    const auto options = std::make_shared<CostOptions>();
    options->machine.add_to(*command);
    command->add_option("-o,--output", options->result, "write the list and the configuration to this file")
        ->type_name("COST.json");
    command->callback([options, &status] {
        run(*options);
        status = 0;
    });
}

} // namespace heddle::cli
