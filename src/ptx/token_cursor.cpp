#include "ptx/token_cursor.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace heddle::ptx {

TokenCursor::TokenCursor(std::string_view text, Diagnostics& diagnostics)
    : text_(text), diagnostics_(diagnostics), lexer_(text) {
    token_ = lexer_.next();
}

void TokenCursor::advance() {
    previous_ = token_;
    token_ = lexer_.next();
}

void TokenCursor::reread_as_number() {
    token_ = lexer_.number_at(token_);
}

bool TokenCursor::accept(Kind kind) {
    if (!at(kind))
        return false;
    advance();
    return true;
}

void TokenCursor::expect(Kind kind, std::string_view what) {
    if (!accept(kind))
        fail_expected(what);
}

void TokenCursor::expect_semicolon(std::string_view after) {
    if (accept(Kind::Semicolon))
        return;
    if (!token_.first_on_line || at(Kind::End) || at(Kind::Invalid))
        fail_expected(fmt::format("',' or ';' after {}", after));
    report(end_of_previous(), fmt::format("expected ';' after {}", after));
}

Token TokenCursor::peek() const {
    Lexer ahead = lexer_;
    return ahead.next();
}

void TokenCursor::fail_expected(std::string_view what) const {
    if (at(Kind::Invalid))
        fail(explain(token_));
    if (at(Kind::End))
        throw ParseFailure{end_of_previous(), fmt::format("unexpected end of file: expected {}", what)};
    fail(fmt::format("expected {}, found {}", what, describe(token_)));
}

void TokenCursor::fail(std::string message) const {
    fail(token_, std::move(message));
}

void TokenCursor::fail(const Token& token, std::string message) const {
    const bool last = !token.text.empty() && token.text.data() + token.text.size() == text_.data() + text_.size();
    if (last) // the text most likely ends inside this token
        message += " (the file ends here)";
    throw ParseFailure{token.where, std::move(message)};
}

void TokenCursor::report(Position where, std::string message) {
    diagnostics_.error(where, std::move(message));
    if (diagnostics_.full())
        throw ParseStop{};
}

Position TokenCursor::end_of_previous() const {
    if (previous_.where.line == 0)
        return token_.where;
    return {previous_.where.line, previous_.where.column + static_cast<std::uint32_t>(previous_.text.size())};
}

void TokenCursor::start_statement() {
    open_braces_ = 0;
    in_initialiser_ = false;
}

void TokenCursor::open_brace() {
    ++open_braces_;
}

void TokenCursor::close_brace() {
    --open_braces_;
}

void TokenCursor::start_initialiser() {
    in_initialiser_ = true;
}

void TokenCursor::recover_in_body() {
    for (bool first = true;; first = false) {
        if (at(Kind::End))
            throw ParseStop{};
        if (at(Kind::RightBrace) && open_braces_ == 0)
            return;
        if (!first && token_.first_on_line && (at(Kind::Suffix) || at(Kind::At)))
            return;
        if (token_.first_on_line && starts_definition())
            return;
        if (at(Kind::LeftBrace))
            ++open_braces_;
        if (at(Kind::RightBrace))
            --open_braces_;
        const bool done = at(Kind::Semicolon);
        advance();
        if (done)
            return;
    }
}

void TokenCursor::recover_in_module(Position statement) {
    for (;;) {
        if (at(Kind::End))
            throw ParseStop{};
        const bool moved = token_.where.line != statement.line || token_.where.column != statement.column;
        if (moved && token_.first_on_line && starts_definition())
            return;
        const Kind kind = token_.kind;
        advance();
        if (kind == Kind::LeftBrace)
            ++open_braces_;
        if (kind == Kind::Semicolon && (open_braces_ == 0 || in_initialiser_))
            return;
        // behind a body's last '}' comes the next statement, behind an initialiser's ';'
        if (kind == Kind::RightBrace && open_braces_ > 0 && --open_braces_ == 0 && !in_initialiser_ &&
            !at(Kind::Semicolon))
            return;
    }
}

bool TokenCursor::starts_definition() const {
    static constexpr std::array<std::string_view, 9> kWords{"entry",  "func",         "visible", "extern", "weak",
                                                            "target", "address_size", "version", "section"};
    return at(Kind::Suffix) && std::find(kWords.begin(), kWords.end(), token_.word()) != kWords.end();
}

std::string_view TokenCursor::identifier(std::string_view what) {
    if (!at(Kind::Identifier))
        fail_expected(what);
    const std::string_view name = token_.text;
    advance();
    return name;
}

std::uint32_t TokenCursor::small_number(std::string_view what) {
    if (!at(Kind::Integer))
        fail_expected(what);
    if (token_.bits > 0xffffffffU)
        fail(fmt::format("{} is too large for {}", describe(token_), what));
    const auto value = static_cast<std::uint32_t>(token_.bits);
    advance();
    return value;
}

void TokenCursor::skip_braces() {
    const Position start = token_.where;
    unsigned depth = 0;
    do {
        if (at(Kind::End))
            throw ParseFailure{end_of_previous(),
                               fmt::format("unexpected end of file: the '{{' of line {} is not closed", start.line)};
        if (at(Kind::Invalid))
            fail_expected("'}'");
        if (at(Kind::LeftBrace))
            ++depth;
        if (at(Kind::RightBrace))
            --depth;
        advance();
    } while (depth > 0);
}

} // namespace heddle::ptx
