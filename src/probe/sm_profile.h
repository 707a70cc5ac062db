// The profile of one SM: the counters and the stalls of its instructions (probe/profile.h, docs/profile.md).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "base/types.h"
#include "probe/divergences.h"
#include "probe/profile.h"

namespace heddle::probe {

class SmProfile {
public:
    // `has_time`: the SM has a clock.
    explicit SmProfile(bool has_time) : has_time_(has_time) {}

    struct Instruction {
        Counters counters{};
        std::vector<Stall> stalls; // in the order of their first slots; some may have 0 slots
        std::uint32_t awaited = 0; // rows of divergences that meet at it
        [[nodiscard]] std::uint64_t& operator[](Counter counter) {
            return counters[static_cast<std::size_t>(counter)];
        }
    };

    [[nodiscard]] bool has_time() const {
        return has_time_;
    }
    // Threads of kernel number `kernel` run from now on, until end_launch().
    void begin_launch(std::size_t kernel);
    void end_launch();

    // The counters of an instruction; made when they are first used.
    [[nodiscard]] Instruction& at(Pc pc) {
        const std::size_t page = pc / kPage;
        if (page >= pages_.size() || pages_[page] == nullptr) [[unlikely]]
            make_page(page);
        return (*pages_[page])[pc % kPage];
    }
    // A group of `lanes` lanes has executed an instruction at `now`; `threads` of them had a true guard.
    Instruction& executed(Pc pc, unsigned threads, unsigned lanes, Cycle now) {
        now_ = now;
        Instruction& of = at(pc);
        of[Counter::Threads] += threads;
        of[Counter::Lanes] += lanes;
        return of;
    }
    // An issue slot has carried the instruction.
    void issued(Pc pc) {
        ++at(pc)[Counter::Executions];
    }
    // The cycle of the instruction that executed last.
    [[nodiscard]] Cycle now() const {
        return now_;
    }

    // The instruction whose next PCs keep the formation's tables busy (Slot::Tables).
    void set_tables(Pc pc) {
        tables_ = pc;
    }
    [[nodiscard]] Pc tables() const {
        return tables_;
    }

    // Threads have diverged at a branch; see Divergences. `meet` must not be kNoPc.
    void diverged(Pc branch, Pc meet, Cycle now) {
        diverging_ = &at(meet);
        divergences_.begin(branch, meet, now);
    }
    void diverged(RowId row, LaneMask lanes) {
        ++diverging_->awaited;
        divergences_.add(row, lanes);
    }
    // Threads execute the instruction at `pc`, for which at(pc).awaited is not 0, or exit (kNoPc).
    void met(Pc pc, RowId row, LaneMask lanes, Cycle now);

    // Issue slots were empty because a unit waited at an instruction; kNoPc: at none. A negative number takes slots
    // back.
    void stall(Pc waits_at, Stall stall);
    // As stall(), for a load: the cause is known when its data are there. Until then it is Slot::ScoreboardMemory.
    void stall_for_load(std::size_t flight, Pc waits_at, Pc producer, std::uint64_t slots);
    void loaded(std::size_t flight, Slot cause);

    // Adds what another SM has counted.
    void add(const SmProfile& other);
    // Calls f(pc, instruction) for instructions with a page, in the order of their PCs.
    template <class F>
    void for_each(Pc begin, Pc end, F&& f) const {
        for (Pc pc = begin; pc < end; ++pc) {
            const std::size_t page = pc / kPage;
            if (page >= pages_.size())
                return;
            if (pages_[page] == nullptr)
                pc |= kPage - 1;
            else
                f(pc, (*pages_[page])[pc % kPage]);
        }
    }
    // Empty slots of no instruction in the launches of a kernel.
    [[nodiscard]] SlotCounts elsewhere(std::size_t kernel) const {
        return kernel < elsewhere_.size() ? elsewhere_[kernel] : SlotCounts{};
    }

private:
    static constexpr Pc kPage = 64; // instructions
    using Page = std::array<Instruction, kPage>;
    struct LoadStall {
        Pc waits_at, producer;
        std::uint64_t slots;
    };

    void make_page(std::size_t page);

    const bool has_time_;
    std::vector<std::unique_ptr<Page>> pages_;
    std::vector<SlotCounts> elsewhere_; // by kernel
    std::size_t kernel_ = 0;
    Cycle now_ = 0;
    Pc tables_ = kNoPc;
    Divergences divergences_;
    Instruction* diverging_ = nullptr;                // where the divergence that was begun last meets
    std::vector<std::vector<LoadStall>> load_stalls_; // by flight
};

} // namespace heddle::probe
