// The meaning of a name at an instruction of a function.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// The address of a function, by its index in ModuleNames::functions(). The address is not readable.
[[nodiscard]] constexpr Address code_address(std::uint32_t function) {
    constexpr Address kBegin = 0x0300'0000'0000, kApart = 16;
    return kBegin + kApart * (Address{function} + 1);
}

struct Symbol {
    enum class Kind : std::uint8_t {
        None,
        Register,
        Variable, // has an address
        Function,
    } kind = Kind::None;
    enum class Owner : std::uint8_t { Module, Body, Result, Parameter } owner = Owner::Module;
    const ptx::Variable* variable = nullptr;
    std::uint32_t index = 0;  // of the variable among its owner's; Function: in ModuleNames::functions
    std::uint32_t number = 0; // Register: which of a list `%r<n>`
};

// Names of one unit, a text of a module. A name that is declared in a unit may be defined in another unit.
class UnitNames {
public:
    // The variable's definition; a declaration when there is no definition; null when the name is not a variable.
    [[nodiscard]] const ptx::Variable* variable(std::string_view name) const;
    // Index in ModuleNames::functions(); for an alias the index of its target.
    [[nodiscard]] std::optional<std::uint32_t> function(std::string_view name) const;
    // The variable or function of the name; of kind None when there is none.
    [[nodiscard]] Symbol find(std::string_view name) const;
    [[nodiscard]] const ptx::Module& text() const {
        return *text_;
    }

private:
    friend class ModuleNames;
    explicit UnitNames(const ptx::Module& text) : text_(&text) {}

    const ptx::Module* text_;
    std::unordered_map<std::string_view, const ptx::Variable*> variables_;
    std::unordered_map<std::string_view, std::uint32_t> functions_;
};

// Module-wide names, and shared data of the lowering of all functions. A module has one unit, or several units that are
// linked (-rdc=true). All units see the .visible and .weak definitions of each unit. Of several definitions of a name
// the one that is not weak counts, else the first.
class ModuleNames {
public:
    explicit ModuleNames(std::span<const ptx::Module> units); // outlive this object

    [[nodiscard]] std::span<const UnitNames> units() const {
        return units_;
    }
    // Functions by first appearance: definitions, and declarations without a definition.
    [[nodiscard]] const std::vector<const ptx::Function*>& functions() const {
        return functions_;
    }
    // Index in units().
    [[nodiscard]] std::uint32_t unit_of(std::uint32_t function) const {
        return unit_of_[function];
    }
    // The functions that pointers may point to, sorted: a mov or an initialiser names them.
    [[nodiscard]] const std::vector<std::uint32_t>& pointed_to() const {
        return pointed_to_;
    }
    // All .shared variables: a unit's, then each of its functions', in text order.
    [[nodiscard]] const std::vector<const ptx::Variable*>& shared() const {
        return shared_;
    }
    [[nodiscard]] std::uint32_t shared_index(const ptx::Variable*) const;

private:
    struct Function {
        std::uint32_t unit = 0;
        const ptx::Function* function = nullptr;
    };
    // The names that are visible to all units.
    struct Shown {
        std::unordered_map<std::string_view, const ptx::Variable*> variables;
        std::unordered_map<std::string_view, Function> functions;
    };
    void show(std::uint32_t unit, Shown& shown) const;
    void resolve_variables(UnitNames& unit, const Shown& shown);
    void resolve_functions(std::uint32_t unit, const Shown& shown);
    void add_shared(const ptx::Module& unit);
    void find_pointed_to(const UnitNames& unit);

    std::vector<UnitNames> units_;
    std::vector<const ptx::Function*> functions_;
    std::vector<std::uint32_t> unit_of_;                               // by function
    std::unordered_map<const ptx::Function*, std::uint32_t> index_of_; // looked up only, as shared_index_
    std::vector<std::uint32_t> pointed_to_;
    std::vector<const ptx::Variable*> shared_;
    std::unordered_map<const ptx::Variable*, std::uint32_t> shared_index_;
};

class Names {
public:
    Names(const UnitNames& unit, const ptx::Function& function);

    // `at`: index of the instruction that uses the name.
    [[nodiscard]] Symbol find(std::string_view name, std::uint32_t at) const;
    // In the initialiser of a variable, which knows the variables before it. `local`: its index in Function::locals.
    [[nodiscard]] Symbol find_before(std::string_view name, std::uint32_t local) const;
    // Index in Function::body of the instruction behind the label; body.size() at the end.
    [[nodiscard]] std::optional<std::uint32_t> label(std::string_view name, std::uint32_t at) const;

    // A hint for an unknown `name`: the nearest name, or the length of its register list. Begins with "; " or is empty.
    [[nodiscard]] std::string hint(std::string_view name, std::uint32_t at) const;
    [[nodiscard]] std::string label_hint(std::string_view name, std::uint32_t at) const;

private:
    // The declarations of one name in a function's body, in text order.
    struct Declaration {
        std::uint32_t local = 0;     // index in Function::locals
        std::uint32_t outer = kNone; // place in the list of the declaration whose scope is around this one's
    };
    static constexpr std::uint32_t kNone = 0xffff'ffffU;
    using Declarations = std::unordered_map<std::string_view, std::vector<Declaration>>;

    void declare(Declarations& map, std::string_view name, std::uint32_t local) const;
    [[nodiscard]] const ptx::Local* innermost(std::string_view name, std::uint32_t at, bool list,
                                              std::uint32_t& index) const;

    const UnitNames& unit_;
    const ptx::Function& function_;
    Declarations locals_;
    Declarations lists_; // of `%r<n>`, by base name
    std::unordered_map<std::string_view, Symbol> formals_;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> labels_;
};

} // namespace heddle::ir
