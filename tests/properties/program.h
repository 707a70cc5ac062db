// Random programs as data: what the generator makes, the PTX text shows and the reference runs.
//
// An instruction here is one PTX instruction, so that threads' instructions can be counted; only a call is several, for
// its arguments and its result. Every thread works on cells of its own; threads meet in counters (with operations that
// commute) and, between barriers, in shared memory: what a program leaves does not depend on the order of its threads.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::properties {

enum class Op : std::uint8_t {
    // d = a op b, of 32 bits
    Move, // d = b
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    Minimum,
    Maximum,
    ShiftRight,
    Remainder,
    Select,   // d = predicate p ? a : b
    Test,     // predicate d = a relation b
    Both,     // predicate d = d and predicate p
    WideMad,  // wide register d += a * b
    WideMove, // wide register d = a
    Upper,    // d = upper half of wide register a
    Special,  // d = what `special` says
    // Memory. Indexed: the word that register kTemporary says, from `offset` on; an Index makes that address before.
    Base, // a step of making addresses, number `offset`
    Index,
    Load,
    Store,  // of a
    Reduce, // atomic operation with a on a counter
    Fetch,  // the same with its result, which is not used
    // Control
    Branch,
    Call, // d = function `target` (a, fuel - 1)
    StoreResult,
    Return,
    Exit,
    Barrier,
    Shuffle, // d = a of the thread b lanes below; its own in the first b lanes
    Ballot,  // d = the live threads of the PTX warp whose predicate p is true
};

enum class Relation : std::uint8_t { Equal, NotEqual, Less, AtLeast };
enum class Special : std::uint8_t { Tid, Ctaid, Argument, Fuel, Caller };
enum class Atomic : std::uint8_t { Add, Minimum, Maximum, Xor };

enum class Space : std::uint8_t {
    Cells,          // global; word k of all threads side by side
    Spread,         // global; the words of a thread side by side
    Local,          // .local variable of the main function
    Shared,         // word k of all threads of the block side by side
    Neighbour,      // Shared, of the thread of the block that register kTemporary says
    Counters,       // global, of all threads: kEach for each kind of Atomic
    SharedCounters, // of the block; only sums
};

inline constexpr unsigned kData = 6; // registers 0 .. kData - 1 are what a program computes with
inline constexpr unsigned kLoops = 4;
inline constexpr unsigned kCounter = kData; // of loops, by depth
inline constexpr unsigned kTemporary = kCounter + kLoops;
inline constexpr unsigned kTid = kTemporary + 1; // in the block
inline constexpr unsigned kThread = kTid + 1;    // in the grid
inline constexpr unsigned kFuel = kThread + 1;
inline constexpr unsigned kJunk = kFuel + 1; // is never read
inline constexpr unsigned kRegisters = kJunk + 1;
inline constexpr unsigned kWide = 2;
inline constexpr unsigned kBaseSteps = 8;       // all of a kernel's Base steps
inline constexpr unsigned kGlobalBaseSteps = 5; // the first, which a function needs
inline constexpr unsigned kPredicates = 4;      // 0, 1: data; 2, 3: for a test and its branch

inline constexpr unsigned kCells = 8;           // words of a thread that a program works on, a space
inline constexpr unsigned kOut = kData + kWide; // and those in Cells for what is left in registers
inline constexpr unsigned kSharedCells = 2;
inline constexpr unsigned kSharedCounters = 4;
inline constexpr unsigned kEach = 4;
inline constexpr unsigned kCounters = 4 * kEach;
// What a counter is before: 0, but all ones for those that hold minima.
constexpr std::uint32_t counter_before(unsigned counter) {
    return counter / kEach == static_cast<unsigned>(Atomic::Minimum) ? 0xffffffffU : 0;
}

struct Operand {
    bool is_register = false;
    std::uint32_t value = 0;
};

struct Guard {
    int predicate = -1; // none
    bool negated = false;
};

struct Instruction {
    Op op = Op::Move;
    Guard guard = {};
    unsigned d = 0, a = 0, p = 0;
    Operand b = {};
    Relation relation = Relation::Equal;
    Special special = Special::Tid;
    Atomic atomic = Atomic::Add;
    Space space = Space::Cells;
    bool indexed = false;
    unsigned offset = 0; // words
    unsigned target = 0; // a label, or a function
};

struct Function {
    std::string name;
    std::vector<Instruction> code;
    std::vector<std::size_t> labels; // where each stands in `code`
};

struct Shape {
    unsigned block = 32, grid = 1;
    [[nodiscard]] unsigned threads() const {
        return block * grid;
    }
};

struct Program {
    Shape shape;
    std::vector<Function> functions; // the first is the kernel, "main"
};

// The PTX module. Its variables "cells", "spread" and "counters" hold the result.
[[nodiscard]] std::string ptx_of(const Program& program);

} // namespace heddle::properties
