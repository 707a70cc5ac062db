// Instructions of a function to the micro-ops of a draft.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "ir/isa/forms.h"
#include "ir/isa/matrix_words.h"
#include "ir/isa/modifiers.h"
#include "ir/isa/names.h"
#include "ir/linking/layout.h"
#include "ir/lower.h"
#include "ir/selection/draft.h"

namespace heddle::ir {

// Shared data of a unit's functions during lowering.
struct Context {
    const ModuleNames& names;
    const UnitNames& unit; // names of the unit
    const VariableAddress& address_of;
    Diagnostics& diagnostics;
};

// The latency class of an operation of the type; the 16-bit formats belong to f32.
[[nodiscard]] Domain domain_of(Type type);

class Selector {
public:
    // `drafts_of[i]`: the draft of ModuleNames::functions()[i], by index; its body is filled elsewhere.
    Selector(const Context& context, const ptx::Function& function, Draft& draft);

    // Fills draft.ops and their tables. Reports errors to the diagnostics and goes on behind each.
    void run();

private:
    using Operand = ptx::Operand;
    enum class Width : std::uint8_t { Exact, AtLeast }; // a register's size against the operation's
    struct CallOperands {
        const std::vector<Operand>& results;
        const std::vector<Operand>& arguments;
        bool by_pointer = false;
    };

    // select.cpp
    void instruction();
    void execute(Opcode opcode, const Modifiers& modifiers, const Form& form);
    [[nodiscard]] const Form* choose_form(Opcode opcode, const Modifiers& modifiers);
    [[nodiscard]] bool check_groups(const Form& form, const Modifiers& modifiers);
    [[nodiscard]] MicroOp start(Opcode opcode, const Modifiers& modifiers) const;
    std::uint32_t emit(const MicroOp& op);
    void placeholder(Opcode opcode);
    void finish_labels();
    [[nodiscard]] bool guard();
    [[nodiscard]] bool count(std::size_t least, std::size_t most);
    void error(Position where, std::string message);
    [[nodiscard]] std::string text() const;

    // operands.cpp: each reports errors, and returns nothing then
    [[nodiscard]] std::optional<Place> source(const Operand& operand, Type type, Width width = Width::Exact);
    [[nodiscard]] std::optional<Place> destination(const Operand& operand, Type type, Width width = Width::Exact,
                                                   bool sink = false);
    [[nodiscard]] std::optional<Place> predicate(const Operand& operand, bool& negated);
    [[nodiscard]] std::optional<Place> predicate_destination(const Operand& operand, bool sink);
    [[nodiscard]] std::optional<Place> register_of(const Operand& operand, Type type, Width width);
    [[nodiscard]] std::optional<Place> immediate(const Operand& operand, Type type);
    [[nodiscard]] std::optional<Place> address_constant(const Operand& operand, const Symbol& symbol, Type type);
    [[nodiscard]] std::optional<std::int64_t> integer(const Operand& operand, std::string_view what);
    [[nodiscard]] bool check_type(const Operand& operand, Type has, Type wants, Width width);
    [[nodiscard]] Place virtual_register(const Symbol& symbol, std::string_view component);
    [[nodiscard]] Place temporary(Type type);
    [[nodiscard]] Place constant(const Constant& constant);
    [[nodiscard]] Place constant(std::uint64_t bits, bool wide = false);
    [[nodiscard]] std::optional<Constant> address_of(const Operand& operand, const Symbol& symbol);
    [[nodiscard]] std::uint8_t storage(Place place) const;
    [[nodiscard]] Symbol symbol(const Operand& operand);

