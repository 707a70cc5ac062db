// What a name means at an instruction of a function.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "ptx/syntax.h"

namespace heddle::ir {

// The address that stands for a function, by its index in ModuleNames::functions(): nothing can be read there.
[[nodiscard]] constexpr Address code_address(std::uint32_t function) {
    constexpr Address kBegin = 0x0300'0000'0000, kApart = 16;
    return kBegin + kApart * (Address{function} + 1);
}

// Module-wide names, and what the lowering of all functions shares.
class ModuleNames {
public:
    explicit ModuleNames(const ptx::Module& module);

    [[nodiscard]] const ptx::Variable* variable(std::string_view name) const;
    // Index in functions(); an alias gives its target's.
    [[nodiscard]] std::optional<std::uint32_t> function(std::string_view name) const;
    // Functions by first appearance, one entry a name: its definition where there is one, else a declaration.
    [[nodiscard]] const std::vector<const ptx::Function*>& functions() const {
        return functions_;
    }
    // The functions that pointers may point to, sorted: a mov or an initialiser names them.
    [[nodiscard]] const std::vector<std::uint32_t>& pointed_to() const {
        return pointed_to_;
    }
    // All .shared variables: the module's, then each function's, in text order.
    [[nodiscard]] const std::vector<const ptx::Variable*>& shared() const {
        return shared_;
    }
    [[nodiscard]] std::uint32_t shared_index(const ptx::Variable*) const;
    [[nodiscard]] const ptx::Module& module() const {
        return module_;
    }

private:
    void find_pointed_to();

    const ptx::Module& module_;
    std::unordered_map<std::string_view, const ptx::Variable*> variables_;
    std::unordered_map<std::string_view, std::uint32_t> names_;
    std::vector<const ptx::Function*> functions_;
    std::vector<std::uint32_t> pointed_to_;
    std::vector<const ptx::Variable*> shared_;
    std::unordered_map<const ptx::Variable*, std::uint32_t> shared_index_; // looked up only, never walked
};

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

class Names {
public:
    Names(const ModuleNames& module, const ptx::Function& function);

    // `at`: index of the instruction that uses the name.
    [[nodiscard]] Symbol find(std::string_view name, std::uint32_t at) const;
    // Index in Function::body of the instruction behind the label; body.size() at the end.
    [[nodiscard]] std::optional<std::uint32_t> label(std::string_view name, std::uint32_t at) const;

    // Why `name` is not there: what is near, or how far its list goes. Begins with "; " or is empty.
    [[nodiscard]] std::string hint(std::string_view name, std::uint32_t at) const;
    [[nodiscard]] std::string label_hint(std::string_view name, std::uint32_t at) const;

private:
    [[nodiscard]] const ptx::Local* innermost(std::string_view name, std::uint32_t at, bool list,
                                              std::uint32_t& index) const;

    const ModuleNames& module_;
    const ptx::Function& function_;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> locals_; // indices in Function::locals
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> lists_;  // of `%r<n>`, by base name
    std::unordered_map<std::string_view, Symbol> formals_;
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> labels_;
};

} // namespace heddle::ir
