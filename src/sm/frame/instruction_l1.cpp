#include "sm/frame/instruction_l1.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sm/frame/code_address.h"

namespace heddle::sm {

using mem::Cache;

void InstructionL1::look_up(std::uint32_t number, Cycle now) {
    const Request& request = requests_[number];
    const mem::CacheAccess access{.address = request.line, .pc = request.pc, .kind = mem::AccessKind::Fetch};
    if (!memory_.has_room()) {
        ++cache_.stats().port_full;
        stuck_.push_back(number);
        return;
    }
    const Cache::Answer found = cache_.look_up(access, number);
    switch (found.result) {
    case Cache::Result::Hit:
        return answer(number, now);
    case Cache::Result::Miss:
        prepared_for_ = {}; // the line may have taken the way of another one
        return memory_.read(access, line_bytes_, mem::Requester::Instruction, found.miss, now);
    case Cache::Result::Merged:
        return;
    case Cache::Result::SetReserved:
    case Cache::Result::MshrFull:
    case Cache::Result::MshrMergeFull:
        stuck_.push_back(number);
        return;
    }
}

void InstructionL1::fill(std::uint32_t id, Cycle now) {
    prepared_for_ = {};
    cache_.fill(id, [&](std::uint32_t number) { answer(number, now); });
    retry(now);
}

void InstructionL1::retry(Cycle now) {
    for (const std::uint32_t number : std::exchange(stuck_, {}))
        look_up(number, now);
}

void InstructionL1::begin(Address code, std::uint64_t bytes) {
    const Code begun{code, code + std::min(bytes, launch_bytes_)};
    if (begun == prepared_for_)
        return;
    flush(kConstantBase);
    for (Address line = line_of(begun.begin); line < begun.end; line += line_bytes_)
        cache_.put_copy({.address = line});
    prepared_for_ = begun;
}

std::vector<std::string> InstructionL1Config::problems(const config::Machine& machine) const {
    std::vector<std::string> out;
    if (size == 0) {
        if (stream != 0)
            out.emplace_back("icache_l1.stream needs a cache: icache_l1.size is 0");
        if (launch_bytes != 0)
            out.emplace_back("icache_l1.launch_bytes needs a cache: icache_l1.size is 0");
        return out;
    }
    out = shape_problems(kSection);
    const auto first = machine.get<ICacheConfig>();
    if (machine.get<CoreConfig>().model != "scoreboard")
        out.emplace_back("icache_l1.size needs core.model = 'scoreboard': other cores have one instruction cache");
    if (line != first.line)
        out.push_back(fmt::format("icache_l1.line = {} is not icache.line = {}: a request is for a line of both", line,
                                  first.line));
    if (first.mshrs == 0)
        out.emplace_back("icache_l1.size needs a number of icache.mshrs: each has a place on the way to icache_l1");
    if (first.prefetch != "none" || prefetch != "none")
        out.emplace_back("icache_l1.size needs icache.prefetch = 'none' and icache_l1.prefetch = 'none': "
                         "icache_l1.stream prefetches");
    return out;
}

std::span<const config::Parameter<InstructionL1Config>> InstructionL1Config::parameters() {
    using C = InstructionL1Config;
    static const auto table = [] {
        auto out = mem::cache_parameters<C>("0|64..16777216");
        const config::Parameter<C> more[] = {
            {"request", &C::request, "cycles", "1..500", "from a miss of a sub-core to the look-up here",
             "Huerta et al., MICRO 2025: 39"},
            {"reply", &C::reply, "cycles", "1..500", "from the look-up, or the line's arrival, to the sub-core",
             "Huerta et al., MICRO 2025: 39"},
            {"stream", &C::stream, "lines", "0..64",
             "lines of the stream buffer of a sub-core: those behind the last line that it has missed; 0: none",
             "Huerta et al., MICRO 2025: 8"},
            {"launch_bytes", &C::launch_bytes, "bytes", "0..131072",
             "bytes of the begin of a kernel's code that its launch fetches here, before the first block starts",
             "PROGRAM_PREFETCH_SIZE of a launch's queue meta data (NVIDIA, open-gpu-doc): up to 511 times 256"},
            {"ideal", &C::ideal, "", "", "every instruction is in the sub-cores' caches",
             "Huerta et al., MICRO 2025: an experiment"},
            {"flush", &C::flush, "", "never|kernel",
             "when the instruction caches of the SM and of its sub-cores drop their lines. never: they only drop "
             "constants, when a kernel begins; kernel: at the end of each kernel",
             "Huerta et al., MICRO 2025, the artefact: kernel; never where INVALIDATE_INSTRUCTION_CACHE of a launch's "
             "queue meta data is not set (NVIDIA, open-gpu-doc)"},
        };
        out.insert(out.end(), std::begin(more), std::end(more));
        return out;
    }();
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::InstructionL1Config,
                      "instruction cache of the SM behind those of its sub-cores; without one they ask memory")
