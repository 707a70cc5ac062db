// Nanoseconds of one row operation of 32 lanes, for the main families; argument 0: all lanes on, 1: half of them.
#include "exec/vector_ops.h"

#include <bit>
#include <cstring>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

using namespace heddle;
using ir::MicroOp;
using ir::Opcode;
using ir::Rounding;
using ir::Sub;
using ir::Type;

constexpr std::size_t kWide = 256; // bytes of a 64-bit register of 32 lanes

MicroOp make(Opcode opcode, Type type, Sub sub = Sub::None, Rounding rounding = Rounding::None, unsigned flags = 0,
             Type from = Type::None) {
    MicroOp op;
    op.opcode = opcode;
    op.type = type;
    op.sub = sub;
    op.rounding = rounding;
    op.flags = static_cast<std::uint16_t>(flags);
    op.from = from;
    op.dst_bytes = ptx::size_of(type) == 8 ? 8 : 4;
    op.src_bytes = from == Type::None ? op.dst_bytes : ptx::size_of(from) == 8 ? 8 : 4;
    for (unsigned i = 0; i < 3; ++i) {
        op.src[i] = static_cast<ir::Place>(kWide * (i + 1));
    }
    op.dst[0] = 0;
    if (opcode == Opcode::Setp) {
        op.dst[0] = 8 * kWide;
    }
    if (opcode == Opcode::Selp) {
        op.src[2] = 8 * kWide;
    }
    return op;
}

void run(benchmark::State& state, const MicroOp& op) {
    alignas(64) std::byte frame[9 * kWide] = {};
    for (std::size_t i = 0; i + 8 < sizeof frame; i += 8) {
        const std::uint64_t bits = ptx::size_of(op.type) == 8 || ptx::size_of(op.from) == 8
                                       ? std::bit_cast<std::uint64_t>(1.0 + static_cast<double>(i))
                                       : std::uint64_t{0x3f9d70a4'3fa00000} + i * 0x0000'0101'0000'0301;
        std::memcpy(frame + i, &bits, sizeof bits);
    }
    const exec::VectorOp function = exec::select_vector_op(op);
    if (function == nullptr) {
        state.SkipWithError("no such operation");
        return;
    }
    const warp::Part row{0, state.range(0) == 0 ? ~std::uint32_t{0} : 0x55aa0ff0U};
    for (auto _ : state) {
        function(op, {frame, 0, frame}, {&row, 1});
        benchmark::ClobberMemory();
    }
}

void add(const char* name, const MicroOp& op) {
    benchmark::RegisterBenchmark(name, [op](benchmark::State& state) { run(state, op); })->Arg(0)->Arg(1);
}

} // namespace

int main(int argc, char** argv) {
    using enum Opcode;
    constexpr auto kRn = Rounding::Rn;
    add("mov.b32", make(Mov, Type::B32));
    add("add.s32", make(Add, Type::S32));
    add("mul.lo.s32", make(Mul, Type::S32, Sub::Lo));
    add("mad.lo.s32", make(Mad, Type::S32, Sub::Lo));
    add("mul.hi.u32", make(Mul, Type::U32, Sub::Hi));
    add("mul.wide.s32", make(Mul, Type::S32, Sub::Wide));
    add("mad.wide.s32", make(Mad, Type::S32, Sub::Wide));
    add("add.s64", make(Add, Type::S64));
    add("mul.lo.s64", make(Mul, Type::S64, Sub::Lo));
    add("div.u32", make(Div, Type::U32));
    add("div.s32", make(Div, Type::S32));
    add("rem.s32", make(Rem, Type::S32));
    add("div.s64", make(Div, Type::S64));
    add("and.b32", make(And, Type::B32));
    add("shl.b32", make(Shl, Type::B32));
    add("shr.s32", make(Shr, Type::S32));
    add("shl.b64", make(Shl, Type::B64));
    add("bfe.u32", make(Bfe, Type::U32));
    add("prmt.b32", make(Prmt, Type::B32));
    add("lop3.b32", make(Lop3, Type::B32));
    add("popc.b32", make(Popc, Type::B32));
    add("clz.b32", make(Clz, Type::B32));
    add("add.f32", make(Add, Type::F32, Sub::None, kRn));
    add("mul.f32", make(Mul, Type::F32, Sub::None, kRn));
    add("fma.rn.f32", make(Fma, Type::F32, Sub::None, kRn));
    add("fma.rn.ftz.f32", make(Fma, Type::F32, Sub::None, kRn, ir::kFtz));
    add("fma.rz.f32", make(Fma, Type::F32, Sub::None, Rounding::Rz));
    add("fma.rn.f64", make(Fma, Type::F64, Sub::None, kRn));
    add("min.f32", make(Min, Type::F32));
    add("div.rn.f32", make(Div, Type::F32, Sub::None, kRn));
    add("sqrt.rn.f32", make(Sqrt, Type::F32, Sub::None, kRn));
    add("setp.lt.s32", make(Setp, Type::S32, Sub::Lt));
    add("setp.lt.f32", make(Setp, Type::F32, Sub::Lt));
    add("setp.lt.f64", make(Setp, Type::F64, Sub::Lt));
    add("setp.ne.s64", make(Setp, Type::S64, Sub::Ne));
    add("selp.b32", make(Selp, Type::B32));
    add("cvt.s64.s32", make(Cvt, Type::S64, Sub::None, Rounding::None, 0, Type::S32));
    add("cvt.u32.u64", make(Cvt, Type::U32, Sub::None, Rounding::None, 0, Type::U64));
    add("cvt.rn.f32.s32", make(Cvt, Type::F32, Sub::None, kRn, 0, Type::S32));
    add("cvt.rzi.s32.f32", make(Cvt, Type::S32, Sub::None, Rounding::Rzi, 0, Type::F32));
    add("cvt.rn.f32.f64", make(Cvt, Type::F32, Sub::None, kRn, 0, Type::F64));
    add("cvt.f64.f32", make(Cvt, Type::F64, Sub::None, Rounding::None, 0, Type::F32));
    add("rcp.approx.f32", make(Rcp, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("sqrt.approx.f32", make(Sqrt, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("rsqrt.approx.f32", make(Rsqrt, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("ex2.approx.f32", make(Ex2, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("lg2.approx.f32", make(Lg2, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("sin.approx.f32", make(Sin, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    add("cos.approx.f32", make(Cos, Type::F32, Sub::None, Rounding::None, ir::kApprox));
    benchmark::AddCustomContext("instruction set", exec::vector_target());
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
