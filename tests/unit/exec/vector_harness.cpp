#include "vector_harness.h"

#include <array>
#include <cstring>
#include <string>

#include <hwy/targets.h>

#include "exec/ops/targets.h"

namespace heddle::exec::test {

namespace {

constexpr std::size_t kStride = 512; // bytes between the places of a test frame: sources do not touch

void store(std::byte* to, const Register& from) {
    if (from.bytes == 0) {
        std::uint32_t mask = 0;
        for (unsigned i = 0; i < 32; ++i) {
            mask |= static_cast<std::uint32_t>(from.lane[i] & 1) << i;
        }
        std::memcpy(to, &mask, sizeof mask);
        return;
    }
    for (unsigned i = 0; i < 32; ++i) {
        std::memcpy(to + std::size_t{i} * from.bytes, &from.lane[i], from.bytes);
    }
}

void load(const std::byte* from, Register& to) {
    if (to.bytes == 0) {
        std::uint32_t mask = 0;
        std::memcpy(&mask, from, sizeof mask);
        for (unsigned i = 0; i < 32; ++i) {
            to.lane[i] = mask >> i & 1;
        }
        return;
    }
    for (unsigned i = 0; i < 32; ++i) {
        to.lane[i] = 0;
        std::memcpy(&to.lane[i], from + std::size_t{i} * to.bytes, to.bytes);
    }
}

unsigned storage(Type type) {
    return type == Type::Pred ? 0 : type != kCount && ptx::size_of(type) == 8 ? 8 : 4;
}

std::uint64_t low_bits(std::uint64_t value, unsigned width) {
    return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::uint64_t pick(const std::vector<std::uint64_t>& from, std::mt19937_64& random) {
    return from[random() % from.size()];
}

std::uint64_t draw_integer(unsigned bits, std::mt19937_64& random) {
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    const std::uint64_t any = random();
    switch (random() % 4) {
    case 0:
        return pick({0, 1, 2, 3, ~std::uint64_t{0}, ~std::uint64_t{1}, top, top - 1, top + 1, top | 1, 7, 10}, random);
    case 1:
        return any >> (random() % 64);
    case 2:
        return ~(any >> (random() % 64));
    default:
        return any;
    }
}

template <class Bits>
std::uint64_t draw_float(unsigned mantissa, unsigned exponent, std::mt19937_64& random) {
    const Bits one = static_cast<Bits>(((Bits{1} << (exponent - 1)) - 1) << mantissa);
    const Bits infinity = static_cast<Bits>(((Bits{1} << exponent) - 1) << mantissa);
    const Bits least_normal = static_cast<Bits>(Bits{1} << mantissa);
    const auto unit = [&](unsigned power) { return static_cast<Bits>(one + (Bits{power} << mantissa)); }; // 2^power
    const Bits sign = static_cast<Bits>(random() & 1) << (mantissa + exponent);
    switch (random() % 4) {
    case 0:
        return sign | pick({0,
                            1,
                            least_normal - 1,
                            least_normal,
                            least_normal + 1,
                            one,
                            one + 1,
                            one - 1,
                            one - least_normal,
                            unit(1),
                            unit(7),
                            unit(8),
                            unit(15),
                            unit(16),
                            unit(31),
                            unit(32),
                            unit(63),
                            unit(64),
                            unit(mantissa),
                            unit(mantissa) - 1,
                            unit(mantissa + 1),
                            infinity - 1,
                            infinity,
                            infinity + 1,
                            infinity | least_normal >> 1,
                            infinity | 0x1234,
                            unit(126)},
                           random);
    case 1: // around 1, with few digits: exact results, ties, cancellation
        return sign | ((one + (static_cast<Bits>(random() % 7) << mantissa) - (Bits{3} << mantissa)) +
                       static_cast<Bits>((random() % 16) << (mantissa - 4)));
    case 2: // near exponents, all digits
        return sign | ((one + (static_cast<Bits>(random() % 41) << mantissa) - (Bits{20} << mantissa)) +
                       static_cast<Bits>(random() & (least_normal - 1)));
    default:
        return static_cast<Bits>(random());
    }
}

using Lanes = std::array<std::uint64_t, 32>;

// What the reference says of a row.
Lanes expected(const std::vector<Register>& sources, unsigned width, const Reference& reference) {
    Lanes wanted{};
    std::vector<std::uint64_t> values(sources.size());
    for (unsigned lane = 0; lane < 32; ++lane) {
        for (std::size_t i = 0; i < sources.size(); ++i) {
            values[i] = sources[i].lane[lane];
        }
        wanted[lane] = low_bits(reference(values), width);
    }
    return wanted;
}

std::string operands(const std::vector<Register>& sources, unsigned lane) {
    std::string text;
    for (const Register& source : sources) {
        text += std::to_string(source.lane[lane]) + " ";
    }
    return text;
}

void expect_lanes(const MicroOp& op, const std::vector<Register>& sources, unsigned width, const Register& before,
                  const Register& after, std::uint32_t mask, const Lanes& wanted) {
    for (unsigned lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1) == 0) {
            ASSERT_EQ(after.lane[lane], before.lane[lane]) << describe(op) << ": lane " << lane << " is off";
            continue;
        }
        const std::uint64_t got = low_bits(after.lane[lane], width);
        ASSERT_EQ(got, wanted[lane]) << std::hex << describe(op) << " of " << operands(sources, lane) << "gives 0x"
                                     << got << ", not 0x" << wanted[lane];
    }
}

void check_row(const MicroOp& op, const std::vector<Register>& sources, unsigned width, std::mt19937_64& random,
               const Reference& reference) {
    Register before;
    before.bytes = width == 1 ? 0 : width == 64 ? 8 : 4;
    for (auto& lane : before.lane) {
        lane = before.bytes == 0 ? random() & 1 : before.bytes == 4 ? random() & 0xffffffff : random();
    }
    const Lanes wanted = expected(sources, width, reference);
    for (const std::uint32_t mask :
         {~std::uint32_t{0}, static_cast<std::uint32_t>(random() | 1), std::uint32_t{1} << 31}) {
        Register after = before;
        execute(op, sources, after, mask);
        ASSERT_NO_FATAL_FAILURE(expect_lanes(op, sources, width, before, after, mask, wanted));
        for (std::size_t i = 0; i < sources.size(); ++i) {
            if (sources[i].bytes == before.bytes && op.opcode != Opcode::Unpack) { // the result replaces a source
                after = sources[i];
                execute(op, sources, after, mask, static_cast<int>(i));
                ASSERT_NO_FATAL_FAILURE(expect_lanes(op, sources, width, sources[i], after, mask, wanted));
            }
        }
    }
}

} // namespace

