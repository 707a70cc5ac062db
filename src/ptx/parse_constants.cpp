#include "ptx/parse_constants.h"

#include <string>

#include <fmt/format.h>

#include "base/types.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kDeepestExpression = 200; // nesting of one expression

bool starts_number(const Token& token) { // .5 is read as a suffix
    return token.is(Token::Kind::Suffix) && token.text[1] >= '0' && token.text[1] <= '9';
}

Constant evaluated(const TokenCursor& tokens, const Token& op, const Evaluated& result) {
    if (!result.problem.empty())
        tokens.fail(op, std::string(result.problem));
    return result.value;
}

} // namespace

Constant ConstantParser::expression(unsigned depth) {
    const Token start = tokens_.current();
    const Constant condition = binary(unary(depth), 1, depth);
    if (!tokens_.at(Kind::Question))
        return condition;
    tokens_.advance();
    const Constant yes = expression(depth + 1);
    tokens_.expect(Kind::Colon, "':' of the conditional");
    const Constant no = expression(depth + 1);
    if (!condition.is_integer() || yes.is_integer() != no.is_integer())
        tokens_.fail(start, "the parts of this conditional are not of fitting types");
    return condition.bits != 0 ? yes : no;
}

// Goes on behind `left` with operators that bind at least as tightly as `weakest`.
Constant ConstantParser::binary(Constant left, unsigned weakest, unsigned depth) {
    for (;;) {
        const Token op = tokens_.current();
        const unsigned tightness = precedence(op.kind);
        if (tightness == 0 || tightness < weakest)
            return left;
        tokens_.advance();
        const Constant right = binary(unary(depth), tightness + 1, depth + 1);
        left = evaluated(tokens_, op, apply(op.kind, left, right));
    }
}

Constant ConstantParser::unary(unsigned depth) {
    if (depth > kDeepestExpression)
        tokens_.fail("this expression nests too deeply");
    if (!tokens_.at(Kind::Minus) && !tokens_.at(Kind::Plus) && !tokens_.at(Kind::Bang) && !tokens_.at(Kind::Tilde))
        return primary(depth);
    const Token op = tokens_.current();
    tokens_.advance();
    return evaluated(tokens_, op, apply(op.kind, unary(depth + 1)));
}

Constant ConstantParser::primary(unsigned depth) {
    if (tokens_.at(Kind::LeftParen))
        return parenthesised(depth);
    if (starts_number(tokens_.current()))
        tokens_.reread_as_number();
    if (tokens_.at(Kind::Identifier) && tokens_.current().text == "WARP_SZ") {
        tokens_.advance();
        return {Constant::Kind::Signed, kPtxWarp};
    }
    if (!tokens_.at(Kind::Integer) && !tokens_.at(Kind::Float) && !tokens_.at(Kind::Single))
        tokens_.fail_expected("a number");
    const Constant value = constant_of(tokens_.current());
    tokens_.advance();
    return value;
}

// ( expression ) or a cast, (.s64) or (.u64).
Constant ConstantParser::parenthesised(unsigned depth) {
    const Token open = tokens_.current();
    tokens_.advance();
    if (!tokens_.at_suffix("s64") && !tokens_.at_suffix("u64")) {
        const Constant value = expression(depth + 1);
        tokens_.expect(Kind::RightParen, "')'");
        return value;
    }
    const Constant::Kind kind = tokens_.at_suffix("s64") ? Constant::Kind::Signed : Constant::Kind::Unsigned;
    tokens_.advance();
    tokens_.expect(Kind::RightParen, "')'");
    const Constant value = unary(depth + 1);
    if (!value.is_integer())
        tokens_.fail(open, "a cast takes an integer");
    return {kind, value.bits};
}

bool ConstantParser::at_constant() const {
    switch (tokens_.current().kind) {
    case Kind::Integer:
    case Kind::Float:
    case Kind::Single:
    case Kind::LeftParen:
    case Kind::Plus:
    case Kind::Minus:
    case Kind::Tilde:
    case Kind::Bang:
        return true;
    default:
        return starts_number(tokens_.current());
    }
}

std::int64_t ConstantParser::signed_offset() {
    if (!tokens_.at(Kind::Plus) && !tokens_.at(Kind::Minus))
        return 0;
    return static_cast<std::int64_t>(binary({Constant::Kind::Signed, 0}, kAdditive, 0).bits);
}

std::uint64_t ConstantParser::integer_expression(std::string_view what) {
    if (!at_constant() && !tokens_.at(Kind::Identifier))
        tokens_.fail_expected(what);
    const Token start = tokens_.current();
    const Constant value = expression();
    if (!value.is_integer())
        tokens_.fail(start, fmt::format("expected {}, an integer", what));
    return value.bits;
}

} // namespace heddle::ptx
