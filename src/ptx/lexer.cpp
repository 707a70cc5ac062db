#include "ptx/lexer.h"

#include <array>
#include <bit>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

namespace heddle::ptx {

namespace {

using Kind = Token::Kind;
using Problem = Token::Problem;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Characters after the first one of an identifier.
bool is_follow(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

int digit_value(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

Kind single(char c) {
    switch (c) {
    case '{':
        return Kind::LeftBrace;
    case '}':
        return Kind::RightBrace;
    case '(':
        return Kind::LeftParen;
    case ')':
        return Kind::RightParen;
    case '[':
        return Kind::LeftBracket;
    case ']':
        return Kind::RightBracket;
    case ',':
        return Kind::Comma;
    case ';':
        return Kind::Semicolon;
    case ':':
        return Kind::Colon;
    case '@':
        return Kind::At;
    case '=':
        return Kind::Equal;
    case '?':
        return Kind::Question;
    case '+':
        return Kind::Plus;
    case '-':
        return Kind::Minus;
    case '*':
        return Kind::Star;
    case '/':
        return Kind::Slash;
    case '%':
        return Kind::Percent;
    case '~':
        return Kind::Tilde;
    case '!':
        return Kind::Bang;
    case '&':
        return Kind::Amp;
    case '|':
        return Kind::Pipe;
    case '^':
        return Kind::Caret;
    case '<':
        return Kind::Less;
    case '>':
        return Kind::Greater;
    default:
        return Kind::Invalid;
    }
}

struct Pair {
    std::string_view text;
    Kind kind;
};

constexpr std::array<Pair, 8> kPairs{{{"&&", Kind::AmpAmp},
                                      {"||", Kind::PipePipe},
                                      {"<=", Kind::LessEqual},
                                      {"<<", Kind::ShiftLeft},
                                      {">=", Kind::GreaterEqual},
                                      {">>", Kind::ShiftRight},
                                      {"==", Kind::EqualEqual},
                                      {"!=", Kind::BangEqual}}};

} // namespace

std::string describe(const Token& token) {
    constexpr std::size_t kLongest = 48; // keeps a message to a line
    if (token.is(Kind::End))
        return "end of file";
    if (token.text.size() > kLongest)
        return fmt::format("'{}...'", token.text.substr(0, kLongest));
    return fmt::format("'{}'", token.text);
}

std::string explain(const Token& token) {
    switch (token.problem) {
    case Problem::Comment:
        return "this comment is not closed: expected '*/'";
    case Problem::String:
        return "this string is not closed: expected '\"' on the same line";
    case Problem::Number:
        return fmt::format("{} is not a number", describe(token));
    case Problem::TooLarge:
        return fmt::format("{} does not fit 64 bits", describe(token));
    case Problem::SingleDigits:
        return fmt::format("expected 8 hexadecimal digits after 0f, found {}", describe(token));
    case Problem::DoubleDigits:
        return fmt::format("expected 16 hexadecimal digits after 0d, found {}", describe(token));
    case Problem::Character:
    case Problem::None:
        break;
    }
    const auto c = static_cast<unsigned char>(token.text.empty() ? '\0' : token.text.front());
    if (c > ' ' && c < 0x7f)
        return fmt::format("unexpected character '{}'", static_cast<char>(c));
    return fmt::format("unexpected byte 0x{:02x}", c);
}

Token Lexer::next() {
    Token token;
    if (!skip_space(token))
        return token;
    token.where = {line_, static_cast<std::uint32_t>(offset_ - line_start_ + 1)};
    token.first_on_line = fresh_line_;
    fresh_line_ = false;
    if (offset_ >= text_.size()) {
        token.text = text_.substr(text_.size());
        return token;
    }
    const char c = text_[offset_];
    if (is_letter(c) || ((c == '%' || c == '$') && is_follow(at(offset_ + 1))) || c == '_')
        word(token);
    else if (c == '.' && is_follow(at(offset_ + 1)))
        suffix(token);
    else if (is_digit(c))
        number(token);
    else if (c == '"')
        string(token);
    else
        punctuation(token);
    return token;
}

Token Lexer::number_at(const Token& suffix) {
    Token token = suffix;
    offset_ = static_cast<std::size_t>(suffix.text.data() - text_.data());
    decimal(token);
    return token;
}

void Lexer::start_line(std::size_t offset) {
    line_start_ = offset;
    ++line_;
    fresh_line_ = true;
}

bool Lexer::skip_space(Token& token) {
    while (offset_ < text_.size()) {
        const char c = text_[offset_];
        if (c == '\n') {
            start_line(++offset_);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            ++offset_;
        } else if (c == '/' && at(offset_ + 1) == '/') {
            const std::size_t end = text_.find('\n', offset_);
            offset_ = end == std::string_view::npos ? text_.size() : end;
        } else if (c == '/' && at(offset_ + 1) == '*') {
            token.where = {line_, static_cast<std::uint32_t>(offset_ - line_start_ + 1)};
            const std::size_t end = text_.find("*/", offset_ + 2);
            if (end == std::string_view::npos) {
                finish(token, Problem::Comment, text_.size());
                return false;
            }
            for (std::size_t i = text_.find('\n', offset_); i < end; i = text_.find('\n', i + 1))
                start_line(i + 1);
            offset_ = end + 2;
        } else {
            break;
        }
    }
    return true;
}

void Lexer::word(Token& token) {
    std::size_t end = offset_ + 1;
    while (is_follow(at(end)))
        ++end;
    finish(token, Kind::Identifier, end);
}

// Later PTX has modifiers such as .shared::cta and .L2::128B: one word each.
void Lexer::suffix(Token& token) {
    std::size_t end = offset_ + 1;
    for (;;) {
        while (is_follow(at(end)))
            ++end;
        if (at(end) != ':' || at(end + 1) != ':' || !is_follow(at(end + 2)))
            break;
        end += 2;
    }
    finish(token, Kind::Suffix, end);
}

void Lexer::string(Token& token) {
    for (std::size_t end = offset_ + 1; end < text_.size() && text_[end] != '\n'; ++end) {
        if (text_[end] == '"') {
            finish(token, Kind::String, end + 1);
            return;
        }
        if (text_[end] == '\\' && at(end + 1) != '\n')
            ++end;
    }
    const std::size_t end = text_.find('\n', offset_);
    finish(token, Problem::String, end == std::string_view::npos ? text_.size() : end);
}

void Lexer::number(Token& token) {
    if (text_[offset_] == '0') {
        switch (at(offset_ + 1)) {
        case 'x':
        case 'X':
            return radix(token, offset_ + 2, 16);
        case 'b':
        case 'B':
            return radix(token, offset_ + 2, 2);
        case 'f':
        case 'F':
            return pattern(token, 8);
        case 'd':
        case 'D':
            return pattern(token, 16);
        default:
            break;
        }
    }
    std::size_t end = offset_;
    while (is_digit(at(end)))
        ++end;
    if (at(end) == '.' || at(end) == 'e' || at(end) == 'E')
        return decimal(token);
    if (text_[offset_] == '0')
        return radix(token, offset_, 8);
    radix(token, offset_, 10);
}

void Lexer::radix(Token& token, std::size_t digits_at, unsigned base) {
    std::size_t end = digits_at;
    std::uint64_t value = 0;
    bool overflow = false;
    for (; digit_value(at(end)) < static_cast<int>(base); ++end) {
        const auto digit = static_cast<std::uint64_t>(digit_value(at(end)));
        overflow = overflow || value > (~std::uint64_t{0} - digit) / base;
        value = value * base + digit;
    }
    const bool empty = end == digits_at;
    if (at(end) == 'U') {
        token.is_unsigned = true;
        ++end;
    }
    token.bits = value;
    if (empty || is_follow(at(end))) {
        while (is_follow(at(end)))
            ++end;
        finish(token, Problem::Number, end);
    } else if (overflow) {
        finish(token, Problem::TooLarge, end);
    } else {
        finish(token, Kind::Integer, end);
    }
}

void Lexer::pattern(Token& token, std::size_t digits) {
    std::size_t end = offset_ + 2;
    while (is_follow(at(end)))
        ++end;
    bool hexadecimal = end - offset_ - 2 == digits;
    for (std::size_t i = offset_ + 2; i < end; ++i) {
        hexadecimal = hexadecimal && digit_value(text_[i]) < 16;
        token.bits = token.bits * 16 + static_cast<std::uint64_t>(digit_value(text_[i]) & 15);
    }
    if (!hexadecimal)
        finish(token, digits == 8 ? Problem::SingleDigits : Problem::DoubleDigits, end);
    else
        finish(token, digits == 8 ? Kind::Single : Kind::Float, end);
}

void Lexer::decimal(Token& token) {
    std::size_t end = offset_;
    while (is_digit(at(end)))
        ++end;
    if (at(end) == '.')
        ++end;
    while (is_digit(at(end)))
        ++end;
    if (at(end) == 'e' || at(end) == 'E') {
        ++end;
        if (at(end) == '+' || at(end) == '-')
            ++end;
        while (is_digit(at(end)))
            ++end;
    }
    double value = 0;
    const auto [last, status] = std::from_chars(text_.data() + offset_, text_.data() + end, value);
    const bool complete = last == text_.data() + end && status == std::errc{} && !is_follow(at(end));
    while (is_follow(at(end)))
        ++end;
    token.bits = std::bit_cast<std::uint64_t>(value);
    if (complete)
        finish(token, Kind::Float, end);
    else
        finish(token, Problem::Number, end);
}

void Lexer::punctuation(Token& token) {
    for (const Pair& pair : kPairs) {
        if (text_.substr(offset_, 2) == pair.text) {
            finish(token, pair.kind, offset_ + 2);
            return;
        }
    }
    const Kind kind = single(text_[offset_]);
    if (kind == Kind::Invalid)
        finish(token, Problem::Character, offset_ + 1);
    else
        finish(token, kind, offset_ + 1);
}

void Lexer::finish(Token& token, Token::Kind kind, std::size_t end) {
    token.kind = kind;
    token.problem = Problem::None;
    token.text = text_.substr(offset_, end - offset_);
    offset_ = end;
}

void Lexer::finish(Token& token, Token::Problem problem, std::size_t end) {
    finish(token, Kind::Invalid, end);
    token.problem = problem;
}

} // namespace heddle::ptx
