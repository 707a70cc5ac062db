#include "ptx/parse_directives.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heddle::ptx {

namespace {

bool is_octal(char c) {
    return c >= '0' && c <= '7';
}

// A string literal's text, without its quotes and escapes.
std::string unescaped(std::string_view literal) {
    const std::string_view text = literal.substr(1, literal.size() - 2);
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
        } else if (is_octal(text[i + 1])) { // three octal digits stand for a byte
            unsigned byte = 0;
            for (unsigned digits = 0; digits < 3 && i + 1 < text.size() && is_octal(text[i + 1]); ++digits)
                byte = byte * 8 + static_cast<unsigned>(text[++i] - '0');
            out += static_cast<char>(byte & 0xff);
        } else {
            out += text[++i];
        }
    }
    return out;
}

} // namespace

// .file index "name" [, timestamp, size]
void DirectiveParser::file() {
    tokens_.advance();
    SourceFile file;
    file.index = tokens_.small_number("a file's number");
    if (!tokens_.at(Kind::String))
        tokens_.fail_expected("a file's name in quotes");
    file.name = unescaped(tokens_.current().text);
    tokens_.advance();
    if (tokens_.accept(Kind::Comma)) {
        constants_.integer_expression("a time stamp");
        tokens_.expect(Kind::Comma, "',' and the file's size");
        constants_.integer_expression("the file's size");
    }
    module_.files.push_back(std::move(file));
}

void DirectiveParser::pragma() {
    tokens_.advance();
    do {
        if (!tokens_.at(Kind::String))
            tokens_.fail_expected("a string");
        tokens_.advance();
    } while (tokens_.accept(Kind::Comma));
    tokens_.expect_semicolon(".pragma");
}

// .attribute(.managed), .attribute(.unified(a, b)). True when .managed is among them; the others have no effect on a
// single device.
bool DirectiveParser::attribute() {
    bool managed = false;
    tokens_.advance();
    tokens_.expect(Kind::LeftParen, "'('");
    do {
        if (!tokens_.at_suffix("managed") && !tokens_.at_suffix("unified"))
            tokens_.fail_expected("'.managed' or '.unified'");
        managed |= tokens_.at_suffix("managed");
        tokens_.advance();
        if (!tokens_.accept(Kind::LeftParen))
            continue;
        do
            constants_.integer_expression("an identifier of 64 bits");
        while (tokens_.accept(Kind::Comma));
        tokens_.expect(Kind::RightParen, "')'");
    } while (tokens_.accept(Kind::Comma));
    tokens_.expect(Kind::RightParen, "')'");
    return managed;
}

// .loc file line column [, function_name label [+ offset] , inlined_at file line column]
SourceLine DirectiveParser::location() {
    tokens_.advance();
    SourceLine at = place();
    InlinedCall inlined;
    while (tokens_.accept(Kind::Comma)) {
        const Token attribute = tokens_.current();
        const std::string_view word = tokens_.identifier("'function_name' or 'inlined_at'");
        if (word == "function_name") {
            inlined.label = tokens_.identifier("a label");
            inlined.offset = constants_.signed_offset();
        } else if (word == "inlined_at") {
            inlined.place = place();
        } else {
            tokens_.fail(attribute,
                         fmt::format("expected 'function_name' or 'inlined_at', found {}", describe(attribute)));
        }
    }
    if (at.line == 0) // compilers write line 0 where no source line fits
        return {};
    const SourceLine without_call = at;
    if (inlined.place.line != 0)
        at.call = call(std::move(inlined));
    calls_[without_call] = at.call;
    return at;
}

SourceLine DirectiveParser::place() {
    SourceLine at;
    at.file = tokens_.small_number("a file's number");
    at.line = tokens_.small_number("a line");
    at.column = tokens_.small_number("a column");
    return at;
}

// The number of a call. A .loc with its place stands before it and says where the caller itself is inlined (PTX ISA,
// ".loc"): the last one counts.
std::uint32_t DirectiveParser::call(InlinedCall call) {
    if (const auto outer = calls_.find(call.place); outer != calls_.end())
        call.place.call = outer->second;
    const auto next = static_cast<std::uint32_t>(module_.calls.size() + 1);
    const auto [known, is_new] = numbers_.try_emplace({call.place, call.label, call.offset}, next);
    if (is_new)
        module_.calls.push_back(std::move(call));
    return known->second;
}

} // namespace heddle::ptx
