// Checks the groups of a formation that a plug-in has brought, while it runs.
#pragma once

#include <string>

#include "exec/executor.h"
#include "formation/formation.h"

namespace heddle::formation {

class Guard {
public:
    // `who` names the formation in messages; `units` are those of its table, `rows` those of the SM.
    Guard(std::string who, unsigned units, const exec::Executor& executor, unsigned rows)
        : who_(std::move(who)), executor_(executor), units_(units), rows_(rows) {}

    // The program of the following groups.
    void use(const ir::Program& program) {
        pcs_ = program.ops.size();
    }

    // Throws a fault (exec/policy_fault.h) when form() has made a group that cannot execute: of a unit, an instruction,
    // a row or threads that there are not.
    void check(const warp::Group& group) const {
        const warp::Part& part = group.part[0];
        if (group.parts == 1 && part.row < rows_ && group.unit < units_ && group.pc < pcs_ && fits(part) &&
            count_lanes(part.lanes) == group.threads) [[likely]]
            return;
        check_each(group);
    }

private:
    [[nodiscard]] bool fits(const warp::Part& part) const {
        return part.lanes != 0 && (part.lanes & ~executor_.live(part.row)) == 0;
    }
    void check_each(const warp::Group& group) const;
    [[noreturn]] void refuse(const warp::Group& group, const std::string& what, const std::string& allowed) const;

    std::string who_;
    const exec::Executor& executor_;
    unsigned units_; // ids below
    unsigned rows_;
    std::size_t pcs_ = 0;
};

} // namespace heddle::formation
