// Implementation of the parser: one recursive-descent class, its topics spread over parse_*.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/constant.h"
#include "ptx/lexer.h"
#include "ptx/parser.h"
#include "ptx/scoped_names.h"

namespace heddle::ptx {

class Parser {
public:
    Parser(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

    Module run();

private:
    using Kind = Token::Kind;

    // Thrown where a statement cannot be read further; the loop over statements reports and recovers.
    struct Failure {
        Position where;
        std::string message;
    };
    // Thrown to end the run: the text is at its end, or enough errors are reported.
    struct Stop {};

    struct Linkage {
        bool is_extern = false;
        bool is_visible = false;
        bool is_weak = false;
        bool any = false;
    };

    // One open pair of braces in a function's body.
    struct Scope {
        std::size_t first_local = 0; // in open_locals_
        std::size_t first_label = 0; // in open_labels_
        std::uint32_t begin = 0;     // instruction index
        Position where;
    };

    // --- parser.cpp: tokens, errors, recovery
    void advance();
    [[nodiscard]] bool at(Kind kind) const {
        return token_.kind == kind;
    }
    bool accept(Kind kind);                                 // skips the token if it is of this kind
    void expect(Kind kind, std::string_view what);          // fails with "expected WHAT" otherwise
    void expect_semicolon(std::string_view after);          // a missing one at a line's end is reported, not thrown
    [[nodiscard]] Token peek() const;                       // the token behind the current one
    [[noreturn]] void fail_expected(std::string_view what); // at the current token
    [[noreturn]] void fail(const Token& token, std::string message);
    void report(Position where, std::string message);
    [[nodiscard]] Position end_of_previous() const;
    void recover_in_body();
    void recover_in_module(Position statement);
    [[nodiscard]] bool starts_definition() const; // the current token can only stand at module level
    std::string_view identifier(std::string_view what);
    std::uint32_t small_number(std::string_view what); // an integer literal below 2^32
    void skip_braces();                                // from '{' behind its '}'

    // --- parse_constants.cpp: constant expressions
    Constant expression(unsigned depth = 0);
    Constant binary(Constant left, unsigned weakest, unsigned depth);
    Constant unary(unsigned depth);
    Constant primary(unsigned depth);
    Constant parenthesised(unsigned depth);
    Constant evaluated(const Token& at, Evaluated result);
    [[nodiscard]] bool at_constant() const;
    std::int64_t signed_offset(); // +4, -8, +(1<<2): 0 when no sign follows
    std::uint64_t integer_expression(std::string_view what);

    // --- parse_module.cpp: directives outside functions
    void statement();
    bool simple_directive();
    void version();
    void target();
    void address_size();
    void file();
    void section();
    void alias();
    void pragma();
    bool attribute();
    Linkage linkage();
    void definition();
    void module_variables(Linkage);
    void declare_in_module(std::string_view name, bool is_function, bool is_extern, Position where);

    // --- parse_variables.cpp
    Variable variable_shape(Linkage);    // up to the type
    void declarator(Variable& variable); // name, list size, extents
    void extents(Variable& variable);
    void alignment(Variable& variable);
    void check_size(const Variable& variable);
    std::vector<Variable> parameters(bool is_entry); // ( ... )
    Variable parameter(bool is_entry);
    void pointer_attribute();
    [[nodiscard]] bool at_space() const;

    // --- parse_initialisers.cpp
    void initialiser(Variable& variable);
    void initial_level(Variable& variable, const std::vector<std::uint64_t>& shape, std::size_t level);
    void pad(Variable& variable, std::uint64_t size, Position where);
    InitialValue initial_value(const Variable& variable);
    InitialValue symbol_value();
    InitialValue masked_symbol();
    InitialValue constant_value(const Variable& variable);
    void floating_value(InitialValue& value, const Variable& variable, Constant constant, Position where);

    // --- parse_functions.cpp
    void function(Linkage);
    void function_directives(Function& function);
    bool function_directive(Function& function);
    Dim3 dimensions(std::string_view directive);
    void body(Function& function);
    bool body_statement(Function& function); // false: the body's closing brace
    void body_directive(Function& function);
    void local_variables(Function& function);
    void open_scope(Function& function);
    void close_scope(Function& function);
    void close_all(Function& function);
    void label(Function& function, const Token& name);
    void targets(Function& function, const Token& name);
    void prototype();
    void declare_in_function(std::string_view name, std::uint32_t count, Position where, std::string_view what);
    void location();

    // --- parse_instructions.cpp
    void guarded_instruction(Function& function);
    void instruction(Function& function, const Token& opcode, std::string_view guard, bool guard_negated);
    [[nodiscard]] bool at_next_statement() const;
    void operands(Instruction& instruction);
    Operand operand(bool in_call, unsigned depth);
    Operand named_operand();
    Operand special_operand(const Token& name);
    Operand constant_operand();
    Operand address_operand(unsigned depth);
    void operand_list(Operand& list, Kind close, std::string_view close_text, unsigned depth);

    struct ModuleName {
        bool is_function = false;
        bool is_extern = false;
        Position where;
    };

    std::shared_ptr<const SourceText> source_;
    Diagnostics& diagnostics_;
    Lexer lexer_;
    Token token_;                 // the current one
    Token previous_;              // the one before
    unsigned open_braces_ = 0;    // of the vector or initialiser that is being read
    bool in_initialiser_ = false; // the statement has come to its initialiser
    Module module_;
    std::unordered_map<std::string_view, ModuleName> names_; // of the module
    std::unordered_map<std::string_view, Position> bodies_;  // functions that have one
    std::uint64_t padding_ = 0;                              // zeros appended to initialisers of this module

    // Of the function that is being read:
    ScopedNames scoped_;
    std::vector<Scope> scopes_;
    std::vector<std::size_t> open_locals_; // indices in Function::locals, innermost scope last
    std::vector<std::size_t> open_labels_;
    SourceLine source_line_;
};

} // namespace heddle::ptx
