#include "sm/sub_core/tensor_config.h"

#include <algorithm>

#include "ir/isa/matrix_work.h"
#include "sm/sub_core/config.h"

namespace heddle::sm {
namespace {

std::uint64_t interval_of(const ir::Matrix& matrix, std::uint64_t rate, std::uint64_t sub_cores) {
    const std::uint64_t work = ir::multiply_adds(matrix) * sub_cores;
    return std::max<std::uint64_t>(1, (work + rate / 2) / rate);
}

// Registers of a lane that hold the factors of a micro-op. The unit multiplies 16 rows, or as many as there are, by
// eight columns at a time, and takes their factors for each such part.
std::uint64_t factor_registers(const ir::Matrix& matrix) {
    constexpr std::uint64_t kRows = 16, kColumns = 8, kBitsOfRegister = 32 * 32; // of 32 lanes
    const std::uint64_t k = matrix.a.shape.k;
    const std::uint64_t results = ir::multiply_adds(matrix) / k;
    const std::uint64_t rows = std::min(kRows, results / kColumns);
    const std::uint64_t bits =
        rows * k * ir::bits_of(matrix.a.element) + kColumns * matrix.b.shape.k * ir::bits_of(matrix.b.element);
    return results / (rows * kColumns) * ((bits + kBitsOfRegister - 1) / kBitsOfRegister);
}

PipeTiming timing_of(std::uint64_t latency, std::uint64_t interval) {
    const auto cycles = [](std::uint64_t n) {
        return static_cast<std::uint16_t>(std::min<std::uint64_t>(n, PipeTiming::kMostCycles));
    };
    return {cycles(std::max(latency, interval)), cycles(interval)};
}

std::uint64_t rate_of(const TensorConfig& c, const ir::Matrix& matrix) {
    using ir::Element;
    switch (matrix.a.element) {
    case Element::F16:
        return matrix.d.element == Element::F16 ? c.f16 : c.f16_f32;
    case Element::BF16:
        return c.f16_f32;
    case Element::TF32:
        return c.tf32;
    case Element::F64:
        return c.f64;
    case Element::E4M3:
    case Element::E5M2:
        return c.fp8;
    case Element::S8:
    case Element::U8:
        return c.int8;
    case Element::S4:
    case Element::U4:
        return c.int4;
    case Element::B1:
        return c.bits;
    default:
        return 0;
    }
}

std::uint64_t rate_of(const WarpgroupConfig& c, const ir::Matrix& matrix) {
    using ir::Element;
    switch (matrix.a.element) {
    case Element::F16:
    case Element::BF16:
        return c.f16;
    case Element::TF32:
        return c.tf32;
    case Element::E4M3:
    case Element::E5M2:
        return c.fp8;
    case Element::S8:
    case Element::U8:
        return c.int8;
    case Element::B1:
        return c.bits;
    default:
        return 0;
    }
}

} // namespace

std::optional<PipeTiming> TensorConfig::timing(const ir::Matrix& matrix, std::uint64_t sub_cores) const {
    const std::uint64_t rate = rate_of(*this, matrix);
    if (rate == 0)
        return std::nullopt;
    const std::uint64_t bits_of_row = std::uint64_t{matrix.a.shape.k} * ir::bits_of(matrix.a.element);
    const std::uint64_t steps = std::max<std::uint64_t>(1, bits_of_row / step);
    std::uint64_t interval = std::max(least, interval_of(matrix, rate, sub_cores));
    if (factors != 0)
        interval = std::max(interval, (factor_registers(matrix) + factors - 1) / factors);
    return timing_of(latency + (steps - 1) * further, interval);
}

std::optional<PipeTiming> WarpgroupConfig::timing(const ir::Matrix& matrix, std::uint64_t sub_cores) const {
    const std::uint64_t rate = rate_of(*this, matrix);
    if (rate == 0)
        return std::nullopt;
    const std::uint64_t interval = interval_of(matrix, rate, sub_cores);
    return timing_of(interval + (matrix.a_in_memory.present ? tail : tail_registers), interval);
}

std::span<const config::Parameter<TensorConfig>> TensorConfig::parameters() {
    using C = TensorConfig;
    static const config::Parameter<C> table[] = {
        {"f16", &C::f16, "multiply-adds", "0..65536",
         "of f16 with sums of f16, of wmma and mma, that an SM does in a cycle; 0: the pipe of multiply-adds does them",
         "NVIDIA's white papers"},
        {"f16_f32", &C::f16_f32, "multiply-adds", "0..65536", "likewise of f16 and bf16 with sums of f32",
         "NVIDIA's white papers"},
        {"tf32", &C::tf32, "multiply-adds", "0..65536", "likewise of tf32", "NVIDIA's white papers"},
        {"f64", &C::f64, "multiply-adds", "0..65536", "likewise of f64", "NVIDIA's white papers"},
        {"fp8", &C::fp8, "multiply-adds", "0..65536", "likewise of e4m3 and e5m2", "NVIDIA's white papers"},
        {"int8", &C::int8, "multiply-adds", "0..65536", "likewise of integers of 8 bits", "NVIDIA's white papers"},
        {"int4", &C::int4, "multiply-adds", "0..65536", "likewise of integers of 4 bits", "NVIDIA's white papers"},
        {"bits", &C::bits, "multiply-adds", "0..65536", "likewise of single bits", "NVIDIA's white papers"},
        {"latency", &C::latency, "cycles", "1..500",
         "from a product of one step to an instruction that needs its result; not below the cycles that it takes the "
         "unit",
         "Sun et al., arXiv 2206.02874"},
        {"further", &C::further, "cycles", "0..100", "more for each further step", "Sun et al., arXiv 2206.02874"},
        {"step", &C::step, "bits", "32..1024", "of a row of A, zeros of sparse matrices apart, in a step of the unit",
         "Sun et al., arXiv 2206.02874"},
        {"factors", &C::factors, "registers", "0..64",
         "of A and B of a lane that the unit takes in a cycle; 0: as many as there are", "derived"},
        {"least", &C::least, "cycles", "1..100", "between the begins of two products, at least", "assumed"},
    };
    return table;
}

std::span<const config::Parameter<WarpgroupConfig>> WarpgroupConfig::parameters() {
    using C = WarpgroupConfig;
    static const config::Parameter<C> table[] = {
        {"f16", &C::f16, "multiply-adds", "0..65536",
         "of f16 and bf16, of wgmma, that an SM does in a cycle; 0: wgmma waits for its result as mma does",
         "NVIDIA's white papers"},
        {"tf32", &C::tf32, "multiply-adds", "0..65536", "likewise of tf32", "NVIDIA's white papers"},
        {"fp8", &C::fp8, "multiply-adds", "0..65536", "likewise of e4m3 and e5m2", "NVIDIA's white papers"},
        {"int8", &C::int8, "multiply-adds", "0..65536", "likewise of integers of 8 bits", "NVIDIA's white papers"},
        {"bits", &C::bits, "multiply-adds", "0..65536", "likewise of single bits", "NVIDIA's white papers"},
        {"tail", &C::tail, "cycles", "0..500",
         "from the end of a product with A in shared memory, in the unit, to the end of a wait for it",
         "FlashGPU-Sim's measurements"},
        {"tail_registers", &C::tail_registers, "cycles", "0..500", "likewise with A in registers",
         "FlashGPU-Sim's measurements"},
        {"registers_interval", &C::registers_interval, "cycles", "0..100",
         "at least so many between the begins of two products with A in registers", "Luo et al., arXiv 2501.12084"},
        {"shared_bytes", &C::shared_bytes, "bytes", "1..1024", "of factors that come from shared memory in a cycle",
         "Luo et al., arXiv 2501.12084"},
    };
    return table;
}

std::vector<std::string> WarpgroupConfig::problems(const config::Machine& machine) const {
    if (!is_present() || machine.get<TensorConfig>().is_present())
        return {};
    return {"[warpgroup] needs [tensor]: wgmma takes the tensor units of the sub-cores"};
}

} // namespace heddle::sm

HEDDLE_CONFIG_SECTION(heddle::sm::TensorConfig, "tensor units of the sub-cores: products of matrices of a warp")
HEDDLE_CONFIG_SECTION(heddle::sm::WarpgroupConfig, "tensor units of the sub-cores: wgmma, products of four warps")
