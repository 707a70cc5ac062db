// The names that a module and its functions declare: reports those that conflict.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "ptx/scoped_names.h"
#include "ptx/token_cursor.h"

namespace heddle::ptx {

// Errors are reported, not thrown. At the text's end, which may stand inside a name, a name is not declared.
class Declarations {
public:
    explicit Declarations(TokenCursor& tokens) : tokens_(tokens) {}

    // A variable can have .extern declarations besides its definition; a function can be declared any number of times.
    void in_module(std::string_view name, bool is_function, bool is_extern, Position where);
    // The body of a function: it can have one.
    void body(std::string_view function, Position where);

    void start_function(); // forgets the names of the function before
    void open_scope();
    void close_scope();
    // In the innermost scope; `count` is that of ScopedNames::declare, `what` is the name's kind in messages.
    void in_function(std::string_view name, std::uint32_t count, Position where, std::string_view what);

private:
    struct ModuleName {
        bool is_function = false;
        bool is_extern = false;
        Position where;
    };

    TokenCursor& tokens_;
    std::unordered_map<std::string_view, ModuleName> names_; // of the module
    std::unordered_map<std::string_view, Position> bodies_;  // functions that have one
    ScopedNames scoped_;
};

} // namespace heddle::ptx
