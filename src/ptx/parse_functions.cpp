// Functions: heads, bodies and the scopes in them.
#include <fmt/format.h>

#include "ptx/parser_impl.h"

namespace heddle::ptx {

void Parser::function(Linkage linked) {
    Function function;
    function.is_entry = token_.is_suffix("entry");
    function.is_extern = linked.is_extern;
    function.is_visible = linked.is_visible;
    function.is_weak = linked.is_weak;
    advance();
    scoped_ = ScopedNames();
    while (token_.is_suffix("attribute"))
        attribute();
    if (!function.is_entry && at(Kind::LeftParen))
        function.results = parameters(false);
    function.where = token_.where;
    function.name = identifier(function.is_entry ? "a kernel's name" : "a function's name");
    if (at(Kind::LeftParen))
        function.parameters = parameters(function.is_entry);
    for (const auto* list : {&function.results, &function.parameters})
        for (const Variable& variable : *list)
            if (variable.name != "_")
                declare_in_function(variable.name, 0, variable.where, "parameter");
    declare_in_module(function.name, true, function.is_extern, function.where);
    function_directives(function);
    if (at(Kind::LeftBrace))
        body(function);
    else
        expect(Kind::Semicolon, "'{' or ';' after a function's head");
    module_.functions.push_back(std::move(function));
}

void Parser::function_directives(Function& function) {
    while (at(Kind::Suffix))
        if (!function_directive(function))
            fail(token_, fmt::format("unknown directive {} in a function's head", describe(token_)));
}

// Bounds for a compiler's register allocation, and clusters, have no effect and are only read.
bool Parser::function_directive(Function& function) {
    const Token directive = token_;
    const std::string_view word = directive.word();
    if (word == "pragma") {
        pragma();
    } else if (word == "attribute") {
        attribute();
    } else if (word == "noreturn") {
        advance();
        function.is_noreturn = true;
    } else if (word == "explicitcluster" || word == "blocksareclusters") {
        advance();
    } else if (word == "maxntid" || word == "reqntid" || word == "reqnctapercluster") {
        advance();
        const Dim3 size = dimensions(directive.text);
        const std::uint32_t threads = static_cast<std::uint32_t>(size.count());
        if (word == "maxntid")
            function.max_threads = threads;
        if (word == "reqntid") {
            function.required_threads = threads;
            function.required_block = size;
        }
    } else if (word == "minnctapersm" || word == "maxnctapersm" || word == "maxnreg" || word == "maxclusterrank" ||
               word == "abi_preserve" || word == "abi_preserve_control") {
        advance();
        small_number(fmt::format("a number after {}", directive.text));
    } else {
        return false;
    }
    return true;
}

// x [, y [, z]], all above 0, of at most 2^32-1 together.
Dim3 Parser::dimensions(std::string_view directive) {
    const Position where = token_.where;
    Dim3 size;
    const std::string what = fmt::format("a size after {}", directive);
    size.x = small_number(what);
    if (accept(Kind::Comma))
        size.y = small_number(what);
    if (at(Kind::Comma)) {
        advance();
        size.z = small_number(what);
    }
    const std::uint64_t plane = std::uint64_t{size.x} * size.y; // below 2^64
    if (plane == 0 || size.z == 0 || plane > 0xffffffffU || plane * size.z > 0xffffffffU)
        throw Failure{where, fmt::format("the sizes after {} are 1 to 4294967295 together", directive)};
    return size;
}

void Parser::body(Function& function) {
    function.has_body = true;
    const auto [earlier, is_new] = bodies_.try_emplace(function.name, function.where);
    if (!is_new)
        report(function.where,
               fmt::format("'{}' has two bodies, the first on line {}", function.name, earlier->second.line));
    scopes_.clear();
    open_locals_.clear();
    open_labels_.clear();
    source_line_ = {};
    scopes_.push_back({0, 0, 0, token_.where});
    advance();
    for (bool open = true; open;) {
        try {
            open = body_statement(function);
        } catch (Failure& failure) {
            report(failure.where, std::move(failure.message));
            recover_in_body();
        }
    }
}

bool Parser::body_statement(Function& function) {
    open_braces_ = 0;
    switch (token_.kind) {
    case Kind::LeftBrace:
        open_scope(function);
        return true;
    case Kind::RightBrace:
        function.end = token_.where;
        close_scope(function);
        advance();
        return !scopes_.empty();
    case Kind::At:
        guarded_instruction(function);
        return true;
    case Kind::Suffix:
        if (starts_definition()) {
            report(token_.where, fmt::format("expected '}}' before {}: the body of '{}' that starts on line {} is not "
                                             "closed",
                                             describe(token_), function.name, scopes_.front().where.line));
            close_all(function);
            return false;
        }
        body_directive(function);
        return true;
    case Kind::Identifier: {
        const Token name = token_;
        advance();
        if (at(Kind::Colon))
            label(function, name);
        else
            instruction(function, name, {}, false);
        return true;
    }
    case Kind::End:
        throw Failure{end_of_previous(), fmt::format("unexpected end of file: the body of '{}' that starts on line {} "
                                                     "is not closed",
                                                     function.name, scopes_.front().where.line)};
    default:
        fail_expected("an instruction, a declaration or '}'");
    }
}

void Parser::body_directive(Function& function) {
    const std::string_view word = token_.word();
    if (word == "loc")
        location();
    else if (word == "pragma")
        pragma();
    else if (word == "file")
        file();
    else if (at_space())
        local_variables(function);
    else if (word == "branchtargets" || word == "calltargets" || word == "callprototype")
        fail(token_, fmt::format("expected a label before {}", describe(token_)));
    else
        fail(token_, fmt::format("unknown directive {}", describe(token_)));
}

void Parser::local_variables(Function& function) {
    const Variable shape = variable_shape({});
    const auto begin = static_cast<std::uint32_t>(function.body.size());
    do {
        Variable variable = shape;
        declarator(variable);
        declare_in_function(variable.name, variable.count, variable.where, "variable");
        open_locals_.push_back(function.locals.size());
        function.locals.push_back({std::move(variable), begin, begin});
    } while (accept(Kind::Comma));
    expect_semicolon("a variable");
}

void Parser::open_scope(Function& function) {
    scopes_.push_back(
        {open_locals_.size(), open_labels_.size(), static_cast<std::uint32_t>(function.body.size()), token_.where});
    scoped_.open();
    advance();
}

void Parser::close_scope(Function& function) {
    const Scope scope = scopes_.back();
    const auto end = static_cast<std::uint32_t>(function.body.size());
    for (std::size_t i = scope.first_local; i < open_locals_.size(); ++i)
        function.locals[open_locals_[i]].end = end;
    for (std::size_t i = scope.first_label; i < open_labels_.size(); ++i)
        function.labels[open_labels_[i]].end = end;
    open_locals_.resize(scope.first_local);
    open_labels_.resize(scope.first_label);
    scopes_.pop_back();
    if (!scopes_.empty())
        scoped_.close();
}

void Parser::close_all(Function& function) {
    while (!scopes_.empty())
        close_scope(function);
}

void Parser::label(Function& function, const Token& name) {
    advance();
    declare_in_function(name.text, 0, name.where, "label");
    if (token_.is_suffix("branchtargets") || token_.is_suffix("calltargets") || token_.is_suffix("callprototype")) {
        targets(function, name);
        return;
    }
    open_labels_.push_back(function.labels.size());
    const auto index = static_cast<std::uint32_t>(function.body.size());
    function.labels.push_back({name.text, index, scopes_.back().begin, index, name.where});
}

void Parser::targets(Function& function, const Token& name) {
    Targets targets;
    targets.name = name.text;
    targets.where = name.where;
    const Token directive = token_;
    advance();
    if (directive.is_suffix("callprototype")) {
        prototype();
    } else {
        do
            targets.targets.push_back(identifier(directive.is_suffix("branchtargets") ? "a label" : "a function"));
        while (accept(Kind::Comma));
    }
    expect_semicolon(directive.text);
    function.targets.push_back(std::move(targets));
}

// [(results)] _ [(parameters)] [.noreturn ...]: not kept; calls list their arguments.
void Parser::prototype() {
    Function declared;
    if (at(Kind::LeftParen))
        parameters(false);
    identifier("'_'");
    if (at(Kind::LeftParen))
        parameters(false);
    function_directives(declared);
}

void Parser::declare_in_function(std::string_view name, std::uint32_t count, Position where, std::string_view what) {
    if (at(Kind::End)) // the text ends, perhaps inside this name
        return;
    if (const auto earlier = scoped_.declare(name, count, where))
        report(where,
               fmt::format("{} '{}' is declared twice in this scope, first on line {}", what, name, earlier->line));
}

// .loc file line column [, function_name label [+ offset] , inlined_at file line column]
void Parser::location() {
    advance();
    SourceLine place;
    place.file = small_number("a file's number");
    place.line = small_number("a line");
    place.column = small_number("a column");
    while (accept(Kind::Comma)) {
        const Token attribute = token_;
        const std::string_view word = identifier("'function_name' or 'inlined_at'");
        if (word == "function_name") {
            identifier("a label");
            signed_offset();
        } else if (word == "inlined_at") {
            small_number("a file's number");
            small_number("a line");
            small_number("a column");
        } else {
            fail(attribute, fmt::format("expected 'function_name' or 'inlined_at', found {}", describe(attribute)));
        }
    }
    // compilers write line 0 where no source line fits
    source_line_ = place.line == 0 ? SourceLine{} : place;
}

} // namespace heddle::ptx
