#include "ptx/parser.h"

#include <utility>

#include "ptx/declarations.h"
#include "ptx/parse_bodies.h"
#include "ptx/parse_constants.h"
#include "ptx/parse_directives.h"
#include "ptx/parse_functions.h"
#include "ptx/parse_head_directives.h"
#include "ptx/parse_module.h"
#include "ptx/parse_variables.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

Module parse(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics) {
    Module module;
    module.source = std::move(source);
    TokenCursor tokens(module.source->text(), diagnostics);
    ConstantParser constants(tokens);
    DirectiveParser directives(tokens, constants, module);
    VariableParser variables(tokens, constants, directives);
    Declarations declarations(tokens);
    HeadDirectiveParser heads(tokens, directives);
    BodyParser bodies(tokens, constants, directives, heads, variables, declarations);
    FunctionParser functions(tokens, directives, heads, variables, declarations, bodies);
    ModuleParser(tokens, directives, variables, functions, declarations, module).run();
    return module;
}

} // namespace heddle::ptx
