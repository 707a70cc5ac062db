#include "sm/sub_core/instruction_path.h"

namespace heddle::sm {

unsigned fetch_requests(const config::Machine& machine, std::size_t fronts) {
    const auto l1 = machine.get<InstructionL1Config>();
    return l1.size == 0
               ? 0
               : FetchPath::requests(static_cast<unsigned>(fronts), machine.get<ICacheConfig>().mshrs, l1.stream);
}

unsigned path_requests(const config::Machine& machine, std::size_t fronts, std::size_t sub_cores) {
    const auto constants = machine.get<ConstantCacheConfig>();
    return fetch_requests(machine, fronts) +
           (constants.size == 0 ? 0 : static_cast<unsigned>(sub_cores * constants.mshrs));
}

std::vector<ConstantCache> make_constant_caches(const config::Machine& machine, InstructionL1* l1, std::size_t fronts,
                                                std::size_t sub_cores, unsigned units, unsigned sm) {
    std::vector<ConstantCache> out;
    const auto config = machine.get<ConstantCacheConfig>();
    if (config.size == 0 || l1 == nullptr)
        return out;
    out.reserve(sub_cores);
    for (unsigned s = 0; s < sub_cores; ++s)
        out.emplace_back(config, *l1, fetch_requests(machine, fronts) + s * static_cast<unsigned>(config.mshrs), units,
                         sm * static_cast<unsigned>(sub_cores) + s);
    return out;
}

std::unique_ptr<InstructionL1> make_instruction_l1(const config::Machine& machine, MemoryPort& memory,
                                                   LatencyWheel& wheel, unsigned first_item,
                                                   std::vector<FrontEnd>& fronts, std::size_t sub_cores, unsigned sm) {
    const auto config = machine.get<InstructionL1Config>();
    if (config.size == 0)
        return nullptr;
    const auto count = static_cast<unsigned>(fronts.size());
    auto out = std::make_unique<InstructionL1>(config, memory, wheel, first_item,
                                               path_requests(machine, count, sub_cores), sm);
    for (unsigned f = 0; f < count; ++f)
        fronts[f].go_through(std::make_unique<FetchPath>(*out, f, count,
                                                         static_cast<unsigned>(machine.get<ICacheConfig>().mshrs),
                                                         static_cast<unsigned>(config.stream), config.line));
    return out;
}

} // namespace heddle::sm