MicroOp make(Opcode opcode, Type type, Sub sub, Rounding rounding, unsigned flags, Type from) {
    MicroOp op;
    op.opcode = opcode;
    op.type = type;
    op.sub = sub;
    op.rounding = rounding;
    op.flags = flags;
    op.from = from;
    op.dst_bytes = ptx::size_of(type) == 8 ? 8 : 4;
    op.src_bytes = ptx::size_of(from == Type::None ? type : from) == 8 ? 8 : 4;
    return op;
}

void execute(MicroOp op, const std::vector<Register>& sources, Register& result, std::uint32_t mask, int place) {
    alignas(64) std::byte frame[8 * kStride] = {};
    for (std::size_t i = 0; i < sources.size(); ++i) {
        op.src[i] = static_cast<ir::Place>((i + 1) * kStride);
        store(frame + op.src[i], sources[i]);
    }
    op.dst[0] = place < 0 ? 0 : op.src[static_cast<std::size_t>(place)];
    store(frame + op.dst[0], result);
    const VectorOp function = select_vector_op(op);
    ASSERT_NE(function, nullptr) << describe(op);
    const warp::Part row{0, mask};
    function(op, {frame, 0, frame}, {&row, 1});
    load(frame + op.dst[0], result);
}

std::uint64_t draw(Type type, std::mt19937_64& random) {
    switch (type) {
    case kCount:
        return draw_count(random);
    case Type::Pred:
        return random() & 1;
    case Type::F16: // in 32 bits, of which those beyond the type are not its
        return (draw_float<std::uint32_t>(10, 5, random) & 0xffff) | (random() & 0xffff) << 16;
    case Type::BF16:
        return (draw_float<std::uint32_t>(7, 8, random) & 0xffff) | (random() & 0xffff) << 16;
    case Type::F16x2:
        return (draw(Type::F16, random) & 0xffff) | (draw(Type::F16, random) & 0xffff) << 16;
    case Type::BF16x2:
        return (draw(Type::BF16, random) & 0xffff) | (draw(Type::BF16, random) & 0xffff) << 16;
    case Type::F32:
        return draw_float<std::uint32_t>(23, 8, random);
    case Type::F32x2:
        return draw(Type::F32, random) | draw(Type::F32, random) << 32;
    case Type::U16x2:
    case Type::S16x2:
        return (draw(Type::U16, random) & 0xffff) | (draw(Type::U16, random) & 0xffff) << 16;
    case Type::F64:
        return draw_float<std::uint64_t>(52, 11, random);
    default: {
        const std::uint64_t value = draw_integer(8 * ptx::size_of(type), random);
        return ptx::size_of(type) == 8 ? value : value & 0xffffffff; // the bits beyond the type are not its
    }
    }
}

std::uint64_t draw_count(std::mt19937_64& random) {
    switch (random() % 4) {
    case 0:
        return random() & 0xffffffff;
    case 1:
        return 250 + random() % 10;
    default:
        return random() % 70;
    }
}

void check(const MicroOp& op, const std::vector<Type>& sources, unsigned width, const Reference& reference,
           unsigned rows) {
    on_every_target([&] {
        std::mt19937_64 random(20230517);
        for (unsigned row = 0; row < rows; ++row) {
            std::vector<Register> registers;
            for (const Type type : sources) {
                Register r{storage(type), {}};
                for (auto& lane : r.lane) {
                    lane = draw(type, random);
                }
                registers.push_back(r);
            }
            ASSERT_NO_FATAL_FAILURE(check_row(op, registers, width, random, reference));
        }
    });
}

void check_cases(const MicroOp& op, const std::vector<Type>& sources, unsigned width,
                 const std::vector<std::vector<std::uint64_t>>& cases, const Reference& reference) {
    on_every_target([&] {
        std::mt19937_64 random(20230517);
        std::vector<Register> registers;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            Register r{storage(sources[i]), {}};
            for (std::size_t lane = 0; lane < 32; ++lane) {
                r.lane[lane] = cases[lane % cases.size()][i];
            }
            registers.push_back(r);
        }
        ASSERT_NO_FATAL_FAILURE(check_row(op, registers, width, random, reference));
    });
}

void on_every_target(const std::function<void()>& body) {
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        SCOPED_TRACE(vector_target());
        body();
        if (testing::Test::HasFatalFailure()) {
            break;
        }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

std::string describe(const MicroOp& op) {
    return std::string(ir::info(op.opcode).name) + "." + std::string(ptx::name_of(op.type)) + " (from " +
           std::string(ptx::name_of(op.from)) + ", sub " + std::to_string(static_cast<int>(op.sub)) + ", rounding " +
           std::to_string(static_cast<int>(op.rounding)) + ", flags " + std::to_string(op.flags) + ")";
}

} // namespace heddle::exec::test
