// A sub-core: an issue unit with pipes and a register file, which are its own or shared with other sub-cores.
#pragma once

#include <array>

#include "formation/formation.h"
#include "sm/sub_core/issue_unit.h"
#include "sm/sub_core/pipes.h"
#include "stats/tree.h"

namespace heddle::sm {

// Cycles in which a unit of a pipe could not begin an instruction because of the one before (its interval), summed over
// the units; by the place of the pipe's name in the sorted names of the machine's pipes.
struct PipeStats {
    stats::Histogram busy = stats::Histogram(PipeTable::kMostWithUnits);
    static std::span<const stats::Statistic<PipeStats>> statistics();
};

struct SubCore {
    RegisterFile* registers = nullptr;
    std::array<Pipe*, PipeTable::kMost> pipes{}; // by index in the PipeTable; null: the pipe has no units
};

// The sub-cores of an SM and their pipes and register files.
class SubCores {
public:
    // `needs`: those of the formation. Its extra stages are cycles before the first operand is read.
    SubCores(const config::Machine& machine, const PipeTable& pipes, const formation::Formation::Needs& needs = {});

    // A sub-core issues an instruction for threads of a row to one of its pipes. Returns the cycle in which its
    // registers are written. An operand occupies its bank for `cycles`. kPlain, here and below: no window of reads.
    template <bool kPlain = false>
    [[gnu::always_inline]] Cycle issue(unsigned sub_core, const Decoded& op, RowId row, Cycle now,
                                       unsigned cycles = 1) {
        const SubCore& s = sub_cores_[sub_core];
        Cycle open = 0;
        unsigned pipe = op.pipe;
        if constexpr (!kPlain)
            if ((unions_ >> pipe & 1) != 0)
                pipe = member_for(sub_core, op, now);
        stats_.busy[place_[pipe]] += op.interval;
        const Cycle written = s.registers->issue<kPlain>(op, row, now, *s.pipes[pipe], open, cycles);
        set_open(sub_core, pipe, open);
        if constexpr (!kPlain) {
            if (const ReadPorts* const ports = s.registers->ports(); ports != nullptr && op.fixed) {
                held_[sub_core] = 0;
                if (ports->open() > now + 1) // a sub-core issues once a cycle
                    hold_fixed(sub_core, ports->open());
            }
            if (unions_ != 0)
                open_unions(sub_core);
        }
        return written;
    }
    // The unit of a sub-core's pipe takes an instruction, from cycle `at` on: when it is free. Returns that cycle. The
    // instruction has no place in the pipe: it stays open.
    Cycle take_unit(unsigned sub_core, const Decoded& op, Cycle at) {
        const auto [start, unit] = sub_cores_[sub_core].pipes[op.pipe]->first_free(at, op.interval);
        unit->take(start, op.interval);
        stats_.busy[place_[op.pipe]] += op.interval;
        return start;
    }
    // RegisterFile::read_by().
    [[nodiscard]] Cycle read_by(unsigned sub_core, const Decoded& op, Cycle written) const {
        return sub_cores_[sub_core].registers->read_by(op, written);
    }
    // RegisterFile::write_of().
    [[nodiscard]] Cycle write_of(unsigned sub_core, const Decoded& op, Cycle bypassed) const {
        return sub_cores_[sub_core].registers->write_of(op, bypassed);
    }
    // ReadPorts::write_load().
    Cycle write_load(unsigned sub_core, const Decoded& op, Cycle at) {
        return sub_cores_[sub_core].registers->ports()->write_load(op, at);
    }
    // A sub-core issues an instruction to the load/store unit. Returns the first cycle in which it may enter that unit.
    template <bool kPlain = false>
    Cycle collect(unsigned sub_core, const Decoded& op, RowId row, Cycle now, unsigned cycles) {
        return sub_cores_[sub_core].registers->collect<kPlain>(op, row, now, cycles);
    }
    // The load/store unit takes another instruction in cycle `at`. kNever: not before one has left the unit.
    void set_load_store_open(Cycle at) {
        for (IssueUnit::OpenTimes& times : opens_)
            times[pipes_] = at;
    }
    // Bit p: pipe p of a sub-core opens when an instruction leaves Allocate, and not before.
    [[nodiscard]] const std::uint8_t& held(unsigned sub_core) const {
        return held_[sub_core];
    }
    [[nodiscard]] const IssueUnit::OpenTimes& opens(unsigned sub_core) const {
        return opens_[sub_core];
    }
    void add_statistics(stats::Tree& tree) const;
    [[nodiscard]] const PipeStats& stats() const {
        return stats_;
    }

private:
    // Sets when a sub-core's pipe takes another instruction, for all sub-cores that share the pipe.
    void set_open(unsigned sub_core, unsigned pipe, Cycle at) {
        if ((shared_ >> pipe & 1) == 0) {
            opens_[sub_core][pipe] = at;
            return;
        }
        for (IssueUnit::OpenTimes& times : opens_)
            times[pipe] = at;
    }

    // Of the pipes that execute the instructions of a pipe without units, the one that can begin `op` first.
    [[nodiscard, gnu::noinline]] unsigned member_for(unsigned sub_core, const Decoded& op, Cycle now) const;
    // Pipes without units open with the first of those that execute their instructions.
    [[gnu::noinline]] void open_unions(unsigned sub_core);
    // No instruction of fixed latency may issue before `at`.
    [[gnu::noinline]] void hold_fixed(unsigned sub_core, Cycle at);

    unsigned pipes_;                                       // of a sub-core
    unsigned shared_ = 0;                                  // bit p: all sub-cores share pipe p of the PipeTable
    unsigned fixed_ = 0;                                   // bit p: pipe p has instructions of fixed latency
    unsigned unions_ = 0;                                  // bit p: pipe p has no units
    std::array<std::uint8_t, PipeTable::kMost> members_{}; // by pipe: PipeTable::Spec::members
    PipeStats stats_;
    std::array<std::uint8_t, PipeTable::kMost> place_{}; // by index in the PipeTable: see PipeStats
    std::vector<RegisterFile> registers_;
    std::vector<Pipe> instances_;
    std::vector<SubCore> sub_cores_;
    std::vector<IssueUnit::OpenTimes> opens_; // by sub-core
    std::vector<std::uint8_t> held_;          // by sub-core: see held()
};

} // namespace heddle::sm
