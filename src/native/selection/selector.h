// Selection of native instructions for the ops of a function in SSA form.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "native/function.h"
#include "native/ssa/form.h"
#include "native/target.h"

namespace heddle::native {

// An instruction that the back end has no code for. `what`: its name in PTX.
struct Unsupported : std::runtime_error {
    Unsupported(Pc pc, const std::string& what) : std::runtime_error(what), pc(pc) {}
    Pc pc; // of the micro-op
};

// A value of 64 bits is a pair of registers, the lower word first. Values of 8 and 16 bits are words whose upper bits
// are not defined; operations that see these bits extend their sources first.
class Selector {
public:
    // The arguments outlive this object.
    Selector(const SsaForm& form, const Target& target, Function& out);
    // One block of native code for each block of the form, in its order, or several where a branch is in the code of an
    // operation. Throws Unsupported.
    void run();

private:
    using Place = ir::Place;
    using MicroOp = ir::MicroOp;

    // values.cpp: operands and instructions
    [[nodiscard]] unsigned storage(Place p) const;
    [[nodiscard]] std::uint64_t bits(Place p) const;
    [[nodiscard]] const MicroOp* definition(Place p) const;
    [[nodiscard]] bool shares_guard(std::uint32_t i) const;
    // Its definition, where it has one use, and no guard or that of the op that is selected.
    [[nodiscard]] const MicroOp* only_use(Place p) const;
    [[nodiscard]] Operand value(Place p);                   // the registers of an SSA register
    [[nodiscard]] Operand word(Place p, unsigned half = 0); // may be a constant
    [[nodiscard]] Operand in_register(const Operand& operand);
    [[nodiscard]] Operand pair(Place p); // in registers
    [[nodiscard]] Operand wide(Place p); // a pair, or a constant of 64 bits
    [[nodiscard]] Operand predicate(Place p, bool negated = false);
    [[nodiscard]] Operand group(std::initializer_list<Operand> words);
    [[nodiscard]] Operand group(const std::vector<Operand>& words); // consecutive registers
    [[nodiscard]] Operand extended(Place p, ir::Type type);         // a word of at least 32 defined bits
    [[nodiscard]] Operand number(Place p, ir::Type type, bool ftz); // floating point, signs folded in
    [[nodiscard]] Operand temporary(unsigned width = 1);
    [[nodiscard]] Operand temporary_predicate();
    Instruction& emit(Op op, std::initializer_list<Operand> dst, std::initializer_list<Operand> src);
    [[nodiscard]] Operand kept_constant(const Operand& constant, unsigned width);
    [[nodiscard]] bool is_dimension(const MicroOp& op) const;
    [[nodiscard]] Operand dimension(const MicroOp& op) const;
    void legalise(Instruction& instruction);
    void copy(const Operand& to, const Operand& from);
    void copy_words(const Operand& to, const Operand& from); // all registers of `to`
    [[noreturn]] void refuse() const;
    void set_modifiers(Instruction& instruction) const; // as the micro-op has them
    void stand_for(Instruction& instruction) const;     // the same, and the places that its operands are

    void begin(std::uint32_t i);
    void keep_old(std::uint32_t i);
    void select(const MicroOp& op);
    void select_alu(const MicroOp& op);

    // integer.cpp, wide.cpp, logic.cpp, multiply.cpp
    void select_integer(const MicroOp& op);
    void add(const MicroOp& op);
    void add_wide(const Operand& d, const Operand& a, const Operand& b, bool subtract);
    void carry(const MicroOp& op);
    void minmax(const MicroOp& op);
    void minmax_wide(const MicroOp& op);
    void absolute(const MicroOp& op);
    void shift(const MicroOp& op);
    void shift_wide(const MicroOp& op);
    void funnel(const MicroOp& op);
    void field(const MicroOp& op);
    struct Field {
        std::uint32_t position, length; // bits
    };
    [[nodiscard]] std::optional<Field> known_field(const MicroOp& op, std::size_t first) const;
    [[nodiscard]] Operand shifted_by(std::uint32_t bits, ir::Sub way, const Operand& word); // zeros come in
    [[nodiscard]] bool insert_field(const MicroOp& op);
    [[nodiscard]] bool extract_wide_field(const MicroOp& op);
    void bits_of(const MicroOp& op);
    struct LogicFunction { // of at most three values
        std::array<Place, 3> input;
        unsigned count;
        std::uint8_t table; // LOP3's
    };
    [[nodiscard]] LogicFunction logic_function(const MicroOp& op) const;
    Instruction& emit_logic(Op native, const Operand& to, const LogicFunction& function, unsigned half);
    void logic(const MicroOp& op);
    void predicate_logic(const MicroOp& op);
    void multiply(const MicroOp& op);
    void multiply_wide(const MicroOp& op);
    bool add_product(const MicroOp& op);      // an add of 32 bits that is a multiply-add
    bool add_wide_product(const MicroOp& op); // one of 64 bits
    void compare(const MicroOp& op);
    [[nodiscard]] const MicroOp* tested_logic(const MicroOp& comparison) const;
    void compare_into(const MicroOp& op, const Operand& p, const Operand& q);
    void select_by(const MicroOp& op);
    void set(const MicroOp& op);
    void pack(const MicroOp& op);
    void unpack(const MicroOp& op);
    void move(const MicroOp& op);

