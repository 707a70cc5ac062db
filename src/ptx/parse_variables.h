// Reads variable declarations and parameter lists.
#pragma once

#include <vector>

#include "ptx/parse_constants.h"
#include "ptx/parse_directives.h"
#include "ptx/parse_initialisers.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

struct Linkage {
    bool is_extern = false;
    bool is_visible = false;
    bool is_weak = false;
    bool any = false;
};

// A declaration is a shape and a list of declarators: .global .u32 a, b[4].
class VariableParser {
public:
    VariableParser(TokenCursor& tokens, ConstantParser& constants, DirectiveParser& directives)
        : tokens_(tokens), constants_(constants), directives_(directives), initialisers_(tokens, constants) {}

    [[nodiscard]] bool at_space() const;             // at a state space: a declaration starts
    Variable variable_shape(Linkage);                // up to the type
    void declarator(Variable& variable);             // name, list size, extents, initial value
    std::vector<Variable> parameters(bool is_entry); // ( ... )

private:
    using Kind = Token::Kind;

    void extents(Variable& variable);
    void alignment(Variable& variable);
    Variable parameter(bool is_entry);
    void pointer_attribute();

    TokenCursor& tokens_;
    ConstantParser& constants_;
    DirectiveParser& directives_;
    InitialiserParser initialisers_;
};

} // namespace heddle::ptx
