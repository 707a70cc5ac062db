// What programs have advised about managed memory, page by page. It changes nothing; cudaMemRangeGetAttribute tells it.
#pragma once

#include <iterator>
#include <map>

#include "base/types.h"
#include "cuda_runtime_api.h"

namespace heddle::cudart {

// Of a page.
struct Advice {
    bool read_mostly = false, accessed_by_device = false, accessed_by_host = false;
    cudaMemLocation preferred{}, prefetched{}; // cudaMemLocationTypeInvalid: none
};

class ManagedAdvice {
public:
    static constexpr Address kPage = 4096;

    // Calls change(advice) for all pages with a byte in [begin, end).
    template <class F>
    void change(Address begin, Address end, F&& change) {
        const auto last = split((end + kPage - 1) / kPage * kPage);
        for (auto at = split(begin / kPage * kPage); at != last; ++at)
            change(at->second);
    }
    // Calls see(advice) for each part of these pages.
    template <class F>
    void each(Address begin, Address end, F&& see) const {
        for (auto at = std::prev(from_.upper_bound(begin)); at != from_.end() && at->first < end; ++at)
            see(at->second);
    }
    void forget(Address begin, Address end) {
        change(begin, end, [](Advice& advice) { advice = {}; });
    }

private:
    // The entry that begins at this address.
    std::map<Address, Advice>::iterator split(Address at) {
        const auto next = from_.upper_bound(at);
        return from_.try_emplace(at, std::prev(next)->second).first;
    }

    std::map<Address, Advice> from_{{0, {}}}; // from this address to that of the next entry
};

} // namespace heddle::cudart
