#include "ptx/body_scopes.h"

#include <utility>

namespace heddle::ptx {

namespace {

std::uint32_t next_instruction(const Function& function) {
    return static_cast<std::uint32_t>(function.body.size());
}

} // namespace

void BodyScopes::start(Position brace) {
    locals_.clear();
    labels_.clear();
    open_.assign(1, {0, 0, 0, brace});
}

void BodyScopes::open(const Function& function, Position brace) {
    open_.push_back({locals_.size(), labels_.size(), next_instruction(function), brace});
}

void BodyScopes::close(Function& function) {
    const Scope scope = open_.back();
    const std::uint32_t end = next_instruction(function);
    for (std::size_t i = scope.first_local; i < locals_.size(); ++i)
        function.locals[locals_[i]].end = end;
    for (std::size_t i = scope.first_label; i < labels_.size(); ++i)
        function.labels[labels_[i]].end = end;
    locals_.resize(scope.first_local);
    labels_.resize(scope.first_label);
    open_.pop_back();
}

void BodyScopes::add_local(Function& function, Variable variable) {
    const std::uint32_t begin = next_instruction(function);
    locals_.push_back(function.locals.size());
    function.locals.push_back({std::move(variable), begin, begin});
}

void BodyScopes::add_label(Function& function, std::string_view name, Position where) {
    const std::uint32_t index = next_instruction(function);
    labels_.push_back(function.labels.size());
    function.labels.push_back({name, index, open_.back().begin, index, where});
}

} // namespace heddle::ptx
