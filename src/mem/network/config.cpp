#include "mem/network/config.h"

namespace heddle::mem {

std::span<const config::Parameter<InterconnectConfig>> InterconnectConfig::parameters() {
    using C = InterconnectConfig;
    static const config::Parameter<C> table[] = {
        {"kind", &C::kind, "", "none|crossbar", "what lies between the SMs and the memory",
         "DWF07 Table 2, MAWS Table 3: crossbar"},
        {"queues", &C::queues, "", "virtual-output|fifo",
         "queues of an input: one for each output, or one for all, whose first packet blocks the others",
         "BookSim 2 with one virtual channel (GPGPU-Sim's GTX 480): fifo"},
        {"allocator", &C::allocator, "", "allocator", "which input sends to which output",
         "DWF07 Table 2: pim; GPGPU-Sim's GTX 480: islip"},
        {"iterations", &C::iterations, "", "1..16", "rounds of request, grant and accept (pim, islip)", "assumed"},
        {"clock_mhz", &C::clock_mhz, "MHz", "1..100000", "clock of the network", "assumed"},
        {"flit_bytes", &C::flit_bytes, "bytes", "1..1024", "what a link carries in a network cycle", "assumed"},
        {"header_bytes", &C::header_bytes, "bytes", "0..1024", "what a packet carries beside its data", "assumed"},
        {"answer_bytes", &C::answer_bytes, "bytes", "0..65535",
         "most data of one packet to an SM; a longer answer is several packets; 0: any answer is one",
         "GPGPU-Sim 4.2 with L2 sectors: 32"},
        {"speedup", &C::speedup, "", "1..8", "flits that a port of the switch moves while its link moves one",
         "assumed"},
        {"setup", &C::setup, "slots of the switch", "0..64",
         "that a packet holds its input and output before its first flit goes; a network cycle has speedup slots",
         "BookSim 2 (GPGPU-Sim): 1, the allocation of a virtual channel before that of the switch"},
        {"latency", &C::latency, "network cycles", "1..1000", "through the switch, beside links and queues", "assumed"},
        {"input_flits", &C::input_flits, "flits", "1..1048576", "buffer of an input, over all its queues", "assumed"},
        {"output_flits", &C::output_flits, "flits", "1..1048576", "buffer of an output", "assumed"},
        {"link", &C::link, "cycles", "1..100000",
         "core cycles from an SM to the network, and back; SMs run this many cycles between exchanges", "assumed"},
        {"seed", &C::seed, "", "0..", "of the lots that an allocator draws (pim)", "assumed"},
    };
    return table;
}

CrossbarShape InterconnectConfig::shape(unsigned inputs, unsigned outputs) const {
    return {.inputs = inputs,
            .outputs = outputs,
            .input_flits = static_cast<unsigned>(input_flits),
            .output_flits = static_cast<unsigned>(output_flits),
            .speedup = static_cast<unsigned>(speedup),
            .latency = static_cast<unsigned>(latency),
            .allocator = allocator,
            .iterations = static_cast<unsigned>(iterations),
            .seed = seed,
            .fifo = queues == "fifo",
            .setup = static_cast<unsigned>(setup)};
}

} // namespace heddle::mem

HEDDLE_CONFIG_SECTION(heddle::mem::InterconnectConfig, "network between the SMs and the memory")