    // floating.cpp, convert.cpp
    void select_floating(const MicroOp& op);
    void half(const MicroOp& op);
    void convert(const MicroOp& op);
    void resize(const MicroOp& op);
    [[nodiscard]] bool convert_half(const MicroOp& op);
    void cross_window(const MicroOp& op);

    // division.cpp: routines, and operations that are sequences of instructions
    void routine(const MicroOp& op);
    [[nodiscard]] Instruction standing(const MicroOp& op, Op native);
    // The last instruction of a sequence: it reads `reads` and computes the result of the operation.
    void finish_sequence(const MicroOp& op, Op native, std::initializer_list<Operand> reads);
    // Ends the block: threads for which `fast` holds go on at once, the others behind a call of the routine, whose
    // block is returned. What is selected next is behind both, unless join() says where they meet.
    std::uint32_t call_unless(const Operand& fast, const MicroOp& op);
    void join(std::uint32_t slow);
    void forget_registers();   // of the block, where another one begins
    std::uint32_t add_piece(); // a block of native code in the block of the form that is selected

    // functions.cpp
    bool select_function(const MicroOp& op);
    [[nodiscard]] Operand fused(ir::Type type, const Operand& a, const Operand& b, const Operand& c);
    [[nodiscard]] Operand times(ir::Type type, const Operand& a, const Operand& b);
    [[nodiscard]] Operand compares(Op native, ir::Type type, ir::Sub sub, const Operand& a, const Operand& b,
                                   const Operand& with);
    void function(ir::Opcode which, const Operand& to, const Operand& a);
    // The instruction of a sequence that computes the operation, of these values of its sources.
    void compute_in(const MicroOp& op, Op native, const Operand& to, std::initializer_list<Operand> values,
                    std::initializer_list<Operand> reads);
    // An instruction of a sequence whose result is `value`, which is in `to` where there is a guard: only times depend
    // on what it reads.
    void pass_on(Op native, const Operand& guard, const Operand& to, const Operand& value,
                 std::initializer_list<Operand> reads);
    [[nodiscard]] Operand copied(Place p);
    bool approximate(const MicroOp& op);
    void quotient(const MicroOp& op);
    void reciprocal(const MicroOp& op);
    void root(const MicroOp& op);
    void quotient_wide(const MicroOp& op);
    void reciprocal_wide(const MicroOp& op);
    void root_wide(const MicroOp& op);
    void quotient_approximate(const MicroOp& op, const Operand& to);
    void reciprocal_approximate(const MicroOp& op, const Operand& to);
    void scaled_function(const MicroOp& op, const Operand& to);
    void angle_function(const MicroOp& op, const Operand& to);

    // integer_division.cpp
    bool divide(const MicroOp& op);
    struct Divisor {
        Operand size;   // its absolute value where it is signed
        Operand factor; // 2^32 / size
        bool constant = false;
    };
    struct Division { // of absolute values
        Operand quotient, rest;
        Operand first, second; // whether they need a correction, and another one
    };
    using OperandKey = std::tuple<Operand::Kind, std::uint32_t, std::uint8_t, std::uint64_t>;
    [[nodiscard]] static OperandKey key_of(const Operand& o);
    [[nodiscard]] const Divisor& divisor(const Operand& b, bool is_signed);
    [[nodiscard]] const Division& division(const Operand& a, const Operand& b, bool is_signed);
    void divide_words(const MicroOp& op);
    void finish_division(const MicroOp& op, const Operand& found, const Operand& divisor);
    [[nodiscard]] Operand opposite(const Operand& o);
    [[nodiscard]] const std::array<Operand, 2>& size_and_sign(const Operand& a);
    void divide_pairs(const MicroOp& op);
    [[nodiscard]] Operand reciprocal_of(const Operand& divisor, bool is_signed);
    [[nodiscard]] Operand sum(const Operand& a, const Operand& b);
    [[nodiscard]] Operand sum_wide(const Operand& a, const Operand& b);
    [[nodiscard]] Operand product(Op native, const Operand& a, const Operand& b, const Operand& c);
    [[nodiscard]] Operand upper_product(const Operand& a, const Operand& b);
    [[nodiscard]] Operand product_wide(const Operand& a, const Operand& b);
    [[nodiscard]] Operand chosen(const Operand& p, const Operand& a, const Operand& b);
    [[nodiscard]] Operand compares_wide(ir::Sub sub, const Operand& a, const Operand& b);
    void guarded_sum(const Operand& guard, const Operand& to, const Operand& a, const Operand& b);

