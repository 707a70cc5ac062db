#include "sm/sub_core/instruction_path.h"

namespace heddle::sm {

unsigned fetch_requests(const config::Machine& machine, std::size_t fronts) {
    const auto l1 = machine.get<InstructionL1Config>();
    return l1.size == 0
               ? 0
               : FetchPath::requests(static_cast<unsigned>(fronts), machine.get<ICacheConfig>().mshrs, l1.stream);
}

std::unique_ptr<InstructionL1> make_instruction_l1(const config::Machine& machine, MemoryPort& memory,
                                                   LatencyWheel& wheel, unsigned first_item,
                                                   std::vector<FrontEnd>& fronts, unsigned sm) {
    const auto config = machine.get<InstructionL1Config>();
    if (config.size == 0)
        return nullptr;
    const auto count = static_cast<unsigned>(fronts.size());
    auto out = std::make_unique<InstructionL1>(config, memory, wheel, first_item, fetch_requests(machine, count), sm);
    for (unsigned f = 0; f < count; ++f)
        fronts[f].go_through(std::make_unique<FetchPath>(*out, f, count,
                                                         static_cast<unsigned>(machine.get<ICacheConfig>().mshrs),
                                                         static_cast<unsigned>(config.stream), config.line));
    return out;
}

} // namespace heddle::sm
