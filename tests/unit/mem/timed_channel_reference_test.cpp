// The timed channel against the rules written down once more, as plainly as they can be: in every clock, every
// command is held against every earlier one.

#include <algorithm>
#include <random>
#include <tuple>

#include "channel_bench.h"

namespace heddle::mem {
namespace {

struct Access {
    Cycle arrival;
    std::uint64_t row;
    unsigned bank;
    std::uint64_t columns;
    bool write;
    bool started = false;
    Cycle done = 0;
};

class Reference {
public:
    Reference(const DramConfig& config, std::vector<Access>& accesses) : c_(config), accesses_(accesses) {}

    void run() {
        for (Cycle now = 0; std::ranges::any_of(accesses_, [](const Access& a) { return a.columns > 0; }); ++now)
            step(now);
    }

private:
    enum Kind { kActivate, kPrecharge, kRead, kWrite };
    struct Command {
        Cycle at;
        Kind kind;
        unsigned bank;
    };

    bool far_enough(const Command& before, Kind kind, unsigned bank, Cycle now) const {
        const bool same = before.bank == bank;
        const bool group = before.bank % c_.bank_groups == bank % c_.bank_groups;
        const std::uint64_t burst = c_.burst / c_.data_per_clock;
        const auto after = [&](std::uint64_t clocks) { return now >= before.at + clocks; };
        const bool columns = !group || after(c_.t_ccd_l);
        switch (kind) {
        case kActivate:
            return before.kind == kActivate ? after(same ? std::max(c_.t_rc, c_.t_rrd) : c_.t_rrd)
                                            : before.kind != kPrecharge || !same || after(c_.t_rp);
        case kPrecharge:
            if (before.kind == kRead && group && !after(c_.t_rtp_l))
                return false;
            return !same || after(before.kind == kActivate ? c_.t_ras
                                  : before.kind == kRead   ? c_.t_rtp
                                  : before.kind == kWrite  ? c_.t_wl + burst + c_.t_wr
                                                           : 0);
        case kRead:
            if (before.kind == kActivate)
                return !same || after(c_.t_rcd);
            return before.kind == kPrecharge ||
                   (columns && after(before.kind == kRead
                                         ? std::max(c_.t_ccd, burst)
                                         : c_.t_wl + burst + (group ? std::max(c_.t_wtr, c_.t_wtr_l) : c_.t_wtr)));
        case kWrite:
            if (before.kind == kActivate)
                return !same || after(c_.t_rcd_write != 0 ? c_.t_rcd_write : c_.t_rcd);
            return before.kind == kPrecharge ||
                   (columns && after(before.kind == kWrite ? std::max(c_.t_ccd, burst)
                                                           : std::max(c_.t_rtw, c_.t_cl + burst - c_.t_wl)));
        }
        return false;
    }
    bool legal(Kind kind, unsigned bank, Cycle now) const {
        if (kind == kActivate) {
            const auto in_window = [&](const Command& c) { return c.kind == kActivate && now < c.at + c_.t_faw; };
            if (now < refreshed_[bank] || std::ranges::count_if(history_, in_window) >= 4)
                return false;
        }
        return std::ranges::all_of(history_, [&](const Command& c) { return far_enough(c, kind, bank, now); });
    }

    // The oldest waiting access for which `wanted` is true.
    template <class Wanted>
    Access* oldest(Cycle now, Wanted wanted) {
        while (first_ < accesses_.size() && accesses_[first_].columns == 0)
            ++first_;
        for (std::size_t i = first_; i < accesses_.size() && accesses_[i].arrival < now; ++i)
            if (accesses_[i].columns > 0 && wanted(accesses_[i]))
                return &accesses_[i];
        return nullptr;
    }
    Access* served(unsigned bank, const Access* late, Cycle now) {
        const auto here = [&](const Access& a) { return a.bank == bank; };
        if (Access* begun = oldest(now, [&](const Access& a) { return here(a) && a.started; }))
            return begun;
        Access* hit = oldest(now, [&](const Access& a) { return here(a) && a.row == open_[bank]; });
        const bool in_order = c_.scheduler == "fcfs" || (late != nullptr && late->bank == bank);
        return hit != nullptr && !in_order ? hit : oldest(now, here);
    }

    // All rows are closed as soon as they may be; when each bank could be activated, the refresh begins.
    void refresh(Cycle now) {
        Cycle begin = now;
        for (unsigned bank = 0; bank < c_.banks; ++bank)
            begin = std::max(begin, closed_at(bank, now));
        std::ranges::fill(refreshed_, begin + c_.t_rfc);
    }
    // The clock from `now` on in which a bank that closes its row could be activated.
    Cycle closed_at(unsigned bank, Cycle now) {
        if (open_[bank] != kNone) {
            Cycle at = now;
            while (
                !std::ranges::all_of(history_, [&](const Command& c) { return far_enough(c, kPrecharge, bank, at); }))
                ++at;
            history_.push_back({at, kPrecharge, bank});
            open_[bank] = kNone;
        }
        const auto own = [&](const Command& c) { return c.bank != bank || far_enough(c, kActivate, bank, now); };
        while (now < refreshed_[bank] || !std::ranges::all_of(history_, own))
            ++now;
        return now;
    }
    // Of t_refi clocks each bank has a part of its own, at the end of which it is refreshed.
    void refresh_in_turn(Cycle now) {
        const Cycle part = c_.t_refi / c_.banks;
        if (now == 0 || now % part != 0)
            return;
        const auto bank = static_cast<unsigned>((now / part - 1) % c_.banks);
        refreshed_[bank] = closed_at(bank, now) + c_.t_rfc_bank;
    }