    // memory.cpp
    void load(const MicroOp& op);
    void load_packed(const MicroOp& op, Instruction instruction);
    void take_element(Place d, const Operand& from);
    void extend(const Operand& to, const Operand& from, ir::Type type);
    void store(const MicroOp& op);
    // copies.cpp: cp.async
    [[nodiscard]] bool is_copy(std::uint32_t i) const;
    void copy_asynchronously(std::uint32_t i);
    void copy_group(const MicroOp& op);
    void bulk_group(const MicroOp& op);
    // phase_test.cpp
    [[nodiscard]] bool is_phase_test(std::uint32_t i) const;
    void test_phase(std::uint32_t i);
    [[nodiscard]] std::vector<Operand> packed(const std::vector<Operand>& elements, unsigned bytes);
    void atomic(const MicroOp& op);
    void atomic_quad(const MicroOp& op);
    void fence(const MicroOp& op);
    void release(const MicroOp& op);
    void acquire(const MicroOp& op);
    void texture(const MicroOp& op);
    void bulk(const MicroOp& op); // bulk.cpp
    [[nodiscard]] Operand address(const MicroOp& op, Instruction& instruction);
    [[nodiscard]] bool is_operand(const MicroOp& load) const;
    [[nodiscard]] Address known_address(const MicroOp& load) const;
    [[nodiscard]] Operand loaded(const MicroOp& load, Place result, unsigned half) const;

    // piece_address.cpp
    struct PieceBase {
        Place base;
        std::int64_t displacement;
        bool shared; // an address in shared memory
    };
    [[nodiscard]] PieceBase piece_base(const MicroOp& access, Place base) const;
    [[nodiscard]] Operand piece_offset(Place address);
    [[nodiscard]] Operand piece_address(const MicroOp& op, Instruction& instruction);

    // warp.cpp, control.cpp, phis.cpp
    void special(const MicroOp& op);
    void warp(const MicroOp& op);
    [[nodiscard]] Operand member(const Operand& mask); // as an instruction reads it: an immediate or a register
    void product(const MicroOp& op);
    [[nodiscard]] std::array<Operand, 3> fragments(const ir::Matrix& matrix);
    [[nodiscard]] Operand factor(const std::vector<Operand>& words);
    void multiply_in_memory(const MicroOp& op, const Operand& to, const std::array<Operand, 3>& fragment,
                            const std::array<Operand, 2>& rest);
    void pieces(const MicroOp& op);
    void barrier(const MicroOp& op);
    void control(const MicroOp& op);
    void finish_blocks();
    void place_phis();

    const SsaForm& form_;
    const Target& target_;
    Function& out_;
    std::vector<Operand> values_;            // by SSA register; None: not met yet
    std::vector<std::uint32_t> definitions_; // by SSA register: op, or kNoOp
    std::vector<std::uint32_t> uses_;        // by SSA register
    static constexpr std::uint32_t kNoOp = 0xffffffffU;

    std::vector<std::vector<std::uint32_t>> pieces_; // by block of the form: its blocks of native code, in text order
    std::uint32_t form_block_ = 0;
    std::uint32_t block_ = 0; // of native code
    std::uint32_t op_ = 0;
    Operand guard_;
    // Of the block of native code, in registers:
    std::map<std::tuple<Operand::Kind, std::uint8_t, std::uint64_t, unsigned>, Operand> constants_;
    std::map<std::tuple<Place, std::int64_t>, Operand> offsets_;                      // by distance of lines and piece
    std::map<std::tuple<Place, bool, Place, std::int64_t>, Operand> piece_addresses_; // by base, memory, and as before
    std::map<std::pair<std::uint32_t, std::uint8_t>, std::array<Operand, 2>> signs_;  // by register
    std::map<std::tuple<OperandKey, bool>, Divisor> divisors_;                        // signed or not
    std::map<std::tuple<OperandKey, OperandKey, bool>, Division> divisions_;
    struct Factor { // a factor of a product of matrices
        std::vector<Operand> words;
        Operand group;
    };
    std::vector<Factor> factors_;     // several products often have one
    std::vector<std::uint32_t> kept_; // virtual registers that keep old values under the guard
};

// PRMT's selector of one element of a word, extended to a word.
[[nodiscard]] std::uint32_t element_selector(unsigned offset, unsigned bytes, bool is_signed);
[[nodiscard]] Operand immediate(std::uint64_t value);
[[nodiscard]] Operand zero();
[[nodiscard]] Operand always(bool value = true); // PT or !PT
[[nodiscard]] Operand part_of(Operand operand, unsigned part, unsigned count = 1);
[[nodiscard]] Operand negated(Operand operand);
[[nodiscard]] Operand inverted(Operand operand);

} // namespace heddle::native
