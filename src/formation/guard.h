// Checks the groups of a formation that a plug-in has brought, while it runs.
#pragma once

#include <string>

#include "exec/executor.h"
#include "formation/formation.h"

namespace heddle::formation {

class Guard {
public:
    // `who` names the formation in messages; `rows` are those of the SM.
    Guard(std::string who, const Formation& formation, const exec::Executor& executor, const ir::Program& program,
          unsigned rows)
        : who_(std::move(who)), formation_(formation), executor_(executor), program_(program), rows_(rows) {}

    // Throws a fault (exec/policy_fault.h) when form() has made a group that cannot execute: of a unit, an instruction,
    // a row or threads that there are not.
    void check(const warp::Group& group) const;

private:
    [[noreturn]] void refuse(const warp::Group& group, const std::string& what, const std::string& allowed) const;

    std::string who_;
    const Formation& formation_;
    const exec::Executor& executor_;
    const ir::Program& program_;
    unsigned rows_;
};

} // namespace heddle::formation
