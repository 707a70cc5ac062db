// Operands of instructions to places.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "ir/selection/cursor.h"
#include "ir/selection/emitter.h"
#include "ir/selection/places.h"
#include "ir/selection/variables.h"

namespace heddle::ir {

// The size of a register against the size of the operation's type.
enum class Width : std::uint8_t { Exact, AtLeast };

// Each function that returns an optional value reports an error when it returns nothing.
class Operands {
public:
    // The arguments outlive this object.
    Operands(Cursor& cursor, Places& places, Variables& variables, Emitter& emitter);

    // A register, an immediate, the address of a variable, or a special register, which is read into a temporary first.
    [[nodiscard]] std::optional<Place> source(const Operand& operand, Type type, Width width = Width::Exact);
    // A register. `sink`: `_` is allowed, and gives kNowhere.
    [[nodiscard]] std::optional<Place> destination(const Operand& operand, Type type, Width width = Width::Exact,
                                                   bool sink = false);
    // A predicate or an integer. `negated`: whether it is written !p.
    [[nodiscard]] std::optional<Place> predicate(const Operand& operand, bool& negated);
    [[nodiscard]] std::optional<Place> predicate_destination(const Operand& operand, bool sink);
    // The register that the operand names, whatever the operand's kind is.
    [[nodiscard]] std::optional<Place> register_of(const Operand& operand, Type type, Width width);
    // The handle of an opaque variable, which `symbol` is.
    [[nodiscard]] std::optional<Place> handle_of(const Operand& operand, const Symbol& symbol);
    // A local address, `offset` behind the one in the register `frame`; of 8 bytes when the offset is.
    [[nodiscard]] Place behind_frame(Place frame, const Constant& offset);
    // An integer constant. `what`: its name in the message.
    [[nodiscard]] std::optional<std::int64_t> integer(const Operand& operand, std::string_view what);

private:
    [[nodiscard]] std::optional<Place> name(const Operand& operand, Type type, Width width);
    [[nodiscard]] std::optional<Place> sum(const Operand& operand, Type type, Width width);
    [[nodiscard]] std::optional<Place> complement(const Operand& operand);
    [[nodiscard]] bool check_sign(const Operand& operand);
    [[nodiscard]] std::optional<Place> immediate(const Operand& operand, Type type);
    [[nodiscard]] std::optional<Place> address_constant(const Operand& operand, const Symbol& symbol, Type type);
    [[nodiscard]] std::optional<Place> special(const Operand& operand, Type type);
    [[nodiscard]] bool check_component(const Operand& operand, const ptx::Variable& variable);
    [[nodiscard]] bool check_type(const Operand& operand, Type given, Type required, Width width);

    Cursor& cursor_;
    Places& places_;
    Variables& variables_;
    Emitter& emitter_;
};

} // namespace heddle::ir
