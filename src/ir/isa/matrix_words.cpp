#include "ir/isa/matrix_words.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace heddle::ir {

namespace {

// Of products with elements of 4 and 6 bits, and with scale factors.
constexpr std::string_view kNewer[] = {"e3m2", "e2m3", "e2m1", "ue8m0", "ue4m3", "block_scale"};

bool is_newer(std::string_view word) {
    return std::find(std::begin(kNewer), std::end(kNewer), word) != std::end(kNewer) || word.starts_with("kind::") ||
           word.starts_with("scale_vec::");
}

std::optional<Element> element_named(std::string_view word) {
    for (unsigned e = 0; e <= static_cast<unsigned>(Element::E5M2); ++e)
        if (name_of(static_cast<Element>(e)) == word)
            return static_cast<Element>(e);
    return std::nullopt;
}

// m16n8k8; m8n8 and m16n16 have no k.
std::optional<MatrixShape> shape_named(std::string_view word) {
    std::array<unsigned, 3> sizes{};
    constexpr std::string_view kLetters = "mnk";
    const char* at = word.data();
    const char* const end = at + word.size();
    for (std::size_t i = 0; i < sizes.size() && (i != 2 || at != end); ++i) {
        if (at == end || *at != kLetters[i])
            return std::nullopt;
        const auto [behind, error] = std::from_chars(at + 1, end, sizes[i]);
        if (error != std::errc() || sizes[i] == 0 || sizes[i] > 256)
            return std::nullopt;
        at = behind;
    }
    if (at != end || sizes[0] > 128)
        return std::nullopt;
    return MatrixShape{static_cast<std::uint8_t>(sizes[0]), static_cast<std::uint16_t>(sizes[1]),
                       static_cast<std::uint16_t>(sizes[2])};
}

// Sets a field. False: an earlier word has set the field.
template <typename T>
bool set_once(T& what, T value) {
    const bool fresh = what == T{};
    what = value;
    return fresh;
}

Rounding rounding_named(std::string_view word) {
    return word == "rn"   ? Rounding::Rn
           : word == "rz" ? Rounding::Rz
           : word == "rm" ? Rounding::Rm
           : word == "rp" ? Rounding::Rp
                          : Rounding::None;
}

// The sizes of the elements that ldmatrix, stmatrix and movmatrix move.
bool apply_bits(std::string_view word, MatrixWords& out, bool& good) {
    if (word == "b16")
        good = set_once(out.b16, true);
    else if (word == "b8")
        good = set_once(out.b8, true);
    else if (word == "b8x16")
        good = set_once(out.to_bytes, true);
    else if (word == "b6x16_p32" || word == "b4x16_p64")
        good = set_once(out.from_bits, static_cast<std::uint8_t>(word[1] - '0'));
    else
        return false;
    return true;
}

MatrixWords::Action action_named(std::string_view word) {
    using Action = MatrixWords::Action;
    constexpr std::pair<std::string_view, Action> kNames[] = {
        {"load", Action::Load},
        {"store", Action::Store},
        {"mma", Action::Multiply},
        {"mma_async", Action::MultiplyAsync},
        {"fence", Action::Fence},
        {"commit_group", Action::CommitGroup},
        {"wait_group", Action::WaitGroup},
    };
    for (const auto& [name, action] : kNames)
        if (name == word)
            return action;
    return Action::None;
}

bool apply_verb(std::string_view word, MatrixWords& out, bool& good) {
    if (const MatrixWords::Action action = action_named(word); action != MatrixWords::Action::None)
        good = set_once(out.action, action);
    else if (word.size() == 1 && word[0] >= 'a' && word[0] <= 'd')
        good = set_once(out.matrix, word[0]);
    else if (word == "sync")
        good = set_once(out.sync, true);
    else if (word == "aligned")
        good = set_once(out.aligned, true);
    else if (word == "sp" || word == "sp::ordered_metadata") {
        good = set_once(out.sparse, true);
        out.ordered = word != "sp";
    } else if (word == "trans")
        good = set_once(out.transposed, true);
    else if (word == "satfinite")
        good = set_once(out.saturate, true);
    else if (word == "popc")
        good = set_once(out.popc, true);
    else if (word == "and" || word == "xor")
        good = set_once(out.logic, word);
    else if (word == "x1" || word == "x2" || word == "x4")
        good = set_once(out.count, static_cast<std::uint8_t>(word[1] - '0'));
    else if (word == "global" || word == "shared" || word == "shared::cta")
        good = set_once(out.space, word == "global" ? Space::Global : Space::Shared);
    else if (const Rounding rounding = rounding_named(word); rounding != Rounding::None)
        good = set_once(out.rounding, rounding);
    else
        return apply_bits(word, out, good);
    return true;
}

// False: the word is unknown for these instructions, or occurs too often.
bool apply(std::string_view word, MatrixWords& out) {
    bool good = true;
    if (apply_verb(word, out, good))
        return good;
    if (word == "row" || word == "col") {
        if (out.layouts == out.by_rows.size())
            return false;
        out.by_rows[out.layouts++] = word == "row"; // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index)
        return true;
    }
    if (const std::optional<Element> element = element_named(word)) {
        if (out.type_count == out.types.size())
            return false;
        out.types[out.type_count++] = *element; // NOLINT(cppcoreguidelines-pro-bounds-constant-array-index)
        return true;
    }
    if (const std::optional<MatrixShape> shape = shape_named(word))
        return set_once(out.shape, *shape);
    if (!is_newer(word))
        return false;
    if (out.newer.empty())
        out.newer = word;
    return true;
}

} // namespace

bool is_matrix_opcode(Opcode opcode) {
    switch (opcode) {
    case Opcode::Wmma:
    case Opcode::Mma:
    case Opcode::Wgmma:
    case Opcode::Ldmatrix:
    case Opcode::Stmatrix:
    case Opcode::Movmatrix:
        return true;
    default:
        return false;
    }
}

MatrixWords read_matrix_words(const ptx::Instruction& instruction) {
    MatrixWords words;
    for (const std::string_view word : instruction.modifiers)
        if (!apply(word, words) && words.unknown.empty())
            words.unknown = word;
    return words;
}

} // namespace heddle::ir
