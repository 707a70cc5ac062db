// Reads the bodies of functions.
#pragma once

#include "ptx/body_scopes.h"
#include "ptx/declarations.h"
#include "ptx/parse_directives.h"
#include "ptx/parse_head_directives.h"
#include "ptx/parse_instructions.h"
#include "ptx/parse_variables.h"
#include "ptx/syntax.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Reports a statement that is wrong, and goes on behind it.
class BodyParser {
public:
    BodyParser(TokenCursor& tokens, ConstantParser& constants, DirectiveParser& directives, HeadDirectiveParser& heads,
               VariableParser& variables, Declarations& declarations)
        : tokens_(tokens), directives_(directives), heads_(heads), variables_(variables), declarations_(declarations),
          instructions_(tokens, constants) {}

    // From '{' behind its '}', into `function`, whose head has been read.
    void body(Function& function);

private:
    using Kind = Token::Kind;

    bool statement(Function& function); // false: the body has ended
    void directive(Function& function);
    void add(Function& function, Instruction instruction);
    void local_variables(Function& function);
    void open_scope(const Function& function);
    void close_scope(Function& function);
    void end_unclosed(Function& function);
    void label(Function& function, const Token& name);
    void targets(Function& function, const Token& name);
    void prototype(Targets& targets);

    TokenCursor& tokens_;
    DirectiveParser& directives_;
    HeadDirectiveParser& heads_;
    VariableParser& variables_;
    Declarations& declarations_;
    InstructionParser instructions_;
    BodyScopes scopes_;
    SourceLine source_line_; // of the last .loc
};

} // namespace heddle::ptx
