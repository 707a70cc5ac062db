#include "ptx/parse_bodies.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace heddle::ptx {

void BodyParser::body(Function& function) {
    function.has_body = true;
    declarations_.body(function.name, function.where);
    scopes_.start(tokens_.current().where);
    source_line_ = {};
    directives_.begin_body();
    tokens_.advance();
    for (bool open = true; open;) {
        try {
            open = statement(function);
        } catch (ParseFailure& failure) {
            tokens_.report(failure.where, std::move(failure.message));
            tokens_.recover_in_body();
        }
    }
}

bool BodyParser::statement(Function& function) {
    tokens_.start_statement();
    switch (tokens_.current().kind) {
    case Kind::LeftBrace:
        open_scope(function);
        return true;
    case Kind::RightBrace:
        function.end = tokens_.current().where;
        close_scope(function);
        tokens_.advance();
        return !scopes_.empty();
    case Kind::At:
        add(function, instructions_.guarded_instruction());
        return true;
    case Kind::Suffix:
        if (tokens_.starts_definition()) {
            end_unclosed(function);
            return false;
        }
        directive(function);
        return true;
    case Kind::Identifier: {
        const Token name = tokens_.current();
        tokens_.advance();
        if (tokens_.at(Kind::Colon))
            label(function, name);
        else
            add(function, instructions_.instruction(name));
        return true;
    }
    case Kind::End:
        throw ParseFailure{tokens_.end_of_previous(),
                           fmt::format("unexpected end of file: the body of '{}' that starts on line {} is not closed",
                                       function.name, scopes_.body().line)};
    default:
        tokens_.fail_expected("an instruction, a declaration or '}'");
    }
}

void BodyParser::directive(Function& function) {
    const std::string_view word = tokens_.current().word();
    if (word == "loc")
        source_line_ = directives_.location();
    else if (word == "pragma")
        directives_.pragma();
    else if (word == "file")
        directives_.file();
    else if (variables_.at_space())
        local_variables(function);
    else if (word == "branchtargets" || word == "calltargets" || word == "callprototype")
        tokens_.fail(fmt::format("expected a label before {}", describe(tokens_.current())));
    else
        tokens_.fail(fmt::format("unknown directive {}", describe(tokens_.current())));
}

void BodyParser::add(Function& function, Instruction instruction) {
    instruction.source = source_line_;
    function.body.push_back(std::move(instruction));
}

void BodyParser::local_variables(Function& function) {
    const Variable shape = variables_.variable_shape({});
    do {
        Variable variable = shape;
        variables_.declarator(variable);
        declarations_.in_function(variable.name, variable.count, variable.where, "variable");
        scopes_.add_local(function, std::move(variable));
    } while (tokens_.accept(Kind::Comma));
    tokens_.expect_semicolon("a variable");
}

void BodyParser::open_scope(const Function& function) {
    scopes_.open(function, tokens_.current().where);
    declarations_.open_scope();
    tokens_.advance();
}

void BodyParser::close_scope(Function& function) {
    scopes_.close(function);
    if (!scopes_.empty()) // the body's own scope, which has the parameters too, goes with the function
        declarations_.close_scope();
}

// At a definition: the body lacks a '}'.
void BodyParser::end_unclosed(Function& function) {
    tokens_.report(tokens_.current().where,
                   fmt::format("expected '}}' before {}: the body of '{}' that starts on line {} is not closed",
                               describe(tokens_.current()), function.name, scopes_.body().line));
    while (!scopes_.empty())
        close_scope(function);
}

void BodyParser::label(Function& function, const Token& name) {
    tokens_.advance();
    declarations_.in_function(name.text, 0, name.where, "label");
    if (tokens_.at_suffix("branchtargets") || tokens_.at_suffix("calltargets") || tokens_.at_suffix("callprototype")) {
        targets(function, name);
        return;
    }
    scopes_.add_label(function, name.text, name.where);
}

void BodyParser::targets(Function& function, const Token& name) {
    Targets targets;
    targets.name = name.text;
    targets.where = name.where;
    const Token directive = tokens_.current();
    tokens_.advance();
    if (directive.is_suffix("callprototype")) {
        prototype(targets);
    } else {
        targets.kind = directive.is_suffix("branchtargets") ? Targets::Kind::Branches : Targets::Kind::Calls;
        do
            targets.targets.push_back(
                tokens_.identifier(directive.is_suffix("branchtargets") ? "a label" : "a function"));
        while (tokens_.accept(Kind::Comma));
    }
    tokens_.expect_semicolon(directive.text);
    function.targets.push_back(std::move(targets));
}

// [(results)] _ [(parameters)] [.noreturn ...]
void BodyParser::prototype(Targets& targets) {
    targets.kind = Targets::Kind::Prototype;
    if (tokens_.at(Kind::LeftParen))
        targets.results = variables_.parameters(false);
    tokens_.identifier("'_'");
    if (tokens_.at(Kind::LeftParen))
        targets.parameters = variables_.parameters(false);
    Function declared; // its directives have no effect
    heads_.function_directives(declared);
}

} // namespace heddle::ptx
