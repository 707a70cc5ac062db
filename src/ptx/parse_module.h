// Reads a module: directives outside functions, variables and functions.
#pragma once

#include "ptx/debug_names.h"
#include "ptx/declarations.h"
#include "ptx/parse_directives.h"
#include "ptx/parse_functions.h"
#include "ptx/parse_variables.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Reports a statement that is wrong, and goes on behind it.
class ModuleParser {
public:
    ModuleParser(TokenCursor& tokens, DirectiveParser& directives, VariableParser& variables, FunctionParser& functions,
                 Declarations& declarations, Module& module)
        : tokens_(tokens), directives_(directives), variables_(variables), functions_(functions),
          declarations_(declarations), module_(module) {}

    void run(); // reads the whole text

private:
    using Kind = Token::Kind;

    void statements();
    void statement();
    bool simple_directive(); // false: the directive is none of them
    void version();
    void target();
    void address_size();
    void section();
    void alias();
    Linkage linkage();
    void definition();
    void module_variables(Linkage);

    TokenCursor& tokens_;
    DirectiveParser& directives_;
    VariableParser& variables_;
    FunctionParser& functions_;
    Declarations& declarations_;
    Module& module_;
    DebugNames names_;
};

} // namespace heddle::ptx
