#include "ptx/parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

Module parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
    return Parser(std::move(source), diagnostics).run();
}

Parser::Parser(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
    : source_(std::move(source)), diagnostics_(diagnostics), lexer_(source_->text()) {
    module_.source = source_;
    token_ = lexer_.next();
}

Module Parser::run() {
    try {
        if (!token_.is_suffix("version"))
            report(token_.where, at(Kind::End) ? "the file is empty: PTX starts with .version"
                                               : fmt::format("PTX starts with .version, found {}", describe(token_)));
        if (!at(Kind::Suffix) || peek().is(Kind::End))
            return std::move(module_); // the text is no PTX: further messages do not help
        while (!at(Kind::End)) {
            const Position start = token_.where;
            open_braces_ = 0;
            in_initialiser_ = false;
            try {
                statement();
            } catch (Failure& failure) {
                report(failure.where, std::move(failure.message));
                recover_in_module(start);
            }
        }
    } catch (const Stop&) { // everything is reported
    }
    return std::move(module_);
}

void Parser::advance() {
    previous_ = token_;
    token_ = lexer_.next();
}

bool Parser::accept(Kind kind) {
    if (!at(kind))
        return false;
    advance();
    return true;
}

void Parser::expect(Kind kind, std::string_view what) {
    if (!accept(kind))
        fail_expected(what);
}

void Parser::expect_semicolon(std::string_view after) {
    if (accept(Kind::Semicolon))
        return;
    if (!token_.first_on_line || at(Kind::End) || at(Kind::Invalid))
        fail_expected(fmt::format("',' or ';' after {}", after));
    report(end_of_previous(), fmt::format("expected ';' after {}", after));
}

Token Parser::peek() const {
    Lexer ahead = lexer_;
    return ahead.next();
}

void Parser::fail_expected(std::string_view what) {
    if (at(Kind::Invalid))
        fail(token_, explain(token_));
    if (at(Kind::End))
        throw Failure{end_of_previous(), fmt::format("unexpected end of file: expected {}", what)};
    fail(token_, fmt::format("expected {}, found {}", what, describe(token_)));
}

void Parser::fail(const Token& token, std::string message) {
    const std::string_view text = source_->text();
    const bool last = !token.text.empty() && token.text.data() + token.text.size() == text.data() + text.size();
    if (last) // the text most likely ends inside this token
        message += " (the file ends here)";
    throw Failure{token.where, std::move(message)};
}

void Parser::report(Position where, std::string message) {
    diagnostics_.error(where, std::move(message));
    if (diagnostics_.full())
        throw Stop{};
}

Position Parser::end_of_previous() const {
    if (previous_.where.line == 0)
        return token_.where;
    return {previous_.where.line, previous_.where.column + static_cast<std::uint32_t>(previous_.text.size())};
}

// To behind the next ';', or to a token that starts a line and a statement, or to the scope's '}'.
void Parser::recover_in_body() {
    for (bool first = true;; first = false) {
        if (at(Kind::End))
            throw Stop{};
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

// To behind the ';' or the body that ends the statement, or to the next definition.
void Parser::recover_in_module(Position statement) {
    for (;;) {
        if (at(Kind::End))
            throw Stop{};
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

bool Parser::starts_definition() const {
    static constexpr std::array<std::string_view, 9> kWords{"entry",  "func",         "visible", "extern", "weak",
                                                            "target", "address_size", "version", "section"};
    return at(Kind::Suffix) && std::find(kWords.begin(), kWords.end(), token_.word()) != kWords.end();
}

std::string_view Parser::identifier(std::string_view what) {
    if (!at(Kind::Identifier))
        fail_expected(what);
    const std::string_view name = token_.text;
    advance();
    return name;
}

std::uint32_t Parser::small_number(std::string_view what) {
    if (!at(Kind::Integer))
        fail_expected(what);
    if (token_.bits > 0xffffffffU)
        fail(token_, fmt::format("{} is too large for {}", describe(token_), what));
    const auto value = static_cast<std::uint32_t>(token_.bits);
    advance();
    return value;
}

void Parser::skip_braces() {
    const Position start = token_.where;
    unsigned depth = 0;
    do {
        if (at(Kind::End))
            throw Failure{end_of_previous(),
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
