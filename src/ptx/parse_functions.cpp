#include "ptx/parse_functions.h"

namespace heddle::ptx {

Function FunctionParser::function(Linkage linked) {
    Function function;
    function.is_entry = tokens_.at_suffix("entry");
    function.is_extern = linked.is_extern;
    function.is_visible = linked.is_visible;
    function.is_weak = linked.is_weak;
    tokens_.advance();
    declarations_.start_function();
    while (tokens_.at_suffix("attribute"))
        directives_.attribute();
    if (!function.is_entry && tokens_.at(Kind::LeftParen))
        function.results = variables_.parameters(false);
    function.where = tokens_.current().where;
    function.name = tokens_.identifier(function.is_entry ? "a kernel's name" : "a function's name");
    if (tokens_.at(Kind::LeftParen))
        function.parameters = variables_.parameters(function.is_entry);
    declare(function);
    heads_.function_directives(function);
    if (tokens_.at(Kind::LeftBrace))
        bodies_.body(function);
    else
        tokens_.expect(Kind::Semicolon, "'{' or ';' after a function's head");
    return function;
}

void FunctionParser::declare(const Function& function) {
    for (const auto* list : {&function.results, &function.parameters})
        for (const Variable& variable : *list)
            if (variable.name != "_")
                declarations_.in_function(variable.name, 0, variable.where, "parameter");
    declarations_.in_module(function.name, true, function.is_extern, function.where);
}

} // namespace heddle::ptx
