#include "mem/dram/guard.h"

#include <bit>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "exec/policy_fault.h"

namespace heddle::mem {
namespace {

class Guard final : public DramScheduler {
public:
    Guard(std::unique_ptr<DramScheduler> scheduler, std::string who)
        : scheduler_(std::move(scheduler)), who_(std::move(who)) {}

    DramSlot serve(unsigned bank, const DramQueue& queue) override {
        const DramSlot slot = scheduler_->serve(bank, queue);
        // A bank that has no hit has kNoDramSlot there, which is no request.
        if (slot == kNoDramSlot || (slot != queue.oldest(bank) && slot != queue.oldest_hit(bank))) [[unlikely]]
            refuse(bank, slot, queue);
        return slot;
    }
    bool restricts_transfers() const override {
        return scheduler_->restricts_transfers();
    }
    BankMask may_transfer(const DramQueue& queue) override {
        return scheduler_->may_transfer(queue);
    }
    unsigned pick(BankMask columns, BankMask rows, const DramQueue& queue) override {
        const unsigned bank = scheduler_->pick(columns, rows, queue);
        if (bank >= kMaxTimedBanks || (((columns | rows) >> bank) & 1) == 0) [[unlikely]]
            refuse(bank, columns | rows);
        return bank;
    }

private:
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned bank, DramSlot slot, const DramQueue& queue) const {
        const DramSlot hit = queue.oldest_hit(bank);
        exec::policy_fault(who_,
                           slot == kNoDramSlot
                               ? fmt::format("serve() answers no request for bank {}", bank)
                               : fmt::format("serve() answers the request in slot {} for bank {}", slot, bank),
                           fmt::format("the oldest request of the bank, in slot {}{}", queue.oldest(bank),
                                       hit == kNoDramSlot ? "" : fmt::format(", or its oldest hit, in slot {}", hit)));
    }
    [[noreturn, gnu::cold, gnu::noinline]] void refuse(unsigned bank, BankMask offered) const {
        std::vector<unsigned> banks;
        for (BankMask left = offered; left != 0; left &= left - 1)
            banks.push_back(static_cast<unsigned>(std::countr_zero(left)));
        exec::policy_fault(who_, fmt::format("pick() answers bank {}", bank),
                           fmt::format("a bank of columns or rows, {}", exec::number_list(banks)));
    }

    std::unique_ptr<DramScheduler> scheduler_;
    std::string who_;
};

} // namespace

std::unique_ptr<DramScheduler> guard(std::unique_ptr<DramScheduler> scheduler, std::string who,
                                     const DramConfig& /*config*/) {
    return std::make_unique<Guard>(std::move(scheduler), std::move(who));
}

} // namespace heddle::mem
