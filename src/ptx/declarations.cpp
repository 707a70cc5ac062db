#include "ptx/declarations.h"

#include <fmt/format.h>

namespace heddle::ptx {

void Declarations::in_module(std::string_view name, bool is_function, bool is_extern, Position where) {
    if (tokens_.at(Token::Kind::End))
        return;
    const auto [found, is_new] = names_.try_emplace(name, ModuleName{is_function, is_extern, where});
    if (is_new)
        return;
    ModuleName& earlier = found->second;
    if (earlier.is_function != is_function || (!is_function && !is_extern && !earlier.is_extern))
        tokens_.report(where, fmt::format("'{}' is declared twice, first on line {}", name, earlier.where.line));
    else if (!is_extern)
        earlier = {is_function, is_extern, where};
}

void Declarations::body(std::string_view function, Position where) {
    const auto [earlier, is_new] = bodies_.try_emplace(function, where);
    if (!is_new)
        tokens_.report(where, fmt::format("'{}' has two bodies, the first on line {}", function, earlier->second.line));
}

void Declarations::start_function() {
    scoped_ = ScopedNames();
}

void Declarations::open_scope() {
    scoped_.open();
}

void Declarations::close_scope() {
    scoped_.close();
}

void Declarations::in_function(std::string_view name, std::uint32_t count, Position where, std::string_view what) {
    if (tokens_.at(Token::Kind::End))
        return;
    if (const auto earlier = scoped_.declare(name, count, where))
        tokens_.report(
            where, fmt::format("{} '{}' is declared twice in this scope, first on line {}", what, name, earlier->line));
}

} // namespace heddle::ptx
