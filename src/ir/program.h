// Lowered code of all modules of a device, executed by the core and exec.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "base/types.h"
#include "ir/control_bits.h"
#include "ir/isa/matrix.h"
#include "ir/micro_op.h"
#include "ir/native_instruction.h"

namespace heddle::ir {

// The source position of a micro-op, for messages and attribution.
struct Origin {
    std::uint32_t unit = 0;        // index in Program::units
    Position where;                // in the PTX text
    std::uint32_t source_file = 0; // index in UnitInfo::files + 1; 0: no .loc
    std::uint32_t source_line = 0;
    std::uint32_t function = 0; // index in Program::functions
    std::uint32_t call = 0;     // index in UnitInfo::calls + 1; 0: its source line is not of an inlined function
};

struct InlinedCall {        // the call of a function that the compiler has inlined
    std::uint32_t file = 0; // index in UnitInfo::files + 1; 0: not known
    std::uint32_t line = 0;
    std::uint32_t call = 0; // of the function that has the call: as Origin::call
    std::string function;   // that is called, as the PTX names it; empty: not known
};

struct UnitInfo { // a text of a module
    std::shared_ptr<const SourceText> source;
    std::vector<std::string> files; // user source files, as .file names them
    std::vector<InlinedCall> calls;
};

struct Parameter {
    std::uint32_t offset = 0; // in the parameter block
    std::uint32_t bytes = 0;
    std::uint32_t alignment = 1;
    ptx::Type type = ptx::Type::None;
    std::string name;
};

// A call site: how argument bytes reach the callee and results come back. Parameters of functions
// live in thread-local memory at fixed offsets (`.param` of a .func body), so a call copies bytes.
struct Call {
    struct Copy {
        std::uint32_t from = 0, to = 0, bytes = 0; // offsets in the thread's local memory
    };
    std::vector<Copy> arguments; // done at the call
    std::vector<Copy> results;   // done at the return
    // A call inside a recursive cycle saves these ranges of the caller's frame and local memory in a
    // side stack and restores them at the return; empty otherwise. Order: at the call save, then copy
    // arguments; at the return read the result bytes, restore, then write them. The caller's .local variables lie on
    // the thread's stack (ir/selection/stack.cpp), and stay there.
    std::uint32_t save_slot = 0, save_slots = 0; // of 32-bit registers, in 128-byte slots
    std::vector<std::uint32_t> save_wide;        // first slots of the 64-bit registers that live across the call
    std::uint32_t save_predicate = 0, save_predicates = 0; // in predicates, counted from the first
    std::uint32_t save_param = 0, save_param_bytes = 0;    // .param variables, in local memory
};

// A call of a function of the device's runtime, which has no body in the program: one micro-op.
struct SystemCall {
    enum class Function : std::uint8_t {
        Print,  // int vprintf(const char* format, void* arguments)
        Assert, // void __assertfail(const char* message, const char* file, unsigned line, const char* function, size_t)
        BadFree, // void __heddle_bad_free(void* pointer): the pointer passed to free() is no block of the heap
    };
    static constexpr std::uint32_t kNoResult = 0xffffffffU;
    Function function = Function::Print;
    std::vector<std::uint32_t> arguments; // offsets in the thread's local memory
    std::uint32_t result = kNoResult;     // offset of the result; kNoResult: no result, or it is dropped (_)
};

struct Function {
    std::string name;
    Pc begin = 0, end = 0; // micro-ops of this function (a copy for each kernel)
};

// Micro-ops on registers that execute together with the one at `pc`: those before it compute its sources, those behind
// it take its results. Native code has instructions that are several micro-ops (native/execute/expand.h).
struct Steps {
    Pc pc = 0;
    std::vector<MicroOp> before, behind;
};

// An entry of a kernel's pool whose value is known at launch: 4 or 8 bytes of the parameter block, or 4 of a special
// register that all threads of a grid read alike (%ntid, %nctaid), or bytes of constant memory.
struct LaunchConstant {
    Place place = 0; // in the pool
    std::uint32_t bytes = 4;
    std::uint32_t parameter = 0;                       // offset in the parameter block
    SpecialRegister special = SpecialRegister::kCount; // kCount: a parameter
    Address memory = 0;                                // 0: no constant memory
};

// A variable in constant memory.
struct ConstantVariable {
    Address begin = 0;
    std::uint64_t bytes = 0;
};

struct Kernel {
    std::string name;         // mangled, as in the PTX
    std::uint32_t module = 0; // index in Program::modules
    Address address = 0;      // of the function, as code of the module sees it
    Pc entry = 0;
    Pc begin = 0, end = 0; // all micro-ops of the kernel and the functions it reaches
    std::vector<Parameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::uint32_t slots = 0; // 32-bit register slots for each thread, callees included, after colouring
    std::uint32_t predicates = 0;
    // Of these, the last ones, whose values no instruction leaves to another (Steps).
    std::uint32_t temporary_slots = 0, temporary_predicates = 0;
    std::uint32_t registers = 0;      // 32-bit registers for each thread by liveness, for occupancy
    std::uint32_t code_registers = 0; // of a compiler's code, where `registers` leave a block no room; 0: not known
    std::uint32_t local_bytes = 0;    // thread-local memory, callees and call parameters included
    std::uint32_t declared_local_bytes = 0; // of it, .local variables only, for the timing of local memory
    std::uint32_t spill_base = UINT32_MAX;  // where spilled registers begin in it, if there are any
    std::uint32_t static_shared = 0;        // bytes of .shared variables; dynamic shared memory starts here, aligned 16
    bool reads_reserved_shared = false;     // names %reserved_smem_offset_...
    std::uint32_t max_threads = 0;          // .maxntid; 0: none
    std::uint32_t least_blocks = 0;         // .minnctapersm: blocks that an SM has room for; 0: none
    std::uint32_t most_registers = 0;       // .maxnreg; 0: none
    Dim3 required_block{0, 0, 0};           // .reqntid; zero: none
    Dim3 required_cluster{0, 0, 0};         // .reqnctapercluster; zero: none
    std::uint32_t largest_cluster = 0;      // .maxclusterrank; 0: none
    bool explicit_cluster = false;          // .explicitcluster: a launch has to say the cluster's shape
    bool blocks_are_clusters = false;       // .blocksareclusters: a launch counts the grid in clusters
    bool for_debugger = false;              // .target ..., debug: its compiler leaves loops as they are
    std::size_t pool_begin = 0;             // of this kernel's constants in Program::pool, in bytes
    std::vector<LaunchConstant> launch_constants;
    // Opcodes that cannot execute yet, first occurrence each: an error when this kernel is launched.
    std::vector<Pc> not_executable;
    // Calls of .extern functions without a body, first occurrence each: also an error when this kernel is launched.
    std::vector<std::pair<Pc, std::string>> undefined_calls;
};

struct Program {
    std::vector<MicroOp> ops;
    std::vector<Origin> origins; // parallel to ops
    std::vector<Steps> steps;    // ascending by PC
    // By PC, up to the last one of native code.
    std::vector<ControlBits> control_bits;
    std::vector<NativeInstruction> native; // likewise
    std::vector<Function> functions;
    std::vector<Kernel> kernels;
    std::vector<Call> calls;
    std::vector<SystemCall> system_calls;
    std::vector<Matrix> matrices;
    std::vector<std::string> modules; // names
    std::vector<ConstantVariable> constant_variables;
    std::vector<UnitInfo> units;
    // Constants in frame shape (micro_op.h). Places with kPool set are byte offsets from the kernel's pool_begin. Never
    // grows while a kernel runs.
    std::vector<std::byte> pool;

    [[nodiscard]] const Kernel* find_kernel(std::uint32_t module, std::string_view name) const;
    // "file.ptx:12:3" and, where .loc gives it, " (kernel.cu:7)".
    [[nodiscard]] std::string describe(Pc) const;
    // The opcode with its modifiers as in the PTX text: "add.rn.f16".
    [[nodiscard]] std::string instruction(Pc) const;
};

} // namespace heddle::ir
