#include "mem/cache/guard.h"

#include <bit>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::mem {
namespace {

class Guard final : public Replacement {
public:
    Guard(std::unique_ptr<Replacement> policy, std::string who) : policy_(std::move(policy)), who_(std::move(who)) {}

    Order order() const override {
        return policy_->order();
    }
    bool learns() const override {
        return policy_->learns();
    }
    std::string objection() const override {
        return policy_->objection();
    }

    unsigned victim(unsigned set, WayMask candidates, const CacheAccess& access) override {
        const unsigned way = policy_->victim(set, candidates, access);
        if (way >= 64 || ((candidates >> way) & 1) == 0) [[unlikely]]
            refuse(set, way, candidates);
        return way;
    }
    void hit(unsigned set, unsigned way, const CacheAccess& access) override {
        policy_->hit(set, way, access);
    }
    void fill(unsigned set, unsigned way, const CacheAccess& access) override {
        policy_->fill(set, way, access);
    }
    void evict(unsigned set, unsigned way) override {
        policy_->evict(set, way);
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned set, unsigned way, WayMask candidates) const {
        std::vector<unsigned> ways;
        for (WayMask left = candidates; left != 0; left &= left - 1)
            ways.push_back(static_cast<unsigned>(std::countr_zero(left)));
        exec::policy_fault(who_, fmt::format("victim() answers way {} of set {}", way, set),
                           fmt::format("a way of candidates, {}", exec::number_list(ways)));
    }

    std::unique_ptr<Replacement> policy_;
    std::string who_;
};

} // namespace

std::unique_ptr<Replacement> guard(std::unique_ptr<Replacement> policy, std::string who,
                                   const ReplacementShape& /*shape*/) {
    return std::make_unique<Guard>(std::move(policy), std::move(who));
}

} // namespace heddle::mem
