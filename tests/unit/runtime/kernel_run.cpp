#include "kernel_run.h"

#include <cstring>
#include <sstream>

namespace heddle::runtime {

LoadedKernel::LoadedKernel(const RunSetup& setup, const std::string& body)
    : device(config::Machine::load(setup.machine, setup.settings), setup.options),
      kernel_(device.kernel(device.load_module("test.ptx", module_of(body, setup.globals)), "k")), bytes_(setup.buffer),
      cluster_(setup.cluster), buffer_(device.allocate(setup.buffer, "x")) {}

Cycle LoadedKernel::launch(std::uint32_t threads, std::uint32_t blocks) {
    std::vector<std::byte> parameters(8);
    std::memcpy(parameters.data(), &buffer_, 8);
    const LaunchShape shape{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .cluster = cluster_};
    return device.launch(kernel_, shape, parameters).cycles;
}

std::vector<std::uint32_t> LoadedKernel::words() const {
    std::vector<std::uint32_t> out(bytes_ / 4);
    device.read(out.data(), buffer_, bytes_);
    return out;
}

KernelRun run_kernel_on(const RunSetup& setup, const std::string& body, std::uint32_t threads, std::uint32_t blocks) {
    LoadedKernel kernel(setup, body);
    KernelRun run;
    for (unsigned i = 0; i < setup.launches; ++i)
        run.cycles = kernel.launch(threads, blocks);
    run.result = nlohmann::json::parse(kernel.device.result_json());
    if (setup.options.timeline) {
        std::ostringstream file;
        run.losses = kernel.device.write_timeline(file);
        run.timeline = file.str();
    }
    if (setup.options.thread_traces) {
        std::ostringstream file;
        kernel.device.write_thread_traces(file);
        run.thread_traces = file.str();
    }
    run.words = kernel.words();
    return run;
}

} // namespace heddle::runtime