    // The families, by file
    void by_signature(MicroOp op, const Form& form); // select_alu.cpp
    void select_compare(MicroOp op, const Modifiers& modifiers);
    void select_lop3(MicroOp op);
    void select_elements(Opcode opcode); // select_elements.cpp
    [[nodiscard]] std::optional<Place> chosen_elements(const Operand& from, Place a, Place b, unsigned elements);
    void select_carry(MicroOp op, const Modifiers& modifiers); // select_carry.cpp
    [[nodiscard]] Place carry_flag();
    void select_move(MicroOp op); // select_move.cpp
    void select_special(MicroOp op);
    [[nodiscard]] std::optional<Place> special_operand(const Operand& operand, Type type);
    [[nodiscard]] bool read_special(MicroOp& op, const Operand& operand);
    void select_pack(MicroOp op, const Operand& vector);
    void select_unpack(MicroOp op, const Operand& vector);
    void select_convert(MicroOp op, const Modifiers& modifiers);
    void select_convert_pair(MicroOp op);
    void select_convert_tf32(MicroOp op);
    void select_cvta(MicroOp op);
    void select_isspacep(MicroOp op);
    void select_load(MicroOp op, const Modifiers& modifiers); // select_memory.cpp
    void select_store(MicroOp op, const Modifiers& modifiers);
    void select_atomic(MicroOp op, const Modifiers& modifiers);
    [[nodiscard]] bool base(const Operand& operand, MicroOp& op, std::uint8_t& bytes);
    [[nodiscard]] bool symbol_base(const Operand& operand, const Symbol& symbol, MicroOp& op);
    [[nodiscard]] std::vector<Operand> elements(const Operand& operand, unsigned wanted);
    [[nodiscard]] bool elements_to(const Operand& operand, MicroOp& op);
    [[nodiscard]] bool elements_from(const Operand& operand, MicroOp& op, std::size_t first);
    [[nodiscard]] bool memory_operands(std::size_t plain, const Modifiers& modifiers);
    void select_async(); // select_async.cpp
    void copy(unsigned bytes, const Operand* partly);
    void copy_bytes(unsigned first, unsigned bytes, Place valid);
    void zero_bytes(unsigned first, unsigned bytes, Place valid);
    void select_barrier_object(); // select_barrier_object.cpp
    void select_arrival_of_copies();
    void nothing_to_do(Opcode opcode);
    void init_barrier(Space space);
    void arrive(Space space, Sub how, const Operand* state, const Operand& address, const Operand* arrivals);
    void test_barrier(Space space, bool by_parity);
    void pending_count();
    [[nodiscard]] std::optional<Place> wide_product(const Operand& operand, std::uint32_t factor);
    void select_fetch(MicroOp op, const Modifiers& modifiers); // select_texture.cpp
    void select_surface_load(MicroOp op, const Modifiers& modifiers);
    void select_surface_store(MicroOp op, const Modifiers& modifiers);
    [[nodiscard]] bool object_operands(const Operand& operand, MicroOp& op, bool surface);
    void select_barrier(MicroOp op, const Modifiers& modifiers); // select_sync.cpp
    void select_warp_barrier(MicroOp op);
    void select_shuffle(MicroOp op);
    void select_vote(MicroOp op);
    void select_match(MicroOp op);
    void select_reduction(MicroOp op);
    void select_election(MicroOp op);
    void select_activemask(MicroOp op);
    void select_matrix(Opcode opcode); // select_matrix.cpp
    void select_product(Opcode opcode, const MatrixWords& words);
    void select_ldmatrix(const MatrixWords& words);
    void select_movmatrix(const MatrixWords& words);
    [[nodiscard]] bool matrix_base(const Operand& operand, bool shared_only, MicroOp& op);
    [[nodiscard]] std::optional<std::vector<Place>> fragment_registers(const Operand& operand, const Fragment& fragment,
                                                                       bool written);
    void select_wmma_access(const MatrixWords& words); // select_wmma.cpp
    [[nodiscard]] Place piece_address(const MicroOp& access, Place lines_apart, const PieceOfMatrix& piece);
    void access_in_order(const MicroOp& access, Place lines_apart, const Fragment& f, std::span<const Place> registers);
    void access_across(const MicroOp& access, Place lines_apart, const Fragment& f, std::span<const Place> registers);
    void move_piece(MicroOp access, Place address, Type type, std::span<const Place> registers);
    void multiply_in_parts(Opcode opcode, Matrix x, const std::vector<Place>& d,
                           const std::array<std::vector<Place>, 3>& sources);
    void emit_product(Opcode opcode, const Matrix& matrix, std::span<const Place> results);
    void copy_register(Place to, Place from);
    void wait_for_warp();
    void select_branch(MicroOp op); // select_control.cpp
    void select_table_branch();     // select_table.cpp
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> branch_targets(const Operand& operand);
    [[nodiscard]] static MicroOp jump();
    void branch_among(Place index, Place high, std::span<const std::uint32_t> targets, std::uint32_t first);
    void select_return(MicroOp op);
    void select_call(MicroOp op);
    void call_by_name(MicroOp op, const ptx::Operand& callee, std::uint32_t function, const CallOperands& with);
    void call_by_pointer(const MicroOp& op, const ptx::Operand& pointer,
                         const CallOperands& with); // select_pointer.cpp
    [[nodiscard]] bool fits(const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal);
    void compare(Sub how, Type type, Place to, Place a, Place b);
    void prologue();
    void store_results();
    [[nodiscard]] bool arguments(const std::vector<Operand>& actual, const std::vector<ptx::Variable>& formal,
                                 const std::vector<std::uint32_t>& offsets, bool results, CallSite& site,
                                 std::vector<MicroOp>& moves);

    const Context& context_;
    const ptx::Function& function_;
    Draft& draft_;
    Names names_;
    Formals formals_;           // of a .func
    ParameterBlock parameters_; // of an entry
    Area locals_;
    Area params_;
    const ptx::Instruction* now_ = nullptr;
    std::uint32_t at_ = 0; // its index
    Place guard_ = kNowhere;
    Place carry_flag_ = kNowhere;
    std::vector<std::uint32_t> first_op_;                // by instruction; one more for the end
    std::vector<std::uint32_t> branches_;                // ops whose target is still an instruction index
    std::unordered_map<std::uint64_t, Place> registers_; // by owner, index, number and component
    struct ConstantHash {
        std::size_t operator()(const Constant& c) const;
    };
    std::unordered_map<Constant, Place, ConstantHash> constants_;
};

} // namespace heddle::ir
