#include "mem/system/channel_port.h"

namespace heddle::mem {

[[gnu::noinline]] void ChannelPort::push(std::uint32_t id, Address address, std::uint64_t bytes, DramUse use,
                                         unsigned operations, Cycle now) {
    assert(id <= kNoWaiter);
    channel_.push({.id = (slice_ << kIdBits) | id,
                   .address = interleave_.in_channel(address, slice_),
                   .bytes = static_cast<std::uint32_t>(bytes),
                   .use = use,
                   .operations = operations,
                   .silent = id == kNoWaiter},
                  clock_.tick_before(now));
}

} // namespace heddle::mem
