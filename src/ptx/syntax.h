// The syntax tree of a PTX module, as close to the text as later passes allow. All string views
// point into the module's source text, which the module keeps alive.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "base/types.h"

namespace heddle::ptx {

enum class Type : std::uint8_t {
    None,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    B8,
    B16,
    B32,
    B64,
    B128,
    F16,
    F16x2,
    BF16,
    BF16x2,
    TF32, // result of cvt from f32, for products of matrices
    // Formats of 4 to 8 bits, two or four numbers in a register.
    E4M3x2,
    E5M2x2,
    E2M3x2,
    E3M2x2,
    E2M1x2,
    UE8M0x2,
    E4M3x4,
    E5M2x4,
    E2M3x4,
    E3M2x4,
    E2M1x4,
    // Two numbers in a register.
    U16x2,
    S16x2,
    F32x2,
    F32,
    F64,
    Pred,
    // Opaque: declared, never computed with.
    Texref,
    Samplerref,
    Surfref,
};

// Size of one element in bytes; 1 for Pred, 0 for None.
[[nodiscard]] unsigned size_of(Type);
[[nodiscard]] bool is_float(Type);
[[nodiscard]] bool is_half(Type);             // f16, bf16 and pairs of them
[[nodiscard]] bool is_packed(Type);           // f16x2, bf16x2
[[nodiscard]] bool is_opaque(Type);           // texref, samplerref, surfref
[[nodiscard]] bool has_variables(Type);       // not the types of instructions alone: e4m3x2 .. f32x2
[[nodiscard]] bool is_small_float(Type);      // two or four numbers of 4 to 8 bits
[[nodiscard]] bool is_signed(Type);           // s8 .. s64, s16x2
[[nodiscard]] std::string_view name_of(Type); // "u32", "pred", ...
// The type that a suffix names ("u32", without the dot); None when it names none.
[[nodiscard]] Type type_named(std::string_view);

// SharedCluster: the shared memory of all blocks of a cluster.
enum class Space : std::uint8_t { Generic, Reg, Const, Global, Local, Param, Shared, SharedCluster };
[[nodiscard]] std::string_view name_of(Space);

// One value of an initialiser: a number, or the address of a symbol plus an offset.
struct InitialValue {
    enum class Kind : std::uint8_t { Integer, Float, Symbol } kind = Kind::Integer;
    std::uint64_t bits = 0;   // Integer: the value; Float: an f64's bits
    std::string_view symbol;  // Symbol
    std::int64_t offset = 0;  // Symbol
    bool generic = false;     // generic(symbol)
    std::uint8_t byte = 0xff; // mask(symbol): which byte of the address; 0xff: all of it
    Position where;
};

// A field in the initialiser of an opaque variable: a word, or a number where `word` is empty.
struct OpaqueField {
    std::string_view name, word;
    std::uint64_t number = 0;
    Position where;
};

struct Variable {
    std::string_view name;   // a parametrised register list `%r<10>` gives base "%r", count 10
    std::uint32_t count = 0; // 0: a plain variable; else registers name0 .. name(count-1)
    Space space = Space::Reg;
    Type type = Type::None;
    std::uint8_t vector = 1;            // 1, 2, 4
    std::uint32_t align = 0;            // in bytes, as written; 0: natural
    std::vector<std::uint64_t> extents; // array extents, outermost first; an extent 0 is `[]`
    std::vector<InitialValue> initial;  // flattened in memory order, gaps of nested braces padded with 0
    std::vector<OpaqueField> fields;    // of an opaque variable
    bool is_extern = false;
    bool is_visible = false;
    bool is_weak = false;    // .weak or .common
    bool is_managed = false; // .attribute(.managed): the host program accesses it, too
    Position where;

