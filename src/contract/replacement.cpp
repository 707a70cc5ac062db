#include "mem/cache/replacement.h"

#include <random>

#include "contract/contract.h"
#include "contract/policy_cache.h"
#include "mem/cache/cache.h"

namespace heddle::contract {

namespace {

using namespace mem;

constexpr ReplacementShape kShape{16, 8, 3};

CacheAccess draw(std::mt19937& random) {
    const auto kind = static_cast<AccessKind>(random() % 6);
    return {.address = Address{random() % 512} << 7,
            .pc = kind == AccessKind::WriteBack ? kNoPc : static_cast<Pc>(random() % 40),
            .requester = static_cast<std::uint16_t>(random() % 48),
            .kind = kind,
            .writes = kind == AccessKind::Store || kind == AccessKind::WriteBack};
}

// The others leave the choice to the cache.
bool chooses(const std::string& policy) {
    return replacements().make(policy, kShape)->order() == Replacement::Order::Own;
}

// PolicyCache expects each victim to be a candidate.
void names_a_candidate(const std::string& policy) {
    if (!chooses(policy))
        return;
    PolicyCache cache(policy, kShape);
    std::mt19937 random(1);
    for (unsigned n = 0; n < 20000; ++n) {
        do {
            cache.candidates = random() & 0xff;
        } while (cache.candidates == 0);
        cache.access(draw(random));
    }
}

void names_the_only_candidate(const std::string& name) {
    if (!chooses(name))
        return;
    const auto policy = make_unguarded(replacements(), name, kShape);
    for (unsigned set = 0; set < 16; ++set)
        for (unsigned way = 0; way < 8; ++way)
            expect(policy->victim(set, WayMask{1} << way, {}) == way, "victim() does not name the only candidate");
}

void repeats_its_victims(const std::string& policy) {
    if (!chooses(policy))
        return;
    PolicyCache first(policy, kShape), second(policy, kShape);
    std::mt19937 random(2);
    for (unsigned n = 0; n < 20000; ++n) {
        const CacheAccess access = draw(random);
        expect(first.access(access) == second.access(access) && first.put_out == second.put_out,
               "the same calls gave different victims");
    }
}

void serves_one_way_and_one_set(const std::string& policy) {
    if (!chooses(policy))
        return;
    PolicyCache cache(policy, {1, 1});
    for (Address line = 0; line < 100; ++line) {
        expect(!cache.access(line), "a cache of one line has a line that was never accessed");
        expect(cache.access(line), "a cache of one line does not keep the last line");
    }
}

// In a cache, whatever the policy says: what is on its way or locked stays, and what was brought in last is there.
void lets_a_cache_keep_what_is_on_its_way(const std::string& policy) {
    CacheConfig config;
    config.size = 2048;
    config.ways = 4;
    config.line = 64;
    config.replacement = policy;
    Cache cache(config);
    std::mt19937 random(3);
    std::vector<MissId> open;
    for (unsigned n = 0; n < 20000; ++n) {
        CacheAccess access = draw(random);
        access.address >>= 1;
        const Cache::Answer answer = cache.look_up(access, n);
        if (answer.result == Cache::Result::Miss) {
            for (const MissId miss : open)
                expect(cache.line_of(miss) != answer.victim.address, "a line on its way was put out");
            open.push_back(answer.miss);
        }
        if (!open.empty() && random() % 3 == 0) {
            const std::size_t which = random() % open.size();
            const Address came = cache.line_of(open[which]);
            cache.fill(open[which], [](std::uint32_t) {});
            expect(cache.is_there(came), "a line that has come is not there");
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
    expect(cache.stats().hits > 0 && cache.stats().misses > 0, "a cache with the policy never hits, or never misses");
}

constexpr Check kChecks[] = {
    {"a cache keeps what is on its way", lets_a_cache_keep_what_is_on_its_way},
    {"victim() names a candidate", names_a_candidate},
    {"victim() names the only candidate", names_the_only_candidate},
    {"the same calls give the same victims", repeats_its_victims},
    {"serves one way and one set", serves_one_way_and_one_set},
};

} // namespace

std::span<const Check> replacement_checks() {
    return kChecks;
}

} // namespace heddle::contract
