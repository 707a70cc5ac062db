#include "kernel_run.h"

#include <cstring>
#include <sstream>

namespace heddle::runtime {

KernelRun run_kernel_on(const RunSetup& setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    Device device(config::Machine::load(setup.machine, setup.settings), setup.options);
    const KernelId kernel = device.kernel(device.load_module("test.ptx", module_of(body, setup.globals)), "k");
    const Address x = device.allocate(setup.buffer, "x");
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &x, 8);
    KernelRun run;
    for (unsigned i = 0; i < setup.launches; ++i)
        run.cycles = device.launch(kernel, {{blocks, 1, 1}, {threads, 1, 1}, 0}, parameters).cycles;
    run.result = nlohmann::json::parse(device.result_json());
    if (setup.options.timeline) {
        std::ostringstream file;
        run.losses = device.write_timeline(file);
        run.timeline = file.str();
    }
    if (setup.options.thread_traces) {
        std::ostringstream file;
        device.write_thread_traces(file);
        run.thread_traces = file.str();
    }
    run.words.resize(setup.buffer / 4);
    device.read(run.words.data(), x, setup.buffer);
    return run;
}

} // namespace heddle::runtime
