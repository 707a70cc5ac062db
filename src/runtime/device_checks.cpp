// The checker of a device (docs/checker.md): launches and the host's memory operations as its input, and its reports.
#include <fmt/format.h>

#include "base/readable_name.h"
#include "exec/program_text.h"
#include "runtime/check_text.h"
#include "runtime/device_impl.h"
#include "runtime/launch_error.h"

namespace heddle::runtime {

using check::Finding;

void Device::Impl::note_written(Address begin, std::uint64_t bytes) {
    gpu.host_writes(begin, bytes);
    if (checker)
        checker->memory.write(begin, bytes);
}

// Memory that the program has not allocated as plain device memory counts as written: the host may write to it
// unseen, or it is initialised when a module is loaded.
void Device::Impl::begin_checks(const exec::Launch& launch) {
    if (!checker)
        return;
    const std::uint64_t threads = launch.grid.count() * launch.block.count();
    if (threads > check::Checker::kMostThreads)
        throw launch_error(*launch.kernel,
                           fmt::format("a grid of {} threads cannot be checked (--check): at most {} can", threads,
                                       check::Checker::kMostThreads));
    if (options.checks.uninitialised)
        for (const exec::Allocation& a : image.live())
            if (!fresh.contains(a.begin))
                checker->memory.write(a.begin, a.bytes);
    check::Checker::Launch out{.number = result.kernels.size(),
                               .threads = static_cast<std::uint32_t>(threads),
                               .threads_of_block = static_cast<std::uint32_t>(launch.block.count()),
                               .shared_bytes = launch.reachable_shared_bytes(),
                               .reserved_shared =
                                   launch.kernel->reads_reserved_shared ? exec::Launch::kReservedShared : 0,
                               .local_bytes = launch.kernel->local_bytes,
                               .spill_base = launch.kernel->spill_base};
    for (const ir::Function& f : program.functions)
        if (is_heap_function(f.name) || is_launch_function(f.name) || is_condition_function(f.name))
            out.own_code.emplace_back(f.begin, f.end);
    checker->begin_launch(out);
    checked = {launch.kernel->name, launch.grid, launch.block};
}

void Device::Impl::end_checks(bool stuck) {
    if (!checker)
        return;
    gpu.read_logs();
    checker->end_launch(stuck);
    report_checks();
}

report::CheckedPlace Device::Impl::describe(const check::Place& place, const std::string& action) const {
    const auto at = [](std::uint32_t n, Dim3 shape) {
        return Dim3{n % shape.x, n / shape.x % shape.y, n / shape.x / shape.y};
    };
    return {place.pc == kNoPc ? "an instruction that is not known"
                              : exec::place_text(program, place.pc) + exec::calls_text(program, place.pc),
            place.pc == kNoPc ? "" : exec::instruction_text(program, place.pc), action, at(place.block, checked.grid),
            at(place.thread, checked.block)};
}

namespace {

// "  write by block (0,0,0) thread (1,0,0) at k.ptx:34:2 (k.cu:3)", and the instruction.
std::string place_lines(const report::CheckedPlace& place) {
    const auto triple = [](Dim3 d) { return fmt::format("({},{},{})", d.x, d.y, d.z); };
    std::string out = fmt::format("\n  {} by block {} thread {} at {}", place.action, triple(place.block),
                                  triple(place.thread), place.where);
    if (!place.ptx.empty())
        out += fmt::format("\n    {}", place.ptx);
    return out;
}

bool names_memory(const Finding& f) {
    return f.kind == check::Kind::Race || f.kind == check::Kind::Uninitialised;
}

} // namespace

report::CheckResult Device::Impl::describe(const Finding& f) const {
    report::CheckResult out;
    out.check = check_of(f.kind);
    out.text = headline(f);
    out.count = f.count;
    out.bytes = f.bytes;
    if (f.kind == check::Kind::Leak) {
        out.allocation = f.what;
        return out;
    }
    const Actions did = actions(f);
    if (f.first.pc != kNoPc || (f.kind == check::Kind::BarrierStuck && f.second.pc == kNoPc))
        out.first = describe(f.first, did.first);
    out.second = describe(f.second, did.second);
    if (names_memory(f)) {
        out.memory = name_of(f.space);
        out.address = f.address;
        const exec::Allocation* const in = f.space == check::Space::Global ? image.find(f.address, 1) : nullptr;
        if (in != nullptr) {
            out.allocation = in->label;
            out.offset = f.address - in->begin;
            out.text += fmt::format("\n  at {:#x}, {} byte{} into '{}' ({} bytes at {:#x})", f.address, out.offset,
                                    out.offset == 1 ? "" : "s", in->label, in->bytes, in->begin);
        } else {
            out.text +=
                fmt::format("\n  at {} {:#x}", f.space == check::Space::Global ? "address" : "offset", f.address);
        }
    }
    if (out.first)
        out.text += place_lines(*out.first);
    out.text += place_lines(*out.second);
    out.kernel = checked.kernel;
    out.launch = f.launch;
    out.text += fmt::format("\n  kernel '{}', launch {}", readable_name(out.kernel), out.launch);
    return out;
}

void Device::Impl::report_new(check::Findings& findings) {
    for (const Finding& f : findings.take_new()) {
        result.checks->push_back(describe(f));
        options.checked(result.checks->back().text);
    }
}

void Device::Impl::report_checks() {
    if (!checker)
        return;
    report_new(checker->findings);
    const auto all = checker->findings.all();
    for (std::size_t i = 0; i < all.size(); ++i)
        (*result.checks)[i].count = all[i].count;
}

check::Findings Device::Impl::leaks() const {
    check::Findings out;
    for (const exec::Allocation& a : image.live())
        if (a.owner == exec::Owner::Program) {
            Finding leak;
            leak.kind = check::Kind::Leak;
            leak.what = a.label;
            leak.bytes = a.bytes;
            out.add(leak);
        }
    return out;
}

void Device::finish_checks() {
    Impl& x = *impl_;
    if (!x.options.checks.any() || x.checks_finished)
        return;
    x.checks_finished = true;
    if (x.options.checks.leaks && x.result.status != report::Status::Failed) { // no call frees memory after a fault
        check::Findings leaks = x.leaks();
        x.report_new(leaks);
    }
    std::uint64_t occurrences = 0;
    for (const report::CheckResult& each : *x.result.checks)
        occurrences += each.count;
    const std::size_t errors = x.result.checks->size();
    const bool failed = x.result.status == report::Status::Failed;
    x.options.checked(errors == 0
                          ? fmt::format("checked for {}: nothing found{}", x.options.checks.names(),
                                        failed ? " beside the fault that ended the launch" : "")
                          : fmt::format("checked for {}: {} error{}, {} occurrence{}", x.options.checks.names(), errors,
                                        errors == 1 ? "" : "s", occurrences, occurrences == 1 ? "" : "s"));
}

} // namespace heddle::runtime
