#include "sm/sub_core/config.h"

#include <fmt/format.h>

#include "sm/frame/core_config.h"
#include "sm/sub_core/read_ports.h"

namespace heddle::sm {

std::span<const config::Parameter<SubCoreConfig>> SubCoreConfig::parameters() {
    using C = SubCoreConfig;
    static const config::Parameter<C> table[] = {
        {"schedulers", &C::schedulers, "schedulers", "1..8",
         "sub-cores of the SM, each with a warp scheduler that issues at most one instruction a cycle; unit u belongs "
         "to sub-core u mod schedulers",
         "PRO Table I; division assumed"},
        {"front_end", &C::front_end, "", "shared|own",
         "shared: one front end fetches one instruction a cycle for all sub-cores; own: each sub-core has a front end "
         "with an instruction cache",
         "GPGPU-Sim has one"},
        {"register_file", &C::register_file, "", "shared|own",
         "shared: the register banks and result buses serve the whole SM; own: each sub-core has its own",
         "GPGPU-Sim has them for the SM"},
        {"buffer", &C::buffer, "instructions", "1..16",
         "size of the instruction buffer of a unit, which is filled in one fetch when it is empty", "GPGPU-Sim"},
        {"decode", &C::decode, "cycles", "1..16", "from an instruction's fetch to its earliest issue", "GPGPU-Sim"},
        {"branch", &C::branch, "cycles", "1..64", "from the issue of a control transfer until its next PC counts",
         "GPGPU-Sim"},
        {"register_banks", &C::register_banks, "banks", "1..64",
         "register banks, each with one read and one write a cycle; register r of home row w is in bank (r + w) mod "
         "register_banks",
         "PRO Table I; bank GPGPU-Sim"},
        {"collect", &C::collect, "cycles", "1..16", "from issue to the first operand read", "GPGPU-Sim"},
        {"dispatch", &C::dispatch, "cycles", "1..16", "from the last operand read to the first cycle of execution",
         "GPGPU-Sim"},
        {"collectors_ldst", &C::collectors_ldst, "units", "1..64", "operand collector units of the load/store unit",
         "GPGPU-Sim"},
        {"result_buses", &C::result_buses, "results", "1..15",
         "results that the pipes of a register file can write in a cycle", "GPGPU-Sim"},
        {"write_back", &C::write_back, "cycles", "1..16", "from the end of execution until the registers are written",
         "GPGPU-Sim"},
        {"long_latency", &C::long_latency, "", "load|miss",
         "results that count as a long wait. load: those of all loads through the data cache, from issue on; miss: "
         "those of loads that have missed",
         "GPGPU-Sim has load"},
    };
    return table;
}

std::span<const config::Parameter<SubCoreStagesConfig>> SubCoreStagesConfig::parameters() {
    using C = SubCoreStagesConfig;
    static const config::Parameter<C> table[] = {
        {"read_stages", &C::read_stages, "cycles", "0..16",
         "read stages: all operands are read within so many cycles, a bank one a cycle, and results are bypassed, so "
         "that the latencies of pipes count from issue to the issue of an instruction that needs the result; 0: an "
         "operand collector reads a register a cycle",
         "Huerta et al., MICRO 2025: 3"},
        {"barrier", &C::barrier, "cycles", "0..64",
         "from the issue of a barrier until its threads count as arrived; 0: at once", "Zhang et al., IPDPS 2020: 22"},
        {"turns", &C::turns, "", "",
         "sub-cores take turns in issuing first in a cycle, and so in their access to what they share; false: the "
         "first one always does",
         "Huerta et al., MICRO 2025: round robin"},
        {"fetch", &C::fetch, "", "empty|ahead",
         "when a unit fetches. empty: several instructions when its buffer is empty; ahead: one instruction while its "
         "buffer has room, first the unit that fetched last",
         "Huerta et al., MICRO 2025, 5.2: ahead"},
        {"wide_product", &C::wide_product, "cycles", "0..16",
         "further cycles in which a sub-core issues nothing behind an IMAD.WIDE of native code, whose result has 64 "
         "bits",
         "Huerta et al., MICRO 2025, the artefact: 1"},
        {"fence", &C::fence, "cycles", "0..4096",
         "the fewest from a fence of the GPU in the load/store unit until its warp goes on; 0: the fence waits for "
         "stores "
         "on their way alone",
         "measured on an H200: 250"},
        {"phase_test", &C::phase_test, "cycles", "0..256",
         "from the read of a barrier object by a test of its phase in native code until the predicate is there, beyond "
         "the latency of shared memory",
         "measured on an H200: 17"},
        {"phase_wait", &C::phase_wait, "cycles", "0..100000",
         "the most for which mbarrier.try_wait in native code suspends its warp while the phase is not over; 0: it "
         "does not wait",
         "FlashGPU-Sim, measured on an H200 NVL: 7755"},
    };
    return table;
}

std::vector<std::string> HazardConfig::problems(const config::Machine& machine) const {
    std::vector<std::string> out;
    const auto core = machine.get<CoreConfig>();
    if (core.dependences != "scoreboard" || (release == "bypass" && readers == 0))
        return out;
    if (machine.get<RegisterFileConfig>().banks == 0)
        out.emplace_back("[hazards] needs register_file.banks: without them registers are free when they are written, "
                         "and read before any later instruction writes");
    if (!core.make_formation(core.formation, machine)->needs().units_are_rows)
        out.push_back(fmt::format("[hazards] needs a formation whose warps keep their threads; core.formation = '{}' "
                                  "does not: the scoreboards belong to a warp",
                                  core.formation));
    return out;
}

std::span<const config::Parameter<HazardConfig>> HazardConfig::parameters() {
    using C = HazardConfig;
    static const config::Parameter<C> table[] = {
        {"release", &C::release, "", "bypass|write",
         "when a scoreboard lets an instruction of fixed latency's result through. bypass: when it can be met on a "
         "bypass, as stall counts do; write: in the cycle behind the write of the register",
         "Huerta et al., MICRO 2025, the artefact: write"},
        {"readers", &C::readers, "instructions", "0..63",
         "a second scoreboard counts up to so many instructions that still have to read a register: a further one "
         "waits, and so does one that writes it; 0: there is none, and registers are read before any later instruction "
         "writes",
         "Huerta et al., MICRO 2025, 7.5: 1, 3, 63"},
    };
    return table;
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::SubCoreConfig, "an SM with sub-cores (core.model = \"scoreboard\")")
HEDDLE_CONFIG_SECTION(heddle::sm::SubCoreStagesConfig, "stages of the sub-cores of chips after 2017")
HEDDLE_CONFIG_SECTION(heddle::sm::HazardConfig, "scoreboards in place of the control bits of chips after 2017")
