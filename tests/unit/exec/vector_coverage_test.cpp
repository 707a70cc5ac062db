// Every executable opcode of kind Alu has an operation, and every instruction set of this processor is there.
#include <set>
#include <string>

#include "vector_harness.h"

namespace heddle::exec::test {

namespace {

// Whether some type has an operation, with the modifiers of the opcode.
bool executes(Opcode opcode) {
    using enum Sub;
    constexpr Sub kSubs[] = {None, Lo, Eq, ShfLeft, PrmtIndex, TestFinite};
    for (auto t = static_cast<int>(Type::None); t <= static_cast<int>(Type::Pred); ++t) {
        for (const Sub sub : kSubs) {
            for (const unsigned flags : std::initializer_list<unsigned>{0, ir::kApprox}) {
                MicroOp op = make(opcode, static_cast<Type>(t), sub, Rounding::None, flags,
                                  opcode == Opcode::Cvt || opcode == Opcode::Slct ? Type::S32 : Type::None);
                op.vector = 2;
                op.space = ir::Space::SharedCluster; // isspacep of others is no operation on registers
                if (select_vector_op(op) != nullptr) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace

TEST(VectorCoverage, EveryExecutableOpcode) {
    for (auto i = 0; i < static_cast<int>(Opcode::kCount); ++i) {
        const auto opcode = static_cast<Opcode>(i);
        const ir::OpcodeInfo& info = ir::info(opcode);
        if (info.kind == ir::Kind::Alu) {
            EXPECT_EQ(executes(opcode), info.executable) << info.name;
        }
    }
}

TEST(VectorCoverage, InstructionSets) {
    std::set<std::string> names;
    on_every_target([&] { names.insert(vector_target()); });
    EXPECT_TRUE(names.contains(vector_target()));
#if defined(__x86_64__) && !defined(HEDDLE_SANITIZED) // sanitized builds hold the baseline alone
    EXPECT_TRUE(names.contains("SSE2"));
    EXPECT_EQ(names.contains("AVX2"), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
#endif
}

TEST(VectorCoverage, NoOperationForOthers) {
    EXPECT_EQ(select_vector_op(make(Opcode::Add, Type::F16, Sub::None, Rounding::Rz)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Div, Type::F16, Sub::None, Rounding::Rn)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Add, Type::Pred)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Mov, Type::B128)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Rem, Type::F32)), nullptr);
    EXPECT_EQ(select_vector_op(make(Opcode::Ex2, Type::F32)), nullptr); // only .approx exists
    EXPECT_EQ(select_vector_op(make(Opcode::Rsqrt, Type::F32)), nullptr);
}

} // namespace heddle::exec::test
