// Reads functions: declarations and definitions.
#pragma once

#include "ptx/declarations.h"
#include "ptx/parse_bodies.h"
#include "ptx/parse_directives.h"
#include "ptx/parse_head_directives.h"
#include "ptx/parse_variables.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

class FunctionParser {
public:
    FunctionParser(TokenCursor& tokens, DirectiveParser& directives, HeadDirectiveParser& heads,
                   VariableParser& variables, Declarations& declarations, BodyParser& bodies)
        : tokens_(tokens), directives_(directives), heads_(heads), variables_(variables), declarations_(declarations),
          bodies_(bodies) {}

    // From .entry or .func to behind the body or the ';'.
    Function function(Linkage);

private:
    using Kind = Token::Kind;

    void declare(const Function& function);

    TokenCursor& tokens_;
    DirectiveParser& directives_;
    HeadDirectiveParser& heads_;
    VariableParser& variables_;
    Declarations& declarations_;
    BodyParser& bodies_;
};

} // namespace heddle::ptx
