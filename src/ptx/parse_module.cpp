// Directives outside functions.
#include <charconv>

#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kNewestMajor = 9; // of the PTX versions that are known

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

void Parser::statement() {
    if (!at(Kind::Suffix))
        fail_expected("a directive");
    if (!simple_directive())
        definition();
}

bool Parser::simple_directive() {
    const std::string_view word = token_.word();
    if (word == "version")
        version();
    else if (word == "target")
        target();
    else if (word == "address_size")
        address_size();
    else if (word == "file")
        file();
    else if (word == "loc")
        location();
    else if (word == "section")
        section();
    else if (word == "alias")
        alias();
    else if (word == "pragma")
        pragma();
    else
        return false;
    return true;
}

void Parser::version() {
    const Token directive = token_;
    advance();
    const std::string_view text = token_.text;
    const std::size_t dot = text.find('.');
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    if (!at(Kind::Float) || dot == std::string_view::npos)
        fail_expected("a version such as 7.5 after .version");
    const char* const end = text.data() + text.size();
    const auto before = std::from_chars(text.data(), end, major);
    const auto behind = std::from_chars(text.data() + dot + 1, end, minor);
    if (before.ptr != text.data() + dot || behind.ptr != end || before.ec != std::errc{} || behind.ec != std::errc{})
        fail_expected("a version such as 7.5 after .version");
    if (module_.version_major != 0)
        fail(directive, "a second .version");
    if (major == 0 || major > kNewestMajor)
        fail(token_, fmt::format("PTX version {} is not known: 1.0 to {}.x are", text, kNewestMajor));
    module_.version_major = major;
    module_.version_minor = minor;
    advance();
}

void Parser::target() {
    advance();
    module_.target = identifier("a target such as sm_75 after .target");
    while (accept(Kind::Comma)) {
        const Token option = token_;
        const std::string_view name = identifier("a target option");
        if (name == "map_f64_to_f32")
            fail(option, "the target option map_f64_to_f32 is not supported");
    }
}

void Parser::address_size() {
    advance();
    const Token size = token_;
    const std::uint32_t bits = small_number("64 after .address_size");
    if (bits == 32)
        fail(size, "32-bit addresses are not supported: compile for 64 bits (.address_size 64)");
    if (bits != 64)
        fail(size, fmt::format("expected .address_size 64, found {}", bits));
}

// .file index "name" [, timestamp, size]
void Parser::file() {
    advance();
    SourceFile file;
    file.index = small_number("a file's number");
    if (!at(Kind::String))
        fail_expected("a file's name in quotes");
    file.name = unescaped(token_.text);
    advance();
    if (accept(Kind::Comma)) {
        integer_expression("a time stamp");
        expect(Kind::Comma, "',' and the file's size");
        integer_expression("the file's size");
    }
    module_.files.push_back(std::move(file));
}

// Debug information: the positions that matter are in .loc.
void Parser::section() {
    advance();
    if (!at(Kind::Suffix) && !at(Kind::Identifier))
        fail_expected("a section's name");
    advance();
    if (!at(Kind::LeftBrace))
        fail_expected("'{'");
    skip_braces();
}

void Parser::alias() {
    advance();
    Alias alias;
    alias.where = token_.where;
    alias.name = identifier("an alias");
    expect(Kind::Comma, "','");
    alias.function = identifier("the function that the alias stands for");
    expect_semicolon(".alias");
    module_.aliases.push_back(alias);
}

void Parser::pragma() {
    advance();
    do {
        if (!at(Kind::String))
            fail_expected("a string");
        advance();
    } while (accept(Kind::Comma));
    expect_semicolon(".pragma");
}

// .attribute(.managed), .attribute(.unified(a, b)). True when .managed is among them; the others have no effect on a
// single device.
bool Parser::attribute() {
    bool managed = false;
    advance();
    expect(Kind::LeftParen, "'('");
    do {
        if (!token_.is_suffix("managed") && !token_.is_suffix("unified"))
            fail_expected("'.managed' or '.unified'");
        managed |= token_.is_suffix("managed");
        advance();
        if (!accept(Kind::LeftParen))
            continue;
        do
            integer_expression("an identifier of 64 bits");
        while (accept(Kind::Comma));
        expect(Kind::RightParen, "')'");
    } while (accept(Kind::Comma));
    expect(Kind::RightParen, "')'");
    return managed;
}

Parser::Linkage Parser::linkage() {
    Linkage linkage;
    for (;; advance()) {
        if (token_.is_suffix("extern"))
            linkage.is_extern = true;
        else if (token_.is_suffix("visible"))
            linkage.is_visible = true;
        else if (token_.is_suffix("weak") || token_.is_suffix("common"))
            linkage.is_weak = true;
        else
            return linkage;
        linkage.any = true;
    }
}

void Parser::definition() {
    const Linkage linked = linkage();
    if (token_.is_suffix("entry") || token_.is_suffix("func"))
        function(linked);
    else if (at_space())
        module_variables(linked);
    else if (linked.any)
        fail_expected("'.entry', '.func' or a variable");
    else if (at(Kind::Suffix))
        fail(token_, fmt::format("unknown directive {}", describe(token_)));
    else
        fail_expected("a directive");
}

void Parser::module_variables(Linkage linked) {
    if (token_.is_suffix("reg") || token_.is_suffix("local") || token_.is_suffix("param"))
        fail(token_, fmt::format("a {} variable stands inside a function", token_.text));
    Variable shape = variable_shape(linked);
    do {
        Variable variable = shape;
        declarator(variable);
        declare_in_module(variable.name, false, variable.is_extern, variable.where);
        module_.variables.push_back(std::move(variable));
    } while (accept(Kind::Comma));
    expect_semicolon("a variable");
}

// A variable can have .extern declarations besides its definition; a function can be declared any number of times.
void Parser::declare_in_module(std::string_view name, bool is_function, bool is_extern, Position where) {
    if (at(Kind::End)) // the text ends, perhaps inside this name
        return;
    const auto [found, is_new] = names_.try_emplace(name, ModuleName{is_function, is_extern, where});
    if (is_new)
        return;
    ModuleName& earlier = found->second;
    if (earlier.is_function != is_function || (!is_function && !is_extern && !earlier.is_extern))
        report(where, fmt::format("'{}' is declared twice, first on line {}", name, earlier.where.line));
    else if (!is_extern)
        earlier = {is_function, is_extern, where};
}

} // namespace heddle::ptx
