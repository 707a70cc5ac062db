// Constant expressions, with C's operators and precedence.
#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

namespace {

constexpr unsigned kDeepest = 200; // nesting of one expression

} // namespace

Constant Parser::expression(unsigned depth) {
    const Token start = token_;
    const Constant condition = binary(unary(depth), 1, depth);
    if (!at(Kind::Question))
        return condition;
    advance();
    const Constant yes = expression(depth + 1);
    expect(Kind::Colon, "':' of the conditional");
    const Constant no = expression(depth + 1);
    if (!condition.is_integer() || yes.is_integer() != no.is_integer())
        fail(start, "the parts of this conditional are not of fitting types");
    return condition.bits != 0 ? yes : no;
}

// Goes on behind `left` with operators that bind at least as tightly as `weakest`.
Constant Parser::binary(Constant left, unsigned weakest, unsigned depth) {
    for (;;) {
        const Token op = token_;
        const unsigned tightness = precedence(op.kind);
        if (tightness == 0 || tightness < weakest)
            return left;
        advance();
        const Constant right = binary(unary(depth), tightness + 1, depth + 1);
        left = evaluated(op, apply(op.kind, left, right));
    }
}

Constant Parser::unary(unsigned depth) {
    if (depth > kDeepest)
        fail(token_, "this expression nests too deeply");
    if (!at(Kind::Minus) && !at(Kind::Plus) && !at(Kind::Bang) && !at(Kind::Tilde))
        return primary(depth);
    const Token op = token_;
    advance();
    return evaluated(op, apply(op.kind, unary(depth + 1)));
}

Constant Parser::primary(unsigned depth) {
    if (at(Kind::LeftParen))
        return parenthesised(depth);
    if (at(Kind::Suffix) && token_.text[1] >= '0' && token_.text[1] <= '9')
        token_ = lexer_.number_at(token_);
    if (at(Kind::Identifier) && token_.text == "WARP_SZ") {
        advance();
        return {Constant::Kind::Signed, kPtxWarp};
    }
    if (!at(Kind::Integer) && !at(Kind::Float) && !at(Kind::Single))
        fail_expected("a number");
    const Constant value = constant_of(token_);
    advance();
    return value;
}

// ( expression ) or a cast, (.s64) or (.u64).
Constant Parser::parenthesised(unsigned depth) {
    const Token open = token_;
    advance();
    if (!token_.is_suffix("s64") && !token_.is_suffix("u64")) {
        const Constant value = expression(depth + 1);
        expect(Kind::RightParen, "')'");
        return value;
    }
    const Constant::Kind kind = token_.is_suffix("s64") ? Constant::Kind::Signed : Constant::Kind::Unsigned;
    advance();
    expect(Kind::RightParen, "')'");
    const Constant value = unary(depth + 1);
    if (!value.is_integer())
        fail(open, "a cast takes an integer");
    return {kind, value.bits};
}

Constant Parser::evaluated(const Token& at, Evaluated result) {
    if (!result.problem.empty())
        fail(at, std::string(result.problem));
    return result.value;
}

bool Parser::at_constant() const {
    switch (token_.kind) {
    case Kind::Integer:
    case Kind::Float:
    case Kind::Single:
    case Kind::LeftParen:
    case Kind::Plus:
    case Kind::Minus:
    case Kind::Tilde:
    case Kind::Bang:
        return true;
    case Kind::Suffix:
        return token_.text[1] >= '0' && token_.text[1] <= '9';
    default:
        return false;
    }
}

std::int64_t Parser::signed_offset() {
    if (!at(Kind::Plus) && !at(Kind::Minus))
        return 0;
    return static_cast<std::int64_t>(binary({Constant::Kind::Signed, 0}, kAdditive, 0).bits);
}

std::uint64_t Parser::integer_expression(std::string_view what) {
    if (!at_constant() && !at(Kind::Identifier))
        fail_expected(what);
    const Token start = token_;
    const Constant value = expression();
    if (!value.is_integer())
        fail(start, fmt::format("expected {}, an integer", what));
    return value.bits;
}

} // namespace heddle::ptx