    // Elements of all extents together; 1 when it is no array, 0 when an extent is open.
    [[nodiscard]] std::uint64_t elements() const;
    [[nodiscard]] std::uint64_t bytes() const;     // elements * vector * size_of(type)
    [[nodiscard]] std::uint32_t alignment() const; // `align`, or the natural one of its (vector) type
};

struct Operand {
    enum class Kind : std::uint8_t {
        Name,    // register, variable, label or function: lowering resolves it in its scope
        Special, // %tid.x ...: `name` as written, component included
        Integer, // `bits`
        Float,   // `bits` = f64 pattern, or f32 pattern when is_f32 (0fXXXXXXXX)
        Address, // [name + offset], [name], [offset]; `name` empty: absolute
        Vector,  // {a, b, ...}: `elements`
        List,    // (a, b, ...): arguments or results of a call
        Sink,    // _
    } kind = Kind::Name;
    bool negated = false; // !p
    bool is_f32 = false;
    bool minus = false; // -name (an operand with a sign in front)
    std::string_view name;
    std::string_view component;    // Name only: v.x -> "x"
    std::uint64_t bits = 0;        // Integer: two's complement
    std::int64_t offset = 0;       // Address, and Name + integer
    std::vector<Operand> elements; // Vector, List; Address: what follows in [map, {x, y}] of textures and tensors
    Position where;
};

struct SourceLine {         // position in the user's program, from .loc
    std::uint32_t file = 0; // index given by .file; 0: not known
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t call = 0; // index in Module::calls + 1: its function is inlined there; 0: not inlined
    auto operator<=>(const SourceLine&) const = default;
};

// A call of a function that the compiler has inlined.
struct InlinedCall {
    SourceLine place;       // of the call; with the call of the function that it stands in, where that is inlined
    std::string_view label; // in section .debug_str, with `offset` bytes behind it: the function's name; may be empty
    std::int64_t offset = 0;
    std::string function; // the name; empty: not known
};

struct Instruction {
    std::string_view opcode;                 // "add"
    std::vector<std::string_view> modifiers; // "rn", "ftz", "f32": in order, without dots
    std::string_view guard;                  // register name of @p; empty when there is none
    bool guard_negated = false;
    std::vector<Operand> operands; // in text order; setp's p|q are two operands with `paired` below
    bool paired = false;           // operand 0 was written d|p : operands 0 and 1 are that pair
    SourceLine source;
    Position where;
};

struct Label {
    std::string_view name;
    std::uint32_t index = 0; // of the instruction that follows, in Function::body
    std::uint32_t begin = 0; // instructions [begin, end) of the braces it stands in:
    std::uint32_t end = 0;   // the same name may stand in several inline-asm blocks
    Position where;
};

// L: .branchtargets a, b;   L: .calltargets f, g;   L: .callprototype (...) _ (...);
struct Targets {
    enum class Kind : std::uint8_t { Branches, Calls, Prototype } kind = Kind::Branches;
    std::string_view name;
    std::vector<std::string_view> targets;     // labels or functions
    std::vector<Variable> results, parameters; // of a prototype
    Position where;
};

// A variable declared in a function's body. Scopes nest by braces; a name is visible from its
// declaration to the end of its scope.
struct Local {
    Variable variable;
    std::uint32_t begin = 0; // instruction indices [begin, end) where it is visible
    std::uint32_t end = 0;
};

struct Function {
    std::string_view name;
    bool is_entry = false;
    bool is_extern = false;
    bool is_visible = false;
    bool is_weak = false;
    bool is_noreturn = false;
    bool has_body = false;
    std::vector<Variable> results; // .func only
    std::vector<Variable> parameters;
    std::vector<Local> locals;
    std::vector<Label> labels;
    std::vector<Targets> targets;
    std::vector<Instruction> body;
    std::uint32_t max_threads = 0;      // .maxntid product; 0: none
    std::uint32_t least_blocks = 0;     // .minnctapersm; 0: none
    std::uint32_t most_registers = 0;   // .maxnreg; 0: none
    std::uint32_t required_threads = 0; // .reqntid product; 0: none
    Dim3 required_block{0, 0, 0};       // .reqntid as written
    Dim3 required_cluster{0, 0, 0};     // .reqnctapercluster; zero: none
    std::uint32_t largest_cluster = 0;  // .maxclusterrank; 0: none
    bool explicit_cluster = false;      // .explicitcluster: a launch has to say the cluster's shape
    bool blocks_are_clusters = false;   // .blocksareclusters: a launch counts the grid in clusters
    Position where;
    Position end; // of the closing brace
};

// .alias name, function;  both are declared functions, and only the second has a body.
struct Alias {
    std::string_view name;
    std::string_view function;
    Position where;
};

struct SourceFile {
    std::uint32_t index = 0; // of the .file directive
    std::string name;
};

struct Module {
    std::shared_ptr<const SourceText> source;
    std::uint32_t version_major = 0;
    std::uint32_t version_minor = 0;
    std::string_view target;   // "sm_75"
    bool for_debugger = false; // .target ..., debug
    std::uint32_t address_size = 64;
    std::vector<SourceFile> files;
    std::vector<InlinedCall> calls;  // each once
    std::vector<Variable> variables; // module scope: .global .const .shared (and .extern ones)
    std::vector<Function> functions; // in text order; a declaration and its definition both appear
    std::vector<Alias> aliases;
};

} // namespace heddle::ptx
