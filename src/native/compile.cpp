#include "native/compile.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "base/source.h"
#include "native/control/bits.h"
#include "native/flow/clean.h"
#include "native/flow/coalesce.h"
#include "native/flow/link.h"
#include "native/flow/reconvergence.h"
#include "native/flow/stack_pointer.h"
#include "native/input/called_functions.h"
#include "native/input/predicate_branches.h"
#include "native/input/recover.h"
#include "native/registers/allocate.h"
#include "native/registers/behind_calls.h"
#include "native/registers/granted.h"
#include "native/registers/more_warps.h"
#include "native/schedule/list.h"
#include "native/schedule/pipes.h"
#include "native/selection/selector.h"
#include "native/ssa/form.h"
#include "native/text.h"
#include "native/uniform/atomics.h"
#include "native/uniform/select.h"
#include "native/unroll/unroll.h"

namespace heddle::native {

namespace {

// The most registers of a thread with which each sub-core holds its part of so many warps.
unsigned registers_for(unsigned warps, const Target& target) {
    const unsigned of_sub_core = (warps + kSubCores - 1) / kSubCores;
    return target.registers / kLanes / kSubCores / of_sub_core / kRegisterUnit * kRegisterUnit;
}

// As ptxas: .maxnreg is 24 at least, and .minnctapersm counts where an SM can hold so many blocks of .maxntid threads.
unsigned register_limit(const ir::Kernel& kernel, const Target& target, const Settings& settings) {
    constexpr unsigned kLeastNamed = 24, kLeast = 16;
    unsigned limit = settings.registers == 0 ? kMostRegisters : std::min(settings.registers, kMostRegisters);
    if (kernel.most_registers != 0)
        limit = std::min(limit, std::max(kLeastNamed, kernel.most_registers));
    if (kernel.max_threads != 0) {
        const unsigned of_block = (kernel.max_threads + kLanes - 1) / kLanes;
        const std::uint64_t all = std::uint64_t{of_block} * kernel.least_blocks;
        const bool counts = kernel.least_blocks != 0 && all * kLanes <= target.threads;
        limit =
            std::min(limit, std::max(kLeast, registers_for(counts ? static_cast<unsigned>(all) : of_block, target)));
    }
    return limit;
}

SsaForm optimise(const ir::Program& program, Recovered input, bool unrolls) {
    if (unrolls)
        unroll_constant(program, input);
    std::vector<bool> forgets = predicate_branches(input.draft);
    if (unrolls)
        unroll_by_four(program, input, forgets);
    SsaForm form = build_ssa(std::move(input.draft), forgets);
    form.pcs = std::move(input.pcs);
    simplify(form);
    remove_dead_code(form);
    merge_loads(form);
    return form;
}

// What the code of a kernel, or of a function that it calls, may have.
struct Limits {
    unsigned registers = kMostRegisters;
    unsigned at_launch = kMostRegisters; // before a USETMAXREG gives more
    unsigned barriers = kMostBarriers;
    // Whether threads of a warp go through the code together where no branch parts them: not in functions, which they
    // may call alone, nor behind calls. Else nothing is taken to be the same for all of them.
    bool together = true;
    unsigned behind_calls = kMostBehindCalls; // registers with what is needed there
};

Function select(const SsaForm& form, const ir::Kernel& kernel, const Target& target, const Limits& limits,
                bool uniform) {
    Function function;
    function.name = kernel.name;
    function.local_bytes = function.spill_base = form.draft.local_bytes;
    function.static_shared = kernel.static_shared;
    Selector(form, target, function).run();
    remove_unread(function);
    if (limits.together)
        mark_uniform_branches(function);
    if (form.rows_stay_whole && limits.together) {
        combine_atomics(function, target, uniform);
        remove_unread(function);
    }
    if (uniform)
        select_uniform(function);
    coalesce(function);
    store_at_calls(function, limits.behind_calls);
    return function;
}

// Gives the code an order and registers. `spare`: registers that the order leaves to the allocation. Returns the
// registers that cost no warps of an SM beside the order that the code had.
unsigned order(Function& function, const Target& target, const Limits& given, unsigned spare) {
    const unsigned most = std::min(given.registers, kMostRegisters) - kUnnamedRegisters - 5; // R1, and some for copies
    const unsigned free = schedule(function, target, most, spare);
    place_barriers(function, given.barriers);
    Function dense = function;
    RegisterLimits limits{given.registers, kMostPredicates, kMostUniform, free - kUnnamedRegisters, given.at_launch};
    allocate(function, limits);
    if (function.registers > free) {
        limits.spare = 0;
        allocate(dense, limits);
        function = std::move(dense);
    }
    return free;
}

// Code with registers, without control bits. Groups of registers may need more than are alive, and a load of a group
// begins several lives at once: where the first order costs warps, a second one leaves as many as have been seen to
// help. Less than that is not tried.
Function in_registers(const Function& selected, const Target& target, const Limits& limits) {
    constexpr unsigned kSpare = 12;
    Function first = selected;
    const unsigned free = order(first, target, limits, 0);
    if (first.registers <= free)
        return first;
    Function second = selected;
    order(second, target, limits, kSpare);
    return second.registers < first.registers ? second : first;
}

// Values in local memory take an eighth of what more warps add at most (assumed).
bool is_worth(const Function& second, const Function& first, double gain) {
    constexpr double kShare = 8;
    return second.spilled <= first.spilled || static_cast<double>(second.instructions()) <=
                                                  static_cast<double>(first.instructions()) * (1 + gain / kShare);
}

// Where the code takes a few registers more than an SM has for more warps, the code with fewer of them.
Function generate(const SsaForm& form, const ir::Kernel& kernel, const Target& target, const Limits& limits,
                  bool uniform) {
    const Function selected = select(form, kernel, target, limits, uniform);
    Function first = in_registers(selected, target, limits);
    const MoreWarps more =
        limits.together ? more_warps(first.registers, kernel, target) : MoreWarps{}; // of a kernel alone
    if (more.registers == 0 || more.registers >= limits.registers)
        return first;
    Limits fewer = limits;
    fewer.registers = more.registers;
    try {
        Function second = in_registers(selected, target, fewer);
        return is_worth(second, first, more.gain) ? second : first;
    } catch (const std::length_error&) { // there is no such code
        return first;
    }
}

Function generate(const SsaForm& form, const ir::Kernel& kernel, const Target& target, const Limits& limits) {
    try {
        return generate(form, kernel, target, limits, target.uniform_path && limits.together);
    } catch (const UniformOverflow&) {
        return generate(form, kernel, target, limits, false);
    }
}

// Warps that are given more registers while they run use them behind the USETMAXREG.
Function generate_with_granted(const SsaForm& form, const ir::Kernel& kernel, const Target& target, Limits limits) {
    limits.at_launch = limits.registers;
    limits.registers = std::max(limits.registers, most_granted(form));
    return generate(form, kernel, target, limits);
}

// A kernel with calls, or a function that it calls, in registers behind those that its callers keep. kept: as of
// keep_behind_calls().
Function generate_calling(const SsaForm& form, const ir::Kernel& kernel, const Target& target, unsigned registers,
                          std::uint32_t which, std::vector<Kept>& kept) {
    constexpr unsigned kLeast = 16;
    const Kept own = kept[which];
    if (own.vector + kLeast > registers)
        throw std::length_error("the functions that call each other leave no registers");
    Limits limits{.registers = registers - own.vector, .barriers = kMostBarriers - own.barriers, .together = false};
    // Values that are needed behind calls may get high registers: called functions have half of all at least.
    const std::uint32_t most_kept = std::max<std::uint32_t>(own.vector, registers - std::max(kLeast, registers / 2));
    for (;;) {
        Function function =
            which == 0 ? generate_with_granted(form, kernel, target, limits) : generate(form, kernel, target, limits);
        move_behind(function, own);
        std::vector<Kept> then = kept;
        keep_behind_calls(function, which, then);
        if (limits.behind_calls == 0 ||
            std::all_of(then.begin(), then.end(), [&](const Kept& k) { return k.vector <= most_kept; })) {
            kept = std::move(then);
            return function;
        }
        limits.behind_calls = 0;
    }
}

Function generate_all(const ir::Program& program, const ir::Kernel& kernel, const Target& target,
                      const Settings& settings) {
    const std::vector<std::uint32_t> called = called_functions(program, kernel, settings.in_place);
    const unsigned registers = register_limit(kernel, target, settings);
    std::vector<Function> functions;
    std::vector<Kept> kept(called.size() + 1);
    for (std::uint32_t n = 0; n <= called.size(); ++n) {
        SsaForm form = optimise(program, recover(program, kernel, called, n), !kernel.for_debugger);
        form.rows_stay_whole = settings.rows_stay_whole;
        form.constant_variables = program.constant_variables;
        if (n != 0) // spilled registers of callers and callees lie apart
            form.draft.local_bytes = functions.back().local_bytes;
        functions.push_back(called.empty() ? generate_with_granted(form, kernel, target, {.registers = registers})
                                           : generate_calling(form, kernel, target, registers, n, kept));
        if (n != 0)
            functions.back().name = program.functions[called[n - 1]].name;
    }
    return link(std::move(functions));
}

} // namespace

Function compile(const ir::Program& program, const ir::Kernel& kernel, const Target& target, const Settings& settings) {
    Function function;
    try {
        function = generate_all(program, kernel, target, settings);
    } catch (const Unsupported& e) {
        throw UserError(fmt::format("{}: the native back end has no code for '{}'", program.describe(e.pc),
                                    program.instruction(e.pc)));
    } catch (const std::length_error& e) {
        throw UserError(fmt::format("kernel '{}': {}", kernel.name, e.what()));
    }
    use_both_pipes(function);
    read_stack_pointer(function, target);
    lay_out(function);
    set_counters(function, target);
    set_stalls(function, target);
    set_reuse(function, target);
    if (const std::string fault = check_control(function, target); !fault.empty())
        throw std::logic_error(fmt::format("native code of kernel '{}': {}", kernel.name, fault));
    return function;
}

std::string listing(const ir::Program& program, const Function& function, const Target& target) {
    std::string out =
        fmt::format("// {} for {} ({}): {} instructions, {} registers, {} predicates", function.name, target.name,
                    target.chip, function.instructions(), function.registers, function.predicates);
    if (function.uniform_registers + function.uniform_predicates != 0)
        out += fmt::format(", {} uniform registers, {} uniform predicates", function.uniform_registers,
                           function.uniform_predicates);
    if (function.spilled != 0)
        out += fmt::format(", {} spilled to local memory", function.spilled);
    out += "\n//";
    const auto counts = function.count_by_pipe();
    for (std::size_t p = 0; p < counts.size(); ++p)
        if (counts.at(p) != 0)
            out += fmt::format(" {} {}", name_of(static_cast<Pipe>(p)), counts.at(p));
    out += '\n';
    std::uint32_t line = 0;
    for (const std::uint32_t b : function.order) {
        for (const CalledFunction& called : function.called)
            if (called.begin == b)
                out += fmt::format("// function {}\n", called.name);
        out += fmt::format(".L{}:\n", b);
        for (const Instruction& i : function.blocks[b].code) {
            std::string ptx;
            if (!i.origins.empty()) {
                const ir::Origin& origin = program.origins[i.origins.front()];
                if (origin.where.line != line) {
                    line = origin.where.line;
                    const std::string_view text = program.units[origin.unit].source->line(line);
                    const std::size_t first = text.find_first_not_of(" \t");
                    ptx = fmt::format("// {}: {}", line, first == std::string_view::npos ? text : text.substr(first));
                }
            }
            out += fmt::format("    {}  {:<52}{}", to_string(i.control), to_string(i), ptx);
            out.erase(out.find_last_not_of(' ') + 1);
            out += '\n';
        }
    }
    return out;
}

} // namespace heddle::native
