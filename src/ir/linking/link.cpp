#include "ir/linking/link.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <unordered_map>

#include "ir/analysis/calls.h"
#include "ir/linking/layout.h"

namespace heddle::ir {

namespace {

constexpr std::uint32_t kSlotBytes = 4 * kVectorLanes;

// The begins of a function's storage within the storage of a thread.
struct Bases {
    std::uint32_t narrow = 0, wide = 0, predicate = 0, local = 0, param = 0;

    void raise(const Bases& other) {
        narrow = std::max(narrow, other.narrow);
        wide = std::max(wide, other.wide);
        predicate = std::max(predicate, other.predicate);
        local = std::max(local, other.local);
        param = std::max(param, other.param);
    }
    // Behind the storage of `draft`, which begins here.
    [[nodiscard]] Bases behind(const Draft& draft) const {
        return {narrow + draft.narrow_slots, wide + draft.wide_slots, predicate + draft.predicates,
                static_cast<std::uint32_t>(align_up(local + draft.local_bytes, kFrameAlignment)),
                static_cast<std::uint32_t>(align_up(param + draft.param_bytes, kFrameAlignment))};
    }
};

class Linker {
public:
    Linker(std::uint32_t kernel, const std::vector<Draft>& drafts, const ModuleNames& names, Program& program)
        : drafts_(drafts), names_(names), program_(program), reach_(reach_from(kernel, drafts)) {}

    void run(std::uint32_t module, std::span<const LinkedUnit> units);

private:
    [[nodiscard]] const Draft& draft(std::uint32_t i) const {
        return drafts_[reach_.drafts[i]];
    }
    void lay_out_frames();
    void lay_out_shared();
    [[nodiscard]] std::uint32_t count_registers() const;
    [[nodiscard]] bool reads_reserved_shared() const;
    void describe_kernel(std::uint32_t module);
    void append(std::uint32_t i, const LinkedUnit& unit);
    void append_call(std::uint32_t i, const CallSite& site);
    void mark_reconvergence();
    [[nodiscard]] Place frame_place(std::uint32_t i, Place place) const;
    [[nodiscard]] Place pool_place(std::uint32_t i, const Constant& constant);
    [[nodiscard]] std::uint64_t value_of(std::uint32_t i, const Constant& constant) const;

