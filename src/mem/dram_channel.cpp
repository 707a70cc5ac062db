#include "mem/dram_channel.h"

#include "mem/simple_channel.h"
#include "mem/timed_channel.h"

namespace heddle::mem {

std::unique_ptr<DramChannel> make_dram_channel(const DramConfig& config) {
    if (config.model == "timed")
        return std::make_unique<TimedChannel>(config);
    return std::make_unique<SimpleChannel>(config);
}

} // namespace heddle::mem
