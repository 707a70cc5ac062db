#include "mem/dram/channel.h"

#include "mem/dram/simple_channel.h"
#include "mem/dram/timed_channel.h"

namespace heddle::mem {

std::unique_ptr<DramChannel> make_dram_channel(const DramConfig& config) {
    if (config.model == "timed")
        return std::make_unique<TimedChannel>(config);
    return std::make_unique<SimpleChannel>(config);
}

} // namespace heddle::mem
