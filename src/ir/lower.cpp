#include "ir/lower.h"

#include <fmt/format.h>

#include "ir/calls.h"
#include "ir/cfg.h"
#include "ir/colour.h"
#include "ir/link.h"
#include "ir/loops.h"
#include "ir/names.h"
#include "ir/postdom.h"
#include "ir/select.h"
#include "ir/verify.h"

namespace heddle::ir {

namespace {

void check_duplicates(const ModuleNames& names, Diagnostics& diagnostics) {
    for (const ptx::Function& f : names.module().functions) {
        const ptx::Function* kept = names.functions()[*names.function(f.name)];
        if (f.has_body && kept != &f && kept->name == f.name && !f.is_weak)
            diagnostics.error(
                f.where, fmt::format("function '{}' is defined twice; first in line {}", f.name, kept->where.line));
    }
}

// Local, shared and parameter memory of real devices end far below; beyond, offsets would not fit their types.
void check_sizes(const ModuleNames& names, Diagnostics& diagnostics) {
    constexpr std::uint64_t kMost = 1U << 24;
    const auto check = [&](const ptx::Variable& v) {
        const bool laid_out =
            v.space == ptx::Space::Local || v.space == ptx::Space::Shared || v.space == ptx::Space::Param;
        if (laid_out && (v.elements() > kMost || v.bytes() > kMost || v.alignment() > kMost))
            diagnostics.error(v.where,
                              fmt::format("variable '{}' is too large for .{} memory", v.name, ptx::name_of(v.space)));
    };
    for (const ptx::Variable& v : names.module().variables)
        check(v);
    for (const ptx::Function& f : names.module().functions) {
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

std::vector<std::uint32_t> describe_files(const ptx::Module& module, ModuleInfo& info) {
    std::vector<std::uint32_t> file_of;
    for (const ptx::SourceFile& file : module.files) {
        if (file.index >= 1U << 20)
            continue; // no compiler numbers files so; its lines stay unknown
        if (file.index >= file_of.size())
            file_of.resize(file.index + 1, 0);
        info.files.push_back(file.name);
        file_of[file.index] = static_cast<std::uint32_t>(info.files.size());
    }
    return file_of;
}

} // namespace

void lower(const ptx::Module& module, const VariableAddress& address_of, Program& program, Diagnostics& diagnostics) {
    const ModuleNames names(module);
    check_duplicates(names, diagnostics);
    check_sizes(names, diagnostics);
    const Context context{names, address_of, diagnostics};
    std::vector<Draft> drafts(names.functions().size());
    for (std::size_t i = 0; i < drafts.size(); ++i)
        if (names.functions()[i]->has_body)
            Selector(context, *names.functions()[i], drafts[i]).run();
    if (diagnostics.failed())
        return;
    analyse(drafts);

    ModuleInfo info;
    info.source = module.source;
    const std::vector<std::uint32_t> file_of = describe_files(module, info);
    const auto index = static_cast<std::uint32_t>(program.modules.size());
    const std::size_t first = program.kernels.size();
    program.modules.push_back(std::move(info));
    for (std::uint32_t i = 0; i < drafts.size(); ++i)
        if (names.functions()[i]->is_entry && names.functions()[i]->has_body)
            link(i, drafts, names, index, file_of, program);
    for (std::size_t k = first; k < program.kernels.size(); ++k)
        verify(program, program.kernels[k]);
}

} // namespace heddle::ir