    void step(Cycle now) {
        if (c_.t_rfc_bank != 0)
            refresh_in_turn(now);
        else if (c_.t_refi != 0 && now != 0 && now % c_.t_refi == 0)
            refresh(now);
        const Access* first = oldest(now, [](const Access&) { return true; });
        if (first == nullptr)
            return;
        const bool is_late = c_.starvation != 0 && now - first->arrival > c_.starvation;
        const bool in_order = is_late || c_.scheduler == "fcfs";
        Access* best = nullptr;
        Kind best_kind = kActivate;
        for (unsigned bank = 0; bank < c_.banks; ++bank) {
            Access* a = served(bank, is_late ? first : nullptr, now);
            if (a == nullptr)
                continue;
            const Kind kind = open_[bank] == a->row  ? (a->write ? kWrite : kRead)
                              : open_[bank] == kNone ? kActivate
                                                     : kPrecharge;
            const bool column = kind == kRead || kind == kWrite;
            if (!legal(kind, bank, now) || (column && in_order && bank != first->bank))
                continue;
            const bool best_column = best_kind == kRead || best_kind == kWrite;
            if (best == nullptr || column > best_column || (column == best_column && a < best)) {
                best = a;
                best_kind = kind;
            }
        }
        if (best != nullptr)
            give(*best, best_kind, now);
    }
    void give(Access& a, Kind kind, Cycle now) {
        history_.push_back({now, kind, a.bank});
        std::erase_if(history_, [&](const Command& c) { return c.at + 300 < now; }); // longer than any rule here
        if (kind == kActivate)
            open_[a.bank] = a.row;
        else if (kind == kPrecharge)
            open_[a.bank] = kNone;
        else if (a.started = true; --a.columns == 0) {
            a.done = now + (a.write ? c_.t_wl : c_.t_cl + c_.latency) + c_.burst / c_.data_per_clock;
            if (c_.page == "closed" && oldest(now + 1, [&](const Access& b) {
                                           return b.bank == a.bank && b.row == a.row && b.arrival < now;
                                       }) == nullptr)
                close(a.bank, now);
        }
    }
    // Auto-precharge: as soon as the bank itself allows it.
    void close(unsigned bank, Cycle now) {
        const auto own = [&](const Command& c) { return c.bank != bank || far_enough(c, kPrecharge, bank, now); };
        while (!std::ranges::all_of(history_, own))
            ++now;
        history_.push_back({now, kPrecharge, bank});
        open_[bank] = kNone;
    }

    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    const DramConfig& c_;
    std::vector<Access>& accesses_; // in order of arrival
    std::size_t first_ = 0;         // those before it are served
    std::vector<Command> history_;
    std::vector<Cycle> refreshed_ = std::vector<Cycle>(64); // by bank: no activate before it
    std::vector<std::uint64_t> open_ = std::vector<std::uint64_t>(64, kNone);
};

// Scheduler, page policy, starvation bound.
class AgainstReference : public testing::TestWithParam<std::tuple<std::string, std::string, std::uint64_t>> {
protected:
    DramConfig config;
    std::mt19937 random{5};

    void SetUp() override {
        config.model = "timed";
        config.banks = 16;
        config.queue = 0;
        std::tie(config.scheduler, config.page, config.starvation) = GetParam();
    }
    std::vector<Access> accesses(unsigned every) {
        std::vector<Access> out;
        Cycle now = 0;
        for (unsigned i = 0; i < 160; ++i) {
            now += random() % every;
            out.push_back({now, random() % 4, static_cast<unsigned>(random() % config.banks), 1 + random() % 3,
                           random() % 3 == 0});
        }
        return out;
    }
    void compare(unsigned every) {
        ASSERT_TRUE(config.problems().empty());
        std::vector<Access> expected = accesses(every);
        ChannelBench bench(config);
        for (const Access& a : expected)
            bench.push(a.arrival, (a.row * config.banks + a.bank) * 4096, a.write ? DramUse::Write : DramUse::Read,
                       static_cast<std::uint32_t>(a.columns * config.burst_bytes()));
        Reference(config, expected).run();
        for (std::uint32_t i = 0; i < expected.size(); ++i)
            ASSERT_EQ(bench.done(i), expected[i].done) << "request " << i;
    }
};

TEST_P(AgainstReference, Gtx480) {
    compare(25);
    compare(9);
}

TEST_P(AgainstReference, RefreshAndWindowsOfActivates) {
    config.t_faw = 37;
    config.t_refi = 331;
    config.t_rfc = 90;
    compare(25);
    compare(9);
}

// GDDR6: writes open a row sooner than reads, groups have a turnaround of their own, banks are refreshed in turn.
TEST_P(AgainstReference, Gddr6) {
    config.t_rcd_write = 7;
    config.t_wtr_l = 11;
    compare(25);
    compare(9);
    config.t_rfc_bank = 50;
    config.t_refi = 480; // a bank every 30 clocks
    compare(25);
    compare(9);
    compare(2000); // several refreshes of a bank between two requests
}

TEST_P(AgainstReference, LongAndOddTimings) {
    config.banks = 4;
    config.bank_groups = 2;
    config.t_rc = 130;
    config.t_ras = 100; // longer than the wheel of the channel
    config.t_ccd_l = 11;
    config.t_rtp = 7;
    config.t_rtp_l = 9;
    config.t_rtw = 0;
    config.data_per_clock = 2;
    compare(60);
    compare(25);
}

INSTANTIATE_TEST_SUITE_P(, AgainstReference,
                         testing::Combine(testing::Values("fcfs", "frfcfs"), testing::Values("open", "closed"),
                                          testing::Values(0, 40, 300)),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param) + "_" +
                                    std::to_string(std::get<2>(info.param));
                         });

} // namespace
} // namespace heddle::mem
