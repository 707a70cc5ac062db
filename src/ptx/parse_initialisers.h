// Reads initial values of variables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/parse_constants.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// One for a module: it limits the zeros that stand for values left out of all initialisers together.
class InitialiserParser {
public:
    InitialiserParser(TokenCursor& tokens, ConstantParser& constants) : tokens_(tokens), constants_(constants) {}

    // From '=' on. Fills variable.initial, and the first extent if it is open; the caller checks the size.
    void initialiser(Variable& variable);

private:
    using Kind = Token::Kind;

    void opaque_fields(Variable& variable);
    void initial_level(Variable& variable, const std::vector<std::uint64_t>& shape, std::size_t level);
    void pad(Variable& variable, std::uint64_t size, Position where);
    InitialValue initial_value(const Variable& variable);
    InitialValue symbol_value();
    InitialValue masked_symbol();
    InitialValue constant_value(const Variable& variable);

    TokenCursor& tokens_;
    ConstantParser& constants_;
    std::uint64_t padding_ = 0; // zeros appended to initialisers so far
};

} // namespace heddle::ptx
