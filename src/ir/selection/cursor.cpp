#include "ir/selection/cursor.h"

#include <utility>

#include <fmt/format.h>

namespace heddle::ir {

Cursor::Cursor(const Context& context, const ptx::Function& function)
    : context_(context), function_(function), names_(context.unit, function), outside_(function.where) {}

void Cursor::move_to(std::uint32_t index) {
    instruction_ = &function_.body[index];
    index_ = index;
}

void Cursor::move_behind_the_last() {
    instruction_ = nullptr;
    outside_ = function_.end;
}

Line Cursor::line() const {
    return instruction_ != nullptr ? Line{instruction_->where, instruction_->source} : Line{outside_, {}};
}

std::string Cursor::text() const {
    return text_of(*instruction_);
}

Symbol Cursor::find(const Operand& operand) const {
    return operand.kind == Operand::Kind::Name ? names_.find(operand.name, index_) : Symbol{};
}

Symbol Cursor::symbol(const Operand& operand) {
    const Symbol found = names_.find(operand.name, index_);
    if (found.kind == Symbol::Kind::None)
        error(operand.where, fmt::format("'{}' is not declared{}", operand.name, names_.hint(operand.name, index_)));
    return found;
}

std::optional<std::uint32_t> Cursor::label(std::string_view name, Position where) {
    const std::optional<std::uint32_t> found = names_.label(name, index_);
    if (!found)
        error(where, fmt::format("there is no label '{}' here{}", name, names_.label_hint(name, index_)));
    return found;
}

bool Cursor::count(std::size_t least, std::size_t most) {
    const std::size_t have = operands().size();
    if (have >= least && have <= most)
        return true;
    const std::string wanted = least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
    error(fmt::format("'{}' takes {} operand{}, not {}", text(), wanted, least == 1 && most == 1 ? "" : "s", have));
    return false;
}

bool Cursor::decode(Groups allowed, Modifiers& out) {
    return ir::decode(*instruction_, allowed, *context_.unit.text().source, context_.diagnostics, out);
}

void Cursor::error(Position where, std::string message) {
    context_.diagnostics.error(where, std::move(message));
}

void Cursor::error(std::string message) {
    error(instruction_->where, std::move(message));
}

void Cursor::error_at(std::string_view word, std::string message) {
    error(position_of(word, *instruction_, *context_.unit.text().source), std::move(message));
}

void Cursor::error_misplaced(std::string_view word) {
    error_at(word, fmt::format("'.{}' is out of place in '{}'", word, text()));
}

} // namespace heddle::ir
