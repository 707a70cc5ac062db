#include "mem/cache/prefetcher.h"

#include <random>

#include "contract/contract.h"

namespace heddle::contract {

namespace {

using namespace mem;

constexpr PrefetcherShape kShape{.line_shift = 7, .degree = 4, .distance = 2};

CacheAccess draw(std::mt19937& random) {
    return {.address = random() % 4 == 0 ? Address{random()} << 16 : Address{random() % 64} << 7,
            .pc = random() % 16 == 0 ? kNoPc : static_cast<Pc>(random() % 8),
            .requester = static_cast<std::uint16_t>(random() % 4),
            .first = random() % 2 == 0};
}

void repeats_its_requests(const std::string& policy) {
    const auto first = prefetchers().make(policy, kShape), second = prefetchers().make(policy, kShape);
    std::mt19937 random(6);
    for (unsigned n = 0; n < 20000; ++n) {
        const CacheAccess access = draw(random);
        const Prefetcher::Found found{random() % 2 == 0, random() % 4 == 0};
        PrefetchQueue a, b;
        first->access(access, found, a);
        second->access(access, found, b);
        if (random() % 3 == 0) {
            first->fill(access, a);
            second->fill(access, b);
        }
        expect(a.asked().size() == b.asked().size(), "the same calls requested different numbers of lines");
        for (std::size_t i = 0; i < a.asked().size(); ++i)
            expect(a.asked()[i].address == b.asked()[i].address, "the same calls requested different lines");
    }
}

void requests_prefetches_only(const std::string& policy) {
    const auto prefetcher = prefetchers().make(policy, kShape);
    std::mt19937 random(7);
    for (unsigned n = 0; n < 20000; ++n) {
        PrefetchQueue queue;
        const CacheAccess access = draw(random);
        prefetcher->access(access, {random() % 2 == 0, false}, queue);
        expect(prefetcher->asks() || queue.asked().empty(), "it requests lines although asks() is false");
        for (const CacheAccess& asked : queue.asked()) {
            expect(asked.kind == AccessKind::Prefetch && !asked.writes, "a request is no prefetch");
            expect(asked.pc == access.pc, "a request does not have the PC of the access");
            expect(asked.address < Address{1} << 48, "a request is beyond the end of memory");
        }
    }
}

constexpr Check kChecks[] = {
    {"the same calls request the same lines", repeats_its_requests},
    {"requests lines only where it says so, as prefetches", requests_prefetches_only},
};

} // namespace

std::span<const Check> prefetcher_checks() {
    return kChecks;
}

} // namespace heddle::contract
