// A sub-core: an issue unit over pipes and a register file, which are its own or shared with others.
#pragma once

#include <array>

#include "formation/formation.h"
#include "sm/sub_core/issue_unit.h"
#include "sm/sub_core/pipes.h"

namespace heddle::sm {

struct SubCore {
    RegisterFile* registers = nullptr;
    std::array<Pipe*, PipeTable::kMost> pipes{}; // by index in the PipeTable
    std::array<bool, PipeTable::kMost> shares{}; // by the same index: the pipe serves every sub-core
};

// The sub-cores of an SM with what they are made of: each sub-core has its own of what is not shared.
class SubCores {
public:
    // `needs`: of the formation. Its extra stages are cycles before the first operand is read.
    SubCores(const config::Machine& machine, const PipeTable& pipes, const formation::Formation::Needs& needs = {});

    // A sub-core issues an instruction for threads of a row to one of its pipes: the cycle in which its registers are
    // written. An operand takes its bank for `cycles`.
    [[gnu::always_inline]] Cycle issue(unsigned sub_core, const Decoded& op, RowId row, Cycle now,
                                       unsigned cycles = 1) {
        const SubCore& s = sub_cores_[sub_core];
        Cycle open = 0;
        const Cycle written = s.registers->issue(op, row, now, *s.pipes[op.pipe], open, cycles);
        set_open(sub_core, op.pipe, open);
        return written;
    }
    // A sub-core issues an instruction to the load/store unit: the first cycle in which that unit may have it.
    Cycle collect(unsigned sub_core, const Decoded& op, RowId row, Cycle now, unsigned cycles) {
        return sub_cores_[sub_core].registers->collect(op, row, now, cycles);
    }
    // When the load/store unit takes another instruction; kNever: when one has left it.
    void set_load_store_open(Cycle at) {
        for (IssueUnit::OpenTimes& times : opens_)
            times[pipes_] = at;
    }
    [[nodiscard]] const IssueUnit::OpenTimes& opens(unsigned sub_core) const {
        return opens_[sub_core];
    }

private:
    // Of a sub-core's pipe, which others may share.
    void set_open(unsigned sub_core, unsigned pipe, Cycle at) {
        if (!sub_cores_[sub_core].shares[pipe]) {
            opens_[sub_core][pipe] = at;
            return;
        }
        for (IssueUnit::OpenTimes& times : opens_)
            times[pipe] = at;
    }

    unsigned pipes_; // of a sub-core
    std::vector<RegisterFile> registers_;
    std::vector<Pipe> instances_;
    std::vector<SubCore> sub_cores_;
    std::vector<IssueUnit::OpenTimes> opens_; // by sub-core
};

} // namespace heddle::sm
