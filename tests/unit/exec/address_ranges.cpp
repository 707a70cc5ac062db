#include "exec/address_ranges.h"

#include "state_rig.h"

namespace heddle::exec::test {
namespace {

class Ranges : public StateRig {
protected:
    void start_ranges() {
        kernel().static_shared = 64;
        kernel().local_bytes = 32;
        kernel().declared_local_bytes = 16;
        parameters.resize(8);
        start_state({32, false}, {32});
        ranges.begin();
    }
    Target resolve(Space space, Address address, bool stores = false, unsigned bytes = 4) {
        MicroOp op = stores ? store(Type::U32, space, rd(0), r(0)) : load(Type::U32, space, r(0), rd(0));
        return ranges.resolve(op, row, 3, bytes, address);
    }
    const Address data = image.allocate(256, "data");
    const Address fixed = image.allocate(256, "fixed", true);
    AddressRanges ranges{state, image};
    const Segment row{nullptr, 0xff, 0, 0, 0};
};

TEST_F(Ranges, EachSpaceHasItsLimit) {
    start_ranges();
    EXPECT_EQ(resolve(Space::Shared, 60).space, Space::Shared);
    EXPECT_EQ(resolve(Space::Shared, 60).host, reinterpret_cast<std::uint64_t>(state.shared_of(0)) + 60);
    EXPECT_EQ(resolve(Space::Shared, 61).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Local, 28).host, reinterpret_cast<std::uint64_t>(state.local_of(0, 3)) + 28);
    EXPECT_EQ(resolve(Space::Local, 29).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Param, 4).space, Space::Param);
    EXPECT_EQ(resolve(Space::Param, 4, true).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Param, 5).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Global, data + 252).space, Space::Global);
    EXPECT_EQ(resolve(Space::Global, data + 252).span, 252U);
    EXPECT_EQ(resolve(Space::Global, data + 253).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Const, fixed).space, Space::Const);
    EXPECT_EQ(resolve(Space::Global, fixed).space, Space::Global);
    EXPECT_EQ(resolve(Space::Global, fixed, true).space, Space::Generic);
}

TEST_F(Ranges, GenericAddressesLieInWindows) {
    start_ranges();
    EXPECT_EQ(resolve(Space::Generic, kSharedWindow + 8).space, Space::Shared);
    EXPECT_EQ(resolve(Space::Generic, kSharedWindow + 8).begin, kSharedWindow);
    EXPECT_EQ(resolve(Space::Generic, kSharedWindow + 64).space, Space::Generic);
    EXPECT_EQ(resolve(Space::Generic, kLocalWindow).space, Space::Local);
    EXPECT_EQ(resolve(Space::Generic, data).space, Space::Global);
    EXPECT_EQ(resolve(Space::Generic, 8).space, Space::Generic);
}

TEST_F(Ranges, ARangeHoldsAllLanes) {
    const Pc pc = emit(load(Type::U32, Space::Global, r(0), rd(0)));
    start_ranges();
    std::array<Address, kVectorLanes> address{};
    for (unsigned i = 0; i < 8; ++i)
        address[i] = data + 4 * i;
    LastRange range;
    EXPECT_TRUE(ranges.find(program.ops[pc], 4, row, address.data(), range));
    EXPECT_EQ(range.begin, data);
    EXPECT_EQ(range.span, 252U);
    address[5] = fixed;
    LastRange none;
    EXPECT_FALSE(ranges.find(program.ops[pc], 4, row, address.data(), none));
    EXPECT_EQ(none.space, Space::Generic);
    address[5] = data + 2; // misaligned
    EXPECT_FALSE(ranges.find(program.ops[pc], 4, row, address.data(), none));
    ranges.last(pc) = range;
    ranges.begin();
    EXPECT_EQ(ranges.last(pc).space, Space::Generic);
}

TEST_F(Ranges, CallParametersHaveNoTiming) {
    start_ranges();
    const std::array<Address, 4> offset{0, 15, 16, 28};
    EXPECT_EQ(ranges.timed_local(0b1111, offset.data()), 0b0011U);
    EXPECT_EQ(ranges.timed_local(0b0110, offset.data()), 0b0010U);
}

} // namespace
} // namespace heddle::exec::test
