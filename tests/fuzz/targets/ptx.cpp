// PTX: texts between null bytes are linked to a module. Kernels that load are run for a while without timing.
#include <string>
#include <vector>

#include "config/parameter.h"
#include "runtime/device.h"
#include "target.h"

using namespace heddle;

namespace {

std::vector<runtime::PtxText> texts_of(const std::string& input) {
    std::vector<runtime::PtxText> out;
    for (std::size_t begin = 0; begin <= input.size();) {
        const std::size_t end = std::min(input.find('\0', begin), input.size());
        out.push_back({"input.ptx", input.substr(begin, end - begin)});
        begin = end + 1;
    }
    return out;
}

void run(runtime::Device& device, runtime::KernelId kernel) {
    const std::vector<std::byte> parameters(device.info(kernel).parameter_bytes);
    try {
        device.launch(kernel, {{1, 1, 1}, {40, 1, 1}}, parameters);
    } catch (const runtime::Fault&) { // an illegal action of the kernel, with a report
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const config::Machine machine = config::Machine::load("lwm11", {});
    fuzz::read_or_refuse([&] {
        runtime::Options options{.functional = true, .max_instructions = 2000};
        options.output = [](std::string_view) {};
        runtime::Device device(machine, options);
        const runtime::ModuleId module = device.load_module(texts_of(fuzz::text_of(data, size)));
        if (!device.unsupported(module).empty())
            return;
        for (const std::string& name : device.kernel_names(module))
            fuzz::read_or_refuse([&] { run(device, device.kernel(module, name)); });
    });
    return 0;
}
