// Instructions that steer caches, registers and the order of launches. Results do not depend on them.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "ir/selection/families.h"
#include "ir/selection/make_op.h"
#include "ir/selection/memory_operands.h"
#include "ir/selection/sequences.h"

namespace heddle::ir {

namespace {

// Whether the instruction has exactly these modifiers; "{x}" may be left out. An error is reported if not.
bool has_words(FunctionLowering& f, std::initializer_list<std::string_view> wanted) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    std::size_t next = 0;
    for (const std::string_view word : wanted) {
        const bool optional = word.front() == '{';
        const std::string_view plain = optional ? word.substr(1, word.size() - 2) : word;
        if (next < words.size() && words[next] == plain)
            ++next;
        else if (!optional)
            break;
        if (next == words.size() && word == *(wanted.end() - 1))
            return true;
    }
    std::string form(f.cursor.instruction().opcode);
    for (const std::string_view word : wanted)
        form += word.front() == '{' ? fmt::format("{{.{}", word.substr(1)) : fmt::format(".{}", word);
    f.cursor.error(fmt::format("there is {}, not '{}'", form, f.cursor.text()));
    return false;
}

// griddepcontrol.launch_dependents;   griddepcontrol.wait;   Launches run one after the other.
void select_grid_dependency(FunctionLowering& f) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    if (words.size() != 1 || (words[0] != "launch_dependents" && words[0] != "wait"))
        return f.cursor.error(fmt::format(
            "there are griddepcontrol.launch_dependents and griddepcontrol.wait, not '{}'", f.cursor.text()));
    if (f.cursor.count(0, 0))
        emit_memory_nop(f, Opcode::GridDependency);
}

// setmaxnreg.inc.sync.aligned.u32 n;   setmaxnreg.dec likewise.
void select_register_count(FunctionLowering& f) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    const std::string_view way = words.empty() || words[0] != "dec" ? "inc" : "dec";
    if (!has_words(f, {way, "sync", "aligned", "u32"}) || !f.cursor.count(1, 1))
        return;
    const std::optional<std::int64_t> n = f.operands.integer(f.cursor.operand(0), "a number of registers");
    if (!n)
        return;
    if (*n < 24 || *n > 256 || *n % 8 != 0)
        return f.cursor.error(f.cursor.operand(0).where,
                              fmt::format("'{}': the number of registers is a multiple of 8 from 24 to 256, not {}",
                                          f.cursor.text(), *n));
    emit_memory_nop(f, Opcode::SetMaxRegisters, 0, *n);
}

// applypriority{.global}.L2::evict_normal [a], 128;   discard{.global}.L2 [a], 128;
void select_line_hint(FunctionLowering& f, Opcode opcode) {
    const std::string_view what = opcode == Opcode::Discard ? "L2" : "L2::evict_normal";
    if (!has_words(f, {"{global}", what}) || !f.cursor.count(2, 2))
        return;
    MicroOp op = make_op(opcode);
    op.space = Space::Global;
    const std::optional<std::int64_t> bytes = f.operands.integer(f.cursor.operand(1), "a number of bytes");
    if (!bytes || !read_address(f, f.cursor.operand(0), op, op.src_bytes))
        return;
    if (*bytes != 128)
        return f.cursor.error(f.cursor.operand(1).where,
                              fmt::format("'{}' is for 128 bytes, not {}", f.cursor.text(), *bytes));
    emit_memory_nop(f, opcode);
}

bool is_priority(std::string_view word, std::string_view level) {
    constexpr std::string_view kPriorities[] = {"evict_last", "evict_normal", "evict_first", "evict_unchanged"};
    return word.starts_with(level) && std::find(std::begin(kPriorities), std::end(kPriorities),
                                                word.substr(level.size())) != std::end(kPriorities);
}

// The last modifiers of createpolicy: a primary priority of L2, perhaps a secondary one, b64.
bool has_priorities(const std::vector<std::string_view>& words, std::size_t first) {
    std::size_t next = first;
    if (next < words.size() && is_priority(words[next], "L2::"))
        ++next;
    else
        return false;
    if (next < words.size() && (words[next] == "L2::evict_first" || words[next] == "L2::evict_unchanged"))
        ++next;
    return next + 1 == words.size() && words[next] == "b64";
}

