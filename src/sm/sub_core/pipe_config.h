// The pipes of an SM with sub-cores, as a machine file declares them. [pipe.NAME] gives the classes of instructions
// that the pipe executes, their timing, and the number of units. The load/store unit is not a pipe.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/parameter.h"
#include "ir/micro_op.h"
#include "ir/native_instruction.h"
#include "sm/sub_core/pipe_timing.h"
#include "sm/sub_core/tensor_config.h"

namespace heddle::sm {

// The cause of a slot whose instructions wait for the pipe, or for a register that the pipe writes.
enum class PipeKind : std::uint8_t { Alu, Sfu, Dp };

struct PipeConfig {
    static constexpr std::string_view kFamily = "pipe";
    std::uint64_t width = 1; // 0: the machine has no such pipe
    std::uint64_t collectors = 1;
    bool shared = true;
    std::string kind = "alu";
    // "latency/interval" by class of instruction; empty: the pipe does not execute it.
    std::string int_add, int_max, int_mul, int_mad, int_div;
    std::string fp32_add, fp32_max, fp32_mul, fp32_mad, fp32_div;
    std::string fp64_add, fp64_max, fp64_mul, fp64_mad, fp64_div;
    std::string logic;
    std::string special;
    std::string shuffle;
    static std::span<const config::Parameter<PipeConfig>> parameters();
    // Problems of all pipes of a machine: timings that cannot be read, classes that no pipe executes.
    static std::vector<std::string> problems(const config::Machine& machine);
};

// The uniform path of chips from Turing on, a pipe "uniform" of each sub-core; machines without the section have none.
struct UniformConfig {
    static constexpr std::string_view kSection = "uniform";
    static constexpr bool kOptional = true;
    std::uint64_t latency = 0;
    std::uint64_t interval = 1;
    std::uint64_t vector_latency = 0;
    static std::span<const config::Parameter<UniformConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems() const;
};

// Classes of native instructions (ir::NativeInstruction) with a timing of their own: "PIPE latency/interval"; empty: as
// the class of their operation in [pipe.NAME]. Of several pipes, the one that can begin an instruction first takes it.
struct ClassesConfig {
    static constexpr std::string_view kSection = "classes";
    static constexpr bool kOptional = true;
    std::string popc, flo, half, convert, convert_wide, compare, single, redux;
    static std::span<const config::Parameter<ClassesConfig>> parameters();
    [[nodiscard]] std::vector<std::string> problems(const config::Machine& machine) const;
    [[nodiscard]] unsigned unions() const; // several pipes that execute a class together
};

// Which pipe executes a class of instructions: of several, the one that is declared first.
class PipeTable {
public:
    static constexpr unsigned kMost = 8;
    static constexpr unsigned kMostWithUnits = 7; // of them

    struct Spec {
        std::string name;
        PipeKind kind = PipeKind::Alu;
        unsigned width = 1;
        unsigned collectors = 1;
        bool shared = true; // by all sub-cores
        // Bit p: pipe p executes the instructions of this one, which has no units; 0: it has.
        std::uint8_t members = 0;
    };
    struct Place {
        unsigned pipe = 0; // index of spec()
        PipeTiming timing;
    };

    // The machine must have no problems().
    explicit PipeTable(const config::Machine& machine);

    [[nodiscard]] std::span<const Spec> specs() const {
        return specs_;
    }
    [[nodiscard]] unsigned count() const {
        return static_cast<unsigned>(specs_.size());
    }
    // `work` is not Memory, which no pipe executes. Control takes the pipe and timing of Logic.
    [[nodiscard]] Place place(ir::Work work, ir::Domain domain) const;
    // Of a micro-op that is no access to memory: as above, but for operations of all lanes with a timing of their own.
    [[nodiscard]] Place place(const ir::MicroOp& op) const;
    // Nothing: no tensor unit multiplies such matrices, place() of the micro-op holds.
    [[nodiscard]] std::optional<Place> place(const ir::Matrix& matrix) const;
    // Whether a product is on its way while the program goes on (warpgroup_products.h).
    [[nodiscard]] bool is_asynchronous(const ir::Matrix& matrix) const;
    // Null: the class has no timing of its own. Instructions of the uniform path are then executed as those on vector
    // registers.
    [[nodiscard]] const Place* place(ir::NativeInstruction::Class type) const {
        const auto& own = own_[static_cast<std::size_t>(type)];
        return own ? &*own : nullptr;
    }

private:
    // Adds a pipe of each sub-core that no [pipe.NAME] declares. Returns its index.
    unsigned add_unit(std::string_view name, unsigned collectors);
    // The index of the pipe of that name; of several names, of a pipe without units that stands for them.
    unsigned index_of(std::string_view names);

    std::vector<Spec> specs_;
    std::vector<PipeConfig> configs_; // by the index of specs_
    static constexpr auto kOwnClasses = static_cast<std::size_t>(ir::NativeInstruction::Class::Other) + 1;
    std::array<std::optional<Place>, kOwnClasses> own_; // by ir::NativeInstruction::Class
    std::optional<Place> single_;                       // ClassesConfig::single
    std::optional<Place> redux_;                        // ClassesConfig::redux
    TensorConfig tensor_;
    WarpgroupConfig warpgroup_;
    std::uint64_t sub_cores_;
    unsigned tensor_pipe_ = 0;
};

} // namespace heddle::sm
