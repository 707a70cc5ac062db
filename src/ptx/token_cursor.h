// The place where the parser stands in its text: the current token, errors there, and how to go on behind an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

// Thrown where a statement cannot be read further; the loop over statements reports and recovers.
struct ParseFailure {
    Position where;
    std::string message;
};

// Thrown to end the run: the text is at its end, or enough errors are reported.
struct ParseStop {};

class TokenCursor {
public:
    using Kind = Token::Kind;

    // Stands at the first token of `text`, which outlives the cursor and its tokens.
    TokenCursor(std::string_view text, Diagnostics& diagnostics);

    // --- tokens
    [[nodiscard]] const Token& current() const {
        return token_;
    }
    [[nodiscard]] bool at(Kind kind) const {
        return token_.kind == kind;
    }
    [[nodiscard]] bool at_suffix(std::string_view name) const { // `name` without the dot
        return token_.is_suffix(name);
    }
    [[nodiscard]] bool starts_definition() const; // the current token can only stand at module level
    [[nodiscard]] Token peek() const;             // the token behind the current one
    [[nodiscard]] Position end_of_previous() const;
    void advance();
    void reread_as_number();                       // the current token, a suffix such as ".5"
    bool accept(Kind kind);                        // skips the token if it is of this kind
    void expect(Kind kind, std::string_view what); // fails with "expected WHAT" otherwise
    void expect_semicolon(std::string_view after); // a missing one at a line's end is reported, not thrown
    std::string_view identifier(std::string_view what);
    std::uint32_t small_number(std::string_view what); // an integer literal below 2^32
    void skip_braces();                                // from '{' behind its '}'

    // --- errors: fail() throws a ParseFailure, report() throws ParseStop after the last error that is reported
    [[noreturn]] void fail_expected(std::string_view what) const; // at the current token
    [[noreturn]] void fail(std::string message) const;            // at the current token
    [[noreturn]] void fail(const Token& token, std::string message) const;
    void report(Position where, std::string message);

    // --- recovery; at the text's end it throws ParseStop
    void start_statement();   // forgets the braces and the initialiser of the statement before
    void open_brace();        // a brace of a vector or an initialiser is read
    void close_brace();       // the matching one is read
    void start_initialiser(); // the statement has come to its initialiser
    // To behind the next ';', or to a token that starts a line and a statement, or to the scope's '}'.
    void recover_in_body();
    // To behind the ';' or the body that ends the statement that starts at `statement`, or to the next definition.
    void recover_in_module(Position statement);

private:
    std::string_view text_;
    Diagnostics& diagnostics_;
    Lexer lexer_;
    Token token_;                 // the current one
    Token previous_;              // the one before
    unsigned open_braces_ = 0;    // of the vector or initialiser that is being read
    bool in_initialiser_ = false; // start_initialiser() was called for this statement
};

} // namespace heddle::ptx
