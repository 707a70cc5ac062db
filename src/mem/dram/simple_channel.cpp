#include "mem/dram/simple_channel.h"

#include <cassert>

namespace heddle::mem {

void SimpleChannel::push(const DramRequest& request, Cycle now) {
    assert(accepts());
    dram_.stats().found_queued += under_way_.size();
    const Cycle at = dram_.request(request.address, request.bytes, request.use, now, request.operations);
    under_way_.push_sorted({at, request.id, request.use, request.silent},
                           [](const UnderWay& a, const UnderWay& b) { return a.at < b.at; });
    wake = under_way_.front().at;
}

void SimpleChannel::catch_up(Cycle now) {
    while (!under_way_.empty() && under_way_.front().at <= now)
        if (const UnderWay first = under_way_.pop(); !first.silent)
            done.push({first.at, first.id, first.use});
    wake = under_way_.empty() ? kNever : under_way_.front().at;
}

} // namespace heddle::mem
