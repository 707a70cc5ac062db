#include "validation_run.h"

#include <utility>

#include "base/source.h"
#include "child.h"
#include "program_file.h"
#include "simulated_program.h"
#include "temporary_file.h"

namespace heddle::cli {

std::optional<MachineRun> run_on_machine(const MachineOptions& machine, const LaunchOptions& launches,
                                         std::vector<std::string> words) {
    const auto runtime = runtime_folder();
    const TemporaryFile result, output;
    Processes processes;
    ChildSpec child = simulated_program(machine, launches, {}, runtime, {result.path(), "", ""}, processes, false);
    const std::string program = words.front();
    set_program(child, std::move(words), runtime);
    child.output = output.path();
    SignalForwarder signals;
    const pid_t pid = start(child);
    signals.add(pid);
    const Ending ending = wait_for(pid);
    signals.remove(pid);
    processes.wait();
    if (SignalForwarder::interrupted())
        return std::nullopt;
    FinishedRun finished = finished_run(program, ending, processes, result.path(), read_file(output.path()));
    if (!finished.failure.empty())
        throw UserError(finished.failure);
    if (!finished.summary)
        return MachineRun{{}, output.content()};
    return MachineRun{*std::move(finished.summary), output.content()};
}

} // namespace heddle::cli