// createpolicy.fractional.L2::p{.L2::s}.b64 d{, fraction};   createpolicy.range{.global}.L2::p{.L2::s}.b64 d, [a], n,
// m; createpolicy.cvt.L2.b64 d, a;   Policies are opaque; here each is 0.
void select_policy(FunctionLowering& f) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    const std::string_view kind = words.empty() ? std::string_view() : words[0];
    bool good = false;
    if (kind == "cvt") {
        good = has_words(f, {"cvt", "L2", "b64"}) && f.cursor.count(2, 2) &&
               f.operands.source(f.cursor.operand(1), Type::U64);
    } else if (kind == "fractional" && has_priorities(words, 1)) {
        good = f.cursor.count(1, 2) &&
               (f.cursor.operands().size() == 1 || f.operands.source(f.cursor.operand(1), Type::F32));
    } else if (kind == "range" && has_priorities(words, words.size() > 1 && words[1] == "global" ? 2 : 1)) {
        MicroOp op = make_op(Opcode::CreatePolicy);
        op.space = Space::Global;
        good = f.cursor.count(4, 4) && read_address(f, f.cursor.operand(1), op, op.src_bytes) &&
               f.operands.source(f.cursor.operand(2), Type::U32) && f.operands.source(f.cursor.operand(3), Type::U32);
    } else {
        f.cursor.error(
            fmt::format("there are createpolicy.fractional and createpolicy.range with a priority of L2 (and "
                        "a secondary one, evict_first or evict_unchanged), and createpolicy.cvt.L2, all of "
                        ".b64, not '{}'",
                        f.cursor.text()));
    }
    const std::optional<Place> d =
        good ? f.operands.destination(f.cursor.operand(0), Type::U64) : std::optional<Place>();
    if (!d)
        return;
    MicroOp op = make_op(Opcode::Mov, Type::B64);
    op.dst[0] = *d;
    op.src[0] = f.places.constant(0, true);
    op.dst_bytes = op.src_bytes = 8;
    f.emitter.emit(op);
}

} // namespace

void select_hopper_hint(FunctionLowering& f, Opcode opcode) {
    switch (opcode) {
    case Opcode::GridDependency:
        return select_grid_dependency(f);
    case Opcode::SetMaxRegisters:
        return select_register_count(f);
    case Opcode::CreatePolicy:
        return select_policy(f);
    default:
        return select_line_hint(f, opcode);
    }
}

bool is_special_fence(const ptx::Instruction& instruction) {
    constexpr std::string_view kWords[] = {"proxy", "mbarrier_init", "sync_restrict::shared::cta",
                                           "sync_restrict::shared::cluster"};
    if (instruction.opcode == "membar") // the old name of fence.proxy.alias
        return instruction.modifiers == std::vector<std::string_view>{"proxy", "alias"};
    return instruction.opcode == "fence" &&
           std::any_of(instruction.modifiers.begin(), instruction.modifiers.end(), [&](std::string_view word) {
               return std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
           });
}

// Fences between ways to access memory, all of which see the same bytes here, and fences for barrier objects. Only the
// order within the SM is left of them, and the time of those that ptxas makes MEMBAR.GPU of.
void select_special_fence(FunctionLowering& f) {
    const std::vector<std::string_view>& words = f.cursor.instruction().modifiers;
    const auto is = [&](std::initializer_list<std::string_view> form) {
        return std::equal(words.begin(), words.end(), form.begin(), form.end());
    };
    const bool scoped = words.size() > 1 && (words.back() == "cta" || words.back() == "cluster" ||
                                             words.back() == "gpu" || words.back() == "sys");
    const bool acquires_map =
        words.size() == 4 && words[0] == "proxy" && words[1] == "tensormap::generic" && words[2] == "acquire" && scoped;
    const bool known = acquires_map || is({"proxy", "alias"}) || is({"proxy", "async"}) ||
                       is({"proxy", "async", "global"}) || is({"proxy", "async", "shared::cta"}) ||
                       is({"proxy", "async", "shared::cluster"}) || is({"mbarrier_init", "release", "cluster"}) ||
                       is({"acquire", "sync_restrict::shared::cluster", "cluster"}) ||
                       is({"release", "sync_restrict::shared::cta", "cluster"}) ||
                       is({"proxy", "async::generic", "acquire", "sync_restrict::shared::cluster", "cluster"}) ||
                       is({"proxy", "async::generic", "release", "sync_restrict::shared::cta", "cluster"}) ||
                       (words.size() == 4 && words[0] == "proxy" && words[1] == "tensormap::generic" &&
                        words[2] == "release" && scoped);
    if (!known)
        return f.cursor.error(fmt::format("'{}' is no fence: there are fence.proxy.alias, .async and "
                                          ".tensormap::generic, and fence.mbarrier_init.release.cluster",
                                          f.cursor.text()));
    if (!f.cursor.count(acquires_map ? 2 : 0, acquires_map ? 2 : 0))
        return;
    if (acquires_map) {
        MicroOp op = make_op(Opcode::Fence);
        const std::optional<std::int64_t> bytes = f.operands.integer(f.cursor.operand(1), "a number of bytes");
        if (!bytes || !read_address(f, f.cursor.operand(0), op, op.src_bytes))
            return;
        if (*bytes != 128)
            return f.cursor.error(f.cursor.operand(1).where,
                                  fmt::format("'{}' is for the 128 bytes of a tensor map", f.cursor.text()));
    }
    MicroOp op = make_op(Opcode::Fence);
    op.flags |= kBlockScope;
    if (is({"proxy", "async"}) || is({"proxy", "async", "shared::cluster"}))
        op.flags |= kReachesL2;
    f.emitter.emit(op);
}

} // namespace heddle::ir
