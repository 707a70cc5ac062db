// The scoreboarded core on machines whose files declare no pipes.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// core.model = "scoreboard" with the pipes of a Fermi SM (machines/gtx480.toml), and further settings.
inline std::vector<std::string> fermi(const std::vector<std::string>& more = {}) {
    std::vector<std::string> out{
        "core.model=scoreboard",  "pipe.sp.width=2",        "pipe.sp.collectors=6",      "pipe.sp.int_add=4/1",
        "pipe.sp.int_max=13/2",   "pipe.sp.int_mul=4/2",    "pipe.sp.int_mad=5/1",       "pipe.sp.fp32_add=4/1",
        "pipe.sp.fp32_max=13/2",  "pipe.sp.fp32_mul=4/1",   "pipe.sp.fp32_mad=5/1",      "pipe.sp.logic=1/1",
        "pipe.sp.shuffle=32/4",   "pipe.sfu.width=1",       "pipe.sfu.collectors=8",     "pipe.sfu.kind=sfu",
        "pipe.sfu.int_div=145/8", "pipe.sfu.fp32_div=39/4", "pipe.sfu.fp64_add=8/8",     "pipe.sfu.fp64_max=19/16",
        "pipe.sfu.fp64_mul=8/8",  "pipe.sfu.fp64_mad=8/8",  "pipe.sfu.fp64_div=330/130", "pipe.sfu.special=8/8"};
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

} // namespace heddle