    const std::vector<Draft>& drafts_;
    const ModuleNames& names_;
    Program& program_;
    const Reach reach_;
    std::vector<Bases> bases_;                                // by function reached
    Bases end_;                                               // of all of them
    std::vector<Pc> begin_;                                   // first micro-op, by function reached
    std::unordered_map<std::uint32_t, std::uint32_t> shared_; // variable -> offset; looked up only
    std::unordered_map<std::uint64_t, Place> narrow_, wide_;  // pool entries by value; looked up only
    static constexpr std::uint32_t kNoStack = 0xffff'ffffU;
    std::uint32_t stack_ = kNoStack; // its offset in local memory
    Kernel kernel_;
};

// A function's registers lie above those of all its callers; the members of a recursive cycle lie one above another.
void Linker::lay_out_frames() {
    const std::size_t n = reach_.drafts.size();
    std::vector<Bases> component(reach_.components);
    bases_.resize(n);
    for (std::uint32_t c = reach_.components; c-- > 0;) {
        Bases next = component[c];
        for (const std::uint32_t i : reach_.members(c)) {
            bases_[i] = next;
            next = next.behind(draft(i));
        }
        end_.raise(next);
        for (const std::uint32_t i : reach_.members(c))
            for (const CallSite& site : draft(i).calls)
                if (const std::uint32_t to = reach_.component[reach_.index_of[site.callee]]; to != c)
                    component[to].raise(next);
    }
    std::uint32_t stack = 0;
    for (std::uint32_t i = 0; i < n; ++i)
        stack = std::max(stack, draft(i).stack_bytes);
    if (stack != 0) {
        stack_ = static_cast<std::uint32_t>(align_up(end_.local, kFrameAlignment));
        end_.local = stack_ + kStackHeader + stack;
    }
}

void Linker::lay_out_shared() {
    std::vector<std::uint32_t> used;
    for (std::uint32_t i = 0; i < reach_.drafts.size(); ++i)
        used.insert(used.end(), draft(i).shared.begin(), draft(i).shared.end());
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    std::vector<const ptx::Variable*> variables;
    for (const std::uint32_t v : used)
        variables.push_back(names_.shared()[v]);
    const SharedLayout layout = layout_shared(variables);
    for (std::size_t v = 0; v < used.size(); ++v)
        shared_.emplace(used[v], layout.offset[v]);
    kernel_.static_shared = layout.bytes;
}

// The most 32-bit registers alive at once over the functions: at a call, those of the caller that live across it and
// those of the callee. A recursive cycle counts once.
std::uint32_t Linker::count_registers() const {
    std::vector<std::uint32_t> most(reach_.components, 0);
    for (std::uint32_t c = 0; c < reach_.components; ++c)
        for (const std::uint32_t i : reach_.members(c)) {
            most[c] = std::max(most[c], draft(i).live_registers);
            for (const CallSite& site : draft(i).calls) {
                const std::uint32_t to = reach_.component[reach_.index_of[site.callee]];
                std::uint32_t live = to == c ? 0 : most[to];
                for (const std::uint32_t r : site.live)
                    live += draft(i).registers[r].slots();
                most[c] = std::max(most[c], live);
            }
        }
    return most[reach_.component[0]];
}

bool Linker::reads_reserved_shared() const {
    const auto reads = [](const MicroOp& op) {
        const auto which = static_cast<SpecialRegister>(op.imm);
        return op.opcode == Opcode::MovSpecial && which >= SpecialRegister::ReservedSmemBegin &&
               which <= SpecialRegister::ReservedSmemOffset1;
    };
    for (std::uint32_t i = 0; i < reach_.drafts.size(); ++i)
        if (std::ranges::any_of(draft(i).ops, reads))
            return true;
    return false;
}

void Linker::describe_kernel(std::uint32_t module) {
    const ptx::Function& source = *draft(0).source;
    ParameterBlock block = layout_parameters(source.parameters);
    kernel_.name = source.name;
    kernel_.module = module;
    kernel_.address = code_address(reach_.drafts[0]);
    kernel_.parameters = std::move(block.parameters);
    kernel_.parameter_bytes = block.bytes;
    kernel_.slots = end_.wide + end_.narrow;
    kernel_.predicates = end_.predicate;
    kernel_.registers = count_registers();
    kernel_.declared_local_bytes = end_.local;
    kernel_.local_bytes = end_.local + end_.param;
    kernel_.reads_reserved_shared = reads_reserved_shared();
    kernel_.max_threads = source.max_threads;
    kernel_.least_blocks = source.least_blocks;
    kernel_.most_registers = source.most_registers;
    kernel_.required_block = source.required_block;
    kernel_.required_cluster = source.required_cluster;
    kernel_.largest_cluster = source.largest_cluster;
    kernel_.explicit_cluster = source.explicit_cluster;
    kernel_.blocks_are_clusters = source.blocks_are_clusters;
    kernel_.for_debugger = names_.units()[names_.unit_of(reach_.drafts[0])].text().for_debugger;
    kernel_.pool_begin = program_.pool.size();
}

Place Linker::frame_place(std::uint32_t i, Place place) const {
    const Draft& d = draft(i);
    switch (d.registers[place].slots()) {
    case 0:
        return kernel_.slots * kSlotBytes + (bases_[i].predicate + d.colour[place]) * 4;
    case 1: // behind the 64-bit registers of all functions
        return (end_.wide + bases_[i].narrow + d.colour[place]) * kSlotBytes;
    default:
        return (bases_[i].wide + d.colour[place]) * kSlotBytes;
    }
}

std::uint64_t Linker::value_of(std::uint32_t i, const Constant& constant) const {
    switch (constant.base) {
    case Constant::Base::Shared:
        return constant.bits + shared_.at(constant.variable);
    case Constant::Base::Local:
        return constant.bits + bases_[i].local;
    case Constant::Base::Param: // behind all .local variables
        return constant.bits + end_.local + bases_[i].param;
    case Constant::Base::Stack:
        return constant.bits + stack_;
    case Constant::Base::None:
        break;
    }
    return constant.bits;
}

Place Linker::pool_place(std::uint32_t i, const Constant& constant) {
    const std::uint64_t value = constant.wide ? value_of(i, constant) : value_of(i, constant) & 0xffff'ffffU;
    const std::size_t lane = constant.wide ? 8 : 4;
    const std::size_t begin = program_.pool.size();
    const auto [entry, fresh] =
        (constant.wide ? wide_ : narrow_).emplace(value, kPool | static_cast<Place>(begin - kernel_.pool_begin));
    if (fresh) {
        program_.pool.resize(begin + lane * kVectorLanes);
        for (unsigned l = 0; l < kVectorLanes; ++l)
            for (std::size_t byte = 0; byte < lane; ++byte)
                program_.pool[begin + l * lane + byte] = static_cast<std::byte>(value >> (8 * byte));
    }
    return entry->second;
}

void Linker::append_call(std::uint32_t i, const CallSite& site) {
    const std::uint32_t callee = reach_.index_of[site.callee];
    Call call;
    call.arguments = site.arguments;
    call.results = site.results;
    const std::uint32_t mine = end_.local + bases_[i].param;
    const std::uint32_t theirs = end_.local + bases_[callee].param;
    for (Call::Copy& copy : call.arguments) {
        copy.from += mine;
        copy.to += theirs;
    }
    for (Call::Copy& copy : call.results) {
        copy.from += theirs;
        copy.to += mine;
    }
    if (reach_.component[i] == reach_.component[callee]) {
        const Draft& d = draft(i);
        call.save_slot = end_.wide + bases_[i].narrow;
        call.save_slots = d.narrow_slots;
        for (const std::uint32_t r : site.live)
            if (d.registers[r].slots() == 2)
                call.save_wide.push_back(bases_[i].wide + d.colour[r]);
        std::sort(call.save_wide.begin(), call.save_wide.end());
        call.save_predicate = bases_[i].predicate;
        call.save_predicates = d.predicates;
        call.save_param = mine;
        call.save_param_bytes = d.param_bytes;
    }
    MicroOp& op = program_.ops[begin_[i] + site.op];
    op.target = begin_[callee];
    op.imm = static_cast<std::int64_t>(program_.calls.size());
    program_.calls.push_back(std::move(call));
}

void Linker::append(std::uint32_t i, const LinkedUnit& unit) {
    const Draft& d = draft(i);
    const Pc begin = begin_[i];
    const auto function = static_cast<std::uint32_t>(program_.functions.size());
    program_.functions.push_back({std::string(d.source->name), begin, begin + static_cast<Pc>(d.ops.size())});
    std::vector<Place> constants;
    constants.reserve(d.constants.size());
    for (const Constant& c : d.constants)
        constants.push_back(pool_place(i, c));
    const auto place = [&](Place& p) {
        if (p != kNowhere)
            p = (p & kPool) != 0 ? constants[p & ~kPool] : frame_place(i, p);
    };
    for (std::size_t o = 0; o < d.ops.size(); ++o) {
        MicroOp op = d.ops[o];
        for (Place& p : op.dst)
            place(p);
        for (Place& p : op.src)
            place(p);
        place(op.guard);
        if (op.is_matrix_product()) {
            Matrix matrix = d.matrices[static_cast<std::size_t>(op.imm)];
            for (unsigned s = 0; s < matrix.sources(); ++s)
                place(matrix.source.at(s));
            op.imm = static_cast<std::int64_t>(program_.matrices.size());
            program_.matrices.push_back(matrix);
        }
        if (op.target != kNoPc)
            op.target += begin;
        if (op.reconvergence != kNoPc)
            op.reconvergence += begin;
        program_.ops.push_back(op);
        const ptx::SourceLine& line = d.lines[o].source;
        const std::uint32_t file = unit.file(line);
        program_.origins.push_back(
            {unit.index, d.lines[o].where, file, file == 0 ? 0 : line.line, function, file == 0 ? 0 : line.call});
    }
    for (const auto& [o, call] : d.system_calls) {
        const std::uint32_t mine = end_.local + bases_[i].param;
        SystemCall placed = call;
        for (std::uint32_t& argument : placed.arguments)
            argument += mine;
        if (placed.result != SystemCall::kNoResult)
            placed.result += mine;
        program_.ops[begin + o].imm = static_cast<std::int64_t>(program_.system_calls.size());
        program_.system_calls.push_back(std::move(placed));
    }
    if (!reach_.by_name[i]) { // only pointers reach it: most likely never called, so only its execution is an error
        for (const std::uint32_t o : d.not_executable)
            program_.ops[begin + o].kind = Kind::Trap;
        for (const auto& call : d.undefined_calls)
            program_.ops[begin + call.first].kind = Kind::Trap;
        return;
    }
    std::set<std::string> texts; // the first of each is named
    for (const std::uint32_t o : d.not_executable)
        if (texts.insert(program_.instruction(begin + o)).second)
            kernel_.not_executable.push_back(begin + o);
    for (const auto& call : d.undefined_calls) {
        const auto same = [&](const auto& entry) { return entry.second == call.second; };
        if (std::none_of(kernel_.undefined_calls.begin(), kernel_.undefined_calls.end(), same))
            kernel_.undefined_calls.emplace_back(begin + call.first, call.second);
    }
}

// Marks where branches of the kernel meet again.
void Linker::mark_reconvergence() {
    for (Pc pc = kernel_.begin; pc < program_.ops.size(); ++pc)
        if (const Pc meet = program_.ops[pc].reconvergence; meet != kNoPc)
            program_.ops[meet].meets = true;
}

void Linker::run(std::uint32_t module, std::span<const LinkedUnit> units) {
    lay_out_frames();
    lay_out_shared();
    describe_kernel(module);
    kernel_.begin = kernel_.entry = kernel_.end = static_cast<Pc>(program_.ops.size());
    for (std::uint32_t i = 0; i < reach_.drafts.size(); ++i) {
        begin_.push_back(kernel_.end);
        kernel_.end += static_cast<Pc>(draft(i).ops.size());
    }
    for (std::uint32_t i = 0; i < reach_.drafts.size(); ++i) {
        append(i, units[names_.unit_of(reach_.drafts[i])]);
        for (const CallSite& site : draft(i).calls)
            append_call(i, site);
    }
    mark_reconvergence();
    program_.kernels.push_back(std::move(kernel_));
}

} // namespace

void link(std::uint32_t kernel, const std::vector<Draft>& drafts, const ModuleNames& names, std::uint32_t module,
          std::span<const LinkedUnit> units, Program& program) {
    Linker(kernel, drafts, names, program).run(module, units);
}

} // namespace heddle::ir
