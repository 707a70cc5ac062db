// Memory apart from its addresses.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "runtime/device.h"

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kGranule = VirtualMemory::kGranule;
using Rights = VirtualMemory::Rights;

class VirtualMemoryTest : public testing::Test {
protected:
    static inline const std::string kSettings[] = {"device.memory=64MiB"};
    Device device{config::Machine::load("lwm11", kSettings)};
    VirtualMemory& memory = device.virtual_memory();

    std::uint32_t read(Address at) {
        std::uint32_t value = 0;
        device.read(&value, at, sizeof value);
        return value;
    }
    void write(Address at, std::uint32_t value) {
        device.write(at, &value, sizeof value);
    }
};

TEST_F(VirtualMemoryTest, RangesHaveTheirAlignmentAndDoNotMeet) {
    const Address a = memory.reserve(kGranule, 0), b = memory.reserve(3 * kGranule, std::uint64_t{1} << 30);
    ASSERT_NE(a, 0U);
    ASSERT_NE(b, 0U);
    EXPECT_EQ(a % kGranule, 0U);
    EXPECT_EQ(b % (std::uint64_t{1} << 30), 0U);
    EXPECT_TRUE(a + kGranule <= b || b + 3 * kGranule <= a);
    EXPECT_EQ(memory.reserve(kGranule + 1, 0), 0U);
    EXPECT_EQ(memory.reserve(0, 0), 0U);
    EXPECT_EQ(memory.reserve(kGranule, 3), 0U);
    EXPECT_EQ(memory.reserve(std::uint64_t{1} << 60, 0), 0U);
    EXPECT_FALSE(memory.free_range(b, kGranule)); // a part
    EXPECT_TRUE(memory.free_range(b, 3 * kGranule));
    EXPECT_FALSE(memory.free_range(b, 3 * kGranule));
}

TEST_F(VirtualMemoryTest, DataBelongToTheMemory) {
    const Address range = memory.reserve(4 * kGranule, 0);
    const VirtualMemory::Handle handle = memory.create(2 * kGranule);
    ASSERT_TRUE(memory.map(range, 2 * kGranule, 0, handle));
    ASSERT_TRUE(memory.map(range + 2 * kGranule, kGranule, kGranule, handle)); // its second half once more
    ASSERT_TRUE(memory.allow(range, 3 * kGranule, Rights::ReadWrite));
    EXPECT_EQ(read(range + 100), 0U);
    write(range + kGranule + 100, 7);
    EXPECT_EQ(read(range + 2 * kGranule + 100), 7U);
    ASSERT_TRUE(memory.unmap(range, 3 * kGranule));
    ASSERT_TRUE(memory.map(range + 2 * kGranule, 2 * kGranule, 0, handle));
    ASSERT_TRUE(memory.allow(range + 2 * kGranule, 2 * kGranule, Rights::Read));
    EXPECT_EQ(read(range + 3 * kGranule + 100), 7U);
    EXPECT_EQ(memory.at(range + 3 * kGranule), handle);
    EXPECT_EQ(memory.at(range), 0U);
}

TEST_F(VirtualMemoryTest, AccessNeedsARight) {
    const Address range = memory.reserve(kGranule, 0);
    const VirtualMemory::Handle handle = memory.create(kGranule);
    ASSERT_TRUE(memory.map(range, kGranule, 0, handle));
    EXPECT_EQ(memory.rights(range), Rights::None);
    EXPECT_THROW(write(range, 1), UserError);
    ASSERT_TRUE(memory.allow(range, kGranule, Rights::ReadWrite));
    EXPECT_EQ(memory.rights(range + 5), Rights::ReadWrite);
    write(range, 1);
    ASSERT_TRUE(memory.allow(range, kGranule, Rights::None));
    EXPECT_THROW(static_cast<void>(read(range)), UserError);
    EXPECT_FALSE(memory.allow(range, 2 * kGranule, Rights::Read));
}

TEST_F(VirtualMemoryTest, CountsForTheCapacityUntilNothingHoldsIt) {
    const Address range = memory.reserve(64 * kGranule, 0);
    const VirtualMemory::Handle handle = memory.create(16 * kGranule); // 32 of 64 MiB
    ASSERT_NE(handle, 0U);
    EXPECT_EQ(memory.create(32 * kGranule), 0U);
    EXPECT_EQ(device.allocate(33 << 20, "too large"), 0U);
    ASSERT_TRUE(memory.map(range, 16 * kGranule, 0, handle));
    EXPECT_TRUE(memory.retain(handle));
    EXPECT_TRUE(memory.release(handle));
    EXPECT_TRUE(memory.release(handle));
    EXPECT_FALSE(memory.release(handle));
    EXPECT_EQ(memory.created(), 16 * kGranule);
    EXPECT_FALSE(memory.free_range(range, 64 * kGranule)); // memory is there
    EXPECT_TRUE(memory.unmap(range, 16 * kGranule));
    EXPECT_EQ(memory.created(), 0U);
    EXPECT_NE(device.allocate(33 << 20, "fits"), 0U);
    EXPECT_TRUE(memory.free_range(range, 64 * kGranule));
}

TEST_F(VirtualMemoryTest, WrongPlacesAreRefused) {
    const Address range = memory.reserve(2 * kGranule, 0);
    const VirtualMemory::Handle handle = memory.create(2 * kGranule);
    EXPECT_FALSE(memory.map(range + kGranule, 2 * kGranule, 0, handle)); // beyond the range
    EXPECT_FALSE(memory.map(range, 2 * kGranule, kGranule, handle));     // beyond the memory
    EXPECT_FALSE(memory.map(range + 4096, kGranule, 0, handle));
    EXPECT_FALSE(memory.map(range, kGranule, 0, handle + 1));
    ASSERT_TRUE(memory.map(range, 2 * kGranule, 0, handle));
    EXPECT_FALSE(memory.map(range + kGranule, kGranule, 0, handle)); // taken
    EXPECT_FALSE(memory.unmap(range, kGranule));                     // a part of a map
}

} // namespace
} // namespace heddle::runtime
