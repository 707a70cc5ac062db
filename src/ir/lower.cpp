#include "ir/lower.h"

#include <algorithm>

#include <fmt/format.h>

#include "ir/analysis/calls.h"
#include "ir/analysis/cfg.h"
#include "ir/analysis/colour.h"
#include "ir/analysis/loops.h"
#include "ir/analysis/postdom.h"
#include "ir/analysis/verify.h"
#include "ir/isa/names.h"
#include "ir/linking/link.h"
#include "ir/selection/select.h"

namespace heddle::ir {

namespace {

// Reports definitions after the first one of the same name, in one unit or in several.
void check_duplicates(const ModuleNames& names, std::span<Diagnostics> diagnostics) {
    const auto units = names.units();
    for (std::uint32_t u = 0; u < units.size(); ++u) {
        for (const ptx::Function& f : units[u].text().functions) {
            const std::uint32_t index = *units[u].function(f.name);
            const ptx::Function* kept = names.functions()[index];
            if (!f.has_body || f.is_weak || kept == &f || kept->name != f.name)
                continue;
            const std::uint32_t other = names.unit_of(index);
            diagnostics[u].error(f.where,
                                 fmt::format("function '{}' is defined twice; first in {} {}", f.name,
                                             other == u ? "line" : units[other].text().source->name() + ", line",
                                             kept->where.line));
        }
        for (const ptx::Variable& v : units[u].text().variables)
            if (!v.is_extern && !v.is_weak && units[u].variable(v.name) != &v)
                diagnostics[u].error(v.where, fmt::format("variable '{}' is defined in another text, too", v.name));
    }
}

// The limit is far above the local, shared and parameter memory of real devices. Larger offsets do not fit their types.
void check_sizes(const ptx::Module& unit, Diagnostics& diagnostics) {
    constexpr std::uint64_t kMost = 1U << 24;
    const auto check = [&](const ptx::Variable& v) {
        const bool laid_out =
            v.space == ptx::Space::Local || v.space == ptx::Space::Shared || v.space == ptx::Space::Param;
        if (laid_out && (v.elements() > kMost || v.bytes() > kMost || v.alignment() > kMost))
            diagnostics.error(v.where,
                              fmt::format("variable '{}' is too large for .{} memory", v.name, ptx::name_of(v.space)));
    };
    for (const ptx::Variable& v : unit.variables)
        check(v);
    for (const ptx::Function& f : unit.functions) {
        for (const ptx::Variable& v : f.results)
            check(v);
        for (const ptx::Variable& v : f.parameters)
            check(v);
        for (const ptx::Local& local : f.locals)
            check(local.variable);
    }
}

// Control flow, then places, of every function.
void analyse(std::vector<Draft>& drafts) {
    const std::vector<bool> never = find_never_returning(drafts);
    for (std::size_t d = 0; d < drafts.size(); ++d) {
        if (drafts[d].ops.empty())
            continue;
        drafts[d].returns = !never[d];
        const Cfg cfg = make_cfg(drafts[d], never);
        set_reconvergence(drafts[d], cfg);
        mark_loop_branches(drafts[d], cfg);
        colour(drafts[d], cfg);
    }
}

LinkedUnit describe(const ptx::Module& unit, Program& program) {
    LinkedUnit linked{static_cast<std::uint32_t>(program.units.size()), {}};
    UnitInfo info{unit.source, {}, {}};
    for (const ptx::SourceFile& file : unit.files) {
        if (file.index >= 1U << 20)
            continue; // compilers write no such numbers; lines of the file stay unknown
        if (file.index >= linked.file_of.size())
            linked.file_of.resize(file.index + 1, 0);
        info.files.push_back(file.name);
        linked.file_of[file.index] = static_cast<std::uint32_t>(info.files.size());
    }
    for (const ptx::InlinedCall& call : unit.calls)
        info.calls.push_back({linked.file(call.place), call.place.line, call.place.call, call.function});
    program.units.push_back(std::move(info));
    return linked;
}

} // namespace

void lower(const ModuleNames& names, const VariableAddress& address_of, Program& program,
           std::span<Diagnostics> diagnostics) {
    const auto units = names.units();
    check_duplicates(names, diagnostics);
    for (std::size_t u = 0; u < units.size(); ++u)
        check_sizes(units[u].text(), diagnostics[u]);
    std::vector<Draft> drafts(names.functions().size());
    const auto select_function = [&](std::uint32_t i, bool recurses) {
        const std::uint32_t u = names.unit_of(i);
        const Context context{names, units[u], address_of, diagnostics[u], recurses};
        drafts[i] = {};
        select(context, *names.functions()[i], drafts[i]);
    };
    for (std::uint32_t i = 0; i < drafts.size(); ++i)
        if (names.functions()[i]->has_body)
            select_function(i, false);
    if (std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostics& d) { return d.failed(); }))
        return;
    const std::vector<bool> recurses = find_recursive(drafts);
    for (std::uint32_t i = 0; i < drafts.size(); ++i)
        if (recurses[i] && drafts[i].local_bytes != 0)
            select_function(i, true);
    analyse(drafts);

    const auto module = static_cast<std::uint32_t>(program.modules.size());
    const std::size_t first = program.kernels.size();
    program.modules.push_back(units.front().text().source->name());
    std::vector<LinkedUnit> linked;
    for (const UnitNames& unit : units) {
        linked.push_back(describe(unit.text(), program));
        for (const ptx::Variable& v : unit.text().variables)
            if (v.space == Space::Const && !ptx::is_opaque(v.type) && address_of(v) != 0)
                program.constant_variables.push_back({address_of(v), v.bytes()});
    }
    for (std::uint32_t i = 0; i < drafts.size(); ++i)
        if (names.functions()[i]->is_entry && names.functions()[i]->has_body)
            link(i, drafts, names, module, linked, program);
    for (std::size_t k = first; k < program.kernels.size(); ++k)
        verify(program, program.kernels[k]);
}

} // namespace heddle::ir
