// The variables that a function can address: offsets of its own, addresses of the module's.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/linking/layout.h"
#include "ir/selection/context.h"
#include "ir/selection/cursor.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

class Variables {
public:
    // Notes the shared variables in `draft`. The arguments outlive this object.
    Variables(const Context& context, Cursor& cursor, Draft& draft);

    // The address of a variable plus operand.offset, of 8 bytes. `symbol`: of kind Variable, the one that the operand
    // names. Reports a variable without an address, and returns nothing then.
    [[nodiscard]] std::optional<Constant> address_of(const Operand& operand, const Symbol& symbol);
    // From now on .local variables lie behind `frame`, the register (8 bytes) with an address on the thread's stack.
    // address_of() gives their offsets there.
    void put_locals_behind(Place frame) {
        frame_ = frame;
    }
    // The register that has to be added to a variable's address; kNowhere: none.
    [[nodiscard]] Place frame_of(const Symbol& symbol) const {
        return symbol.variable->space == Space::Local && symbol.owner == Symbol::Owner::Body ? frame_ : kNowhere;
    }
    [[nodiscard]] std::uint32_t local_bytes() const {
        return locals_.bytes;
    }
    // Whether the symbol is a parameter of a kernel: it lies in the parameter block, other formals in local memory.
    [[nodiscard]] bool is_kernel_parameter(const Symbol& symbol) const;

    // The offset of a formal of a .func in parameter memory.
    [[nodiscard]] std::uint32_t formal_offset(Symbol::Owner owner, std::uint32_t index) const;
    // The offset of `bytes` more bytes in parameter memory.
    [[nodiscard]] std::uint32_t reserve_parameter(std::uint32_t bytes, std::uint32_t alignment);
    // The address of an offset in parameter memory.
    [[nodiscard]] static Constant parameter_address(std::uint32_t offset);

    // Writes the sizes of the areas to the draft, and sorts its shared variables.
    void finish();

private:
    const Context& context_;
    Cursor& cursor_;
    Draft& draft_;
    Formals formals_;           // of a .func
    ParameterBlock parameters_; // of an entry
    Area locals_;
    Area params_;
    Place frame_ = kNowhere;
};

} // namespace heddle::ir
