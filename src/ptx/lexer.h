// Splits PTX text into tokens, one at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"

namespace heddle::ptx {

struct Token {
    enum class Kind : std::uint8_t {
        End,        // of the text
        Identifier, // add, %r1, $L__BB0_1, _, foo
        Suffix,     // a dot and a word: .entry, .u32, .shared::cta, .2d
        Integer,    // `bits`; `is_unsigned` when written with U
        Float,      // 0d... or decimal: `bits` is the f64's pattern
        Single,     // 0f...: `bits` is the f32's pattern
        String,     // text with its quotes
        Invalid,    // see `problem`
        LeftBrace,
        RightBrace,
        LeftParen,
        RightParen,
        LeftBracket,
        RightBracket,
        Comma,
        Semicolon,
        Colon,
        At,
        Equal,
        Question,
        Plus,
        Minus,
        Star,
        Slash,
        Percent,
        Tilde,
        Bang,
        Amp,
        AmpAmp,
        Pipe,
        PipePipe,
        Caret,
        Less,
        LessEqual,
        ShiftLeft,
        Greater,
        GreaterEqual,
        ShiftRight,
        EqualEqual,
        BangEqual,
    };
    enum class Problem : std::uint8_t {
        None,
        Character,    // a character that PTX does not have
        Comment,      // no */
        String,       // no closing quote on its line
        Number,       // digits that are no number
        TooLarge,     // an integer beyond 64 bits
        SingleDigits, // 0f without 8 hexadecimal digits
        DoubleDigits, // 0d without 16 hexadecimal digits
    };

    Kind kind = Kind::End;
    Problem problem = Problem::None;
    bool is_unsigned = false;
    bool first_on_line = false;
    Position where;
    std::string_view text;
    std::uint64_t bits = 0;

    [[nodiscard]] bool is(Kind k) const {
        return kind == k;
    }
    // True for the suffix `.name`; `name` without the dot.
    [[nodiscard]] bool is_suffix(std::string_view name) const {
        return kind == Kind::Suffix && text.substr(1) == name;
    }
    // A suffix without its dot.
    [[nodiscard]] std::string_view word() const {
        return text.substr(1);
    }
};

// Name of a token in messages: "'add'", "end of file".
[[nodiscard]] std::string describe(const Token&);

// The error of an Invalid token.
[[nodiscard]] std::string explain(const Token&);

// A copy of a lexer continues from the same place as the original.
class Lexer {
public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Token next();
    // Reads `suffix` (".5", a suffix token that has just been returned) again, as a number.
    Token number_at(const Token& suffix);

private:
    [[nodiscard]] char at(std::size_t offset) const {
        return offset < text_.size() ? text_[offset] : '\0';
    }
    void start_line(std::size_t offset);
    bool skip_space(Token& token); // false: an unterminated comment is in `token`
    void word(Token& token);
    void suffix(Token& token);
    void string(Token& token);
    void number(Token& token);
    void radix(Token& token, std::size_t digits_at, unsigned base);
    void pattern(Token& token, std::size_t digits);
    void decimal(Token& token);
    void punctuation(Token& token);
    void finish(Token& token, Token::Kind kind, std::size_t end);
    void finish(Token& token, Token::Problem problem, std::size_t end);

    std::string_view text_;
    std::size_t offset_ = 0;
    std::size_t line_start_ = 0;
    std::uint32_t line_ = 1;
    bool fresh_line_ = true; // no token has been seen on this line
};

} // namespace heddle::ptx
