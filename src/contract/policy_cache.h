// A cache of nothing but lines, for checks of replacement policies: each access hits or brings its line in at once.
#pragma once

#include <optional>
#include <vector>

#include "contract/contract.h"
#include "mem/cache/replacement.h"

namespace heddle::mem {

class PolicyCache {
public:
    PolicyCache(const std::string& policy, const ReplacementShape& shape)
        : candidates(~WayMask{0} >> (64 - shape.ways)), policy(contract::make_unguarded(replacements(), policy, shape)),
          shape_(shape), lines_(std::size_t{shape.sets} * shape.ways, kEmpty) {}

    // Accesses line number `line`; line % sets is its set. True when it hits.
    bool access(Address line, Pc pc = 0) {
        return access({.address = line << kShift, .pc = pc});
    }
    bool access(CacheAccess access) {
        const Address line = access.address >> kShift;
        const auto set = static_cast<unsigned>(line % shape_.sets);
        if (const std::optional<unsigned> way = find(set, line)) {
            policy->hit(set, *way, access);
            return true;
        }
        put_out = kEmpty;
        std::optional<unsigned> way = find(set, kEmpty);
        if (!way) {
            way = policy->victim(set, candidates, access);
            contract::expect(*way < shape_.ways, "victim() names a way that the set does not have");
            contract::expect(((candidates >> *way) & 1) != 0, "victim() names a line that has to stay");
            put_out = at(set, *way);
            policy->evict(set, *way);
        }
        policy->fill(set, *way, access);
        at(set, *way) = line;
        return false;
    }
    [[nodiscard]] bool has(Address line) {
        return find(static_cast<unsigned>(line % shape_.sets), line).has_value();
    }

    static constexpr Address kEmpty = ~Address{0};
    Address put_out = kEmpty; // by the last access that missed
    WayMask candidates;       // ways that may go
    std::unique_ptr<Replacement> policy;

private:
    static constexpr unsigned kShift = 7;

    Address& at(unsigned set, unsigned way) {
        return lines_[std::size_t{set} * shape_.ways + way];
    }
    std::optional<unsigned> find(unsigned set, Address line) {
        for (unsigned way = 0; way < shape_.ways; ++way)
            if (at(set, way) == line)
                return way;
        return std::nullopt;
    }

    ReplacementShape shape_;
    std::vector<Address> lines_;
};

} // namespace heddle::mem
