#include "mem/system/channel_port.h"

namespace heddle::mem {

[[gnu::noinline]] void ChannelPort::push(std::uint32_t id, Address address, std::uint64_t bytes, DramUse use,
                                         unsigned operations, Cycle now) {
    assert(id <= kNoWaiter);
    DramChannel& channel = channels_.size() == 1 ? channel_ : *channels_[interleave_.channel_in_slice(address)];
    channel.push({.id = (slice_ << kIdBits) | id,
                  .address = interleave_.in_channel(address, slice_),
                  .bytes = static_cast<std::uint32_t>(bytes),
                  .use = use,
                  .operations = operations,
                  .silent = id == kNoWaiter},
                 clock_.tick_before(now));
}

} // namespace heddle::mem
