#include <fmt/format.h>

#include "rig.h"

namespace heddle::exec::test {
namespace {

class Faults : public Rig {
protected:
    void begin_with(unsigned width = 32) {
        start(width, {8, 8}, 2);
        for (unsigned t = 0; t < 64; ++t)
            set64(rd(0), t, data + 4 * t, 1);
    }
    const Address data = image.allocate(256, "x (cudaMalloc #3)");
};

TEST_F(Faults, BehindTheEnd) {
    const Pc ld = emit(load(Type::F32, Space::Global, r(0), rd(0), 4), "ld.global.f32 %f1, [%rd1+4];");
    begin_with();
    EXPECT_EQ(fault_of(group(ld, 32, 64, 1)),
              "out-of-bounds load of 4 bytes at 0x100000001100 in global memory\n"
              "  the address is directly behind the end of 'x (cudaMalloc #3)' (256 bytes at 0x100000001000)\n"
              "  kernel 'k' at t.ptx:2:5\n"
              "    ld.global.f32 %f1, [%rd1+4];\n"
              "  block (1,0,0) thread (7,7,0)");
    run(group(ld, 32, 63, 1));
    EXPECT_EQ(outcome.executed, 31);
}

TEST_F(Faults, NameTheKernelAsTheSourceDoes) {
    const Pc ld = emit(load(Type::F32, Space::Global, r(0), rd(0), 4), "ld.global.f32 %f1, [%rd1+4];");
    program.kernels[0].name = "_ZN12_GLOBAL__N_15scaleIfEEvPT_"; // (anonymous namespace)::scale<float>(float*)
    begin_with();
    EXPECT_NE(fault_of(group(ld, 32, 64, 1)).find("\n  kernel 'scale<float>' at t.ptx:2:5\n"), std::string::npos);
}

TEST_F(Faults, SayHowFarFromWhat) {
    const Pc st = emit(store(Type::U64, Space::Generic, rd(0), rd(1)), "st.u64 [%rd0], %rd1;");
    begin_with();
    const auto at = [&](Address address) {
        set64(rd(0), 5, address, 0);
        return fault_of(group(st, 5, 6));
    };
    EXPECT_NE(at(data + 256 + 8)
                  .find("out-of-bounds store of 8 bytes at 0x100000001108 in generic memory\n"
                        "  the address is 8 bytes behind the end of 'x"),
              std::string::npos);
    EXPECT_NE(at(data - 8).find("the address is 8 bytes before the begin of 'x"), std::string::npos);
    EXPECT_NE(at(0).find("the address is null"), std::string::npos);
    EXPECT_NE(at(16).find("the address is 16 bytes from null"), std::string::npos);
    EXPECT_NE(at(~Address{7}).find("out-of-bounds"), std::string::npos);
    EXPECT_NE(at(data + 12).find("misaligned store of 8 bytes at 0x10000000100c: the address must be a multiple of 8"),
              std::string::npos);
    EXPECT_NE(at(data + 12).find("block (0,0,0) thread (5,0,0)"), std::string::npos);
    const Address odd = image.allocate(12, "odd");
    EXPECT_NE(at(odd + 8).find("it runs 4 bytes past the end of 'odd' (12 bytes"), std::string::npos);
    EXPECT_EQ(at(odd), "no fault");
}

TEST_F(Faults, NullAfterAnAllocationThatFailed) {
    const Pc st = emit(store(Type::U64, Space::Generic, rd(0), rd(1)), "st.u64 [%rd0], %rd1;");
    begin_with();
    const auto at = [&](Address address) {
        set64(rd(0), 5, address, 0);
        return fault_of(group(st, 5, 6));
    };
    EXPECT_EQ(at(0).find("failed"), std::string::npos);
    EXPECT_EQ(at(1 << 20).find("null"), std::string::npos); // far from null, and every allocation has succeeded
    ASSERT_EQ(image.allocate(image.capacity() + 1, "cudaMalloc #7"), 0U);
    const std::string failed =
        fmt::format("; an allocation of {} bytes ('cudaMalloc #7') has failed before: the device has "
                    "{} bytes (device.memory)",
                    image.capacity() + 1, image.capacity());
    EXPECT_NE(at(0).find("the address is null" + failed), std::string::npos);
    EXPECT_NE(at(1 << 20).find("the address is 1048576 bytes from null" + failed), std::string::npos);
    EXPECT_EQ(at(data + 256).find("failed"), std::string::npos);
}

// What a GPU lets pass: its pages have 2 MiB.
TEST_F(Faults, OverrunsPassWithinThePage) {
    strict = false;
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)), "st.global.u32 [%rd0], %r0;");
    const Pc ld = emit(load(Type::U32, Space::Generic, r(1), rd(0)), "ld.u32 %r1, [%rd0];");
    begin_with();
    const Address page_end = data / MemoryImage::kPage * MemoryImage::kPage + MemoryImage::kPage;
    for (unsigned t = 0; t < 4; ++t) { // the last one lies in the allocation
        set64(rd(0), t, t == 3 ? data : data + 1000 + 4 * t, 0);
        set(r(0), t, 70 + t);
    }
    run(group(st, 0, 4));
    EXPECT_EQ(access.count, 4);
    EXPECT_EQ(access.address[1], data + 1004);
    run(group(ld, 0, 4));
    for (unsigned t = 0; t < 4; ++t)
        EXPECT_EQ(get(r(1), t), 70 + t);
    const std::vector<Overrun> found = executor->take_overruns();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].pc, st);
    EXPECT_EQ(found[0].accesses, 3U);
    EXPECT_TRUE(found[0].stores);
    EXPECT_EQ(found[0].report, "out-of-bounds store of 4 bytes at 0x1000000013e8 in global memory\n"
                               "  the address is 744 bytes behind the end of 'x (cudaMalloc #3)' (256 bytes at "
                               "0x100000001000)\n"
                               "  kernel 'k' at t.ptx:2:5\n"
                               "    st.global.u32 [%rd0], %r0;\n"
                               "  block (0,0,0) thread (0,0,0)");
    EXPECT_FALSE(found[1].stores);
    EXPECT_TRUE(executor->take_overruns().empty());
    set64(rd(0), 0, page_end - 4, 0);
    EXPECT_EQ(fault_of(group(st, 0, 1)), "no fault");
    set64(rd(0), 0, page_end, 0);
    EXPECT_NE(fault_of(group(st, 0, 1)).find("out-of-bounds store of 4 bytes at 0x100000200000"), std::string::npos);
    set64(rd(0), 0, data + 1002, 0);
    EXPECT_NE(fault_of(group(st, 0, 1)).find("misaligned"), std::string::npos);
}

TEST_F(Faults, FreedMemoryIsNoOverrun) {
    strict = false;
    const Address freed = image.allocate(256, "freed"), constant = image.allocate(256, "constant", true);
    ASSERT_TRUE(image.release(freed));
    const Pc st = emit(store(Type::U32, Space::Global, rd(0), r(0)), "st.global.u32 [%rd0], %r0;");
    begin_with();
    const auto at = [&](Address address) {
        set64(rd(0), 0, address, 0);
        return fault_of(group(st, 0, 1));
    };
    EXPECT_NE(at(freed + 8).find("use-after-free"), std::string::npos);
    EXPECT_EQ(at(constant + 8), "no fault"); // a GPU has no memory that cannot be written
    EXPECT_NE(at(0).find("null"), std::string::npos);
    EXPECT_EQ(at(constant + 256), "no fault"); // behind it, where nothing is
}

TEST_F(Faults, MemoryIsZeroedAfterAStrayStore) {
    const Address behind = data + 512;
    *reinterpret_cast<std::uint32_t*>(image.host(behind)) = 99;
    image.note_stray_store();
    ASSERT_EQ(image.allocate(256, "y"), behind);
    EXPECT_EQ(*reinterpret_cast<const std::uint32_t*>(image.host(behind)), 0U);
}

TEST_F(Faults, FreedMemoryIsNamed) {
    const Address y = image.allocate(1000, "y");
    ASSERT_TRUE(image.release(y));
    const Pc ld = emit(load(Type::U8, Space::Global, r(0), constant64(y), 10));
    begin_with();
    EXPECT_NE(fault_of(group(ld, 0, 1))
                  .find("use-after-free load of 1 byte at 0x10000000120a in global memory\n"
                        "  the address is 10 bytes into freed 'y' (1000 bytes at 0x100000001200)"),
              std::string::npos);
}

TEST_F(Faults, AccessOfFreedMemoryIsCaughtInTheNextLaunch) {
    const Address y = image.allocate(128, "y");
    const Pc ld = emit(load(Type::U32, Space::Global, r(0), constant64(y)));
    begin_with();
    EXPECT_EQ(fault_of(group(ld, 0, 1)), "no fault");
    ASSERT_TRUE(image.release(y));
    executor->begin(launch);
    executor->start_block(0, {}, 0);
    EXPECT_NE(fault_of(group(ld, 0, 1)).find("use-after-free"), std::string::npos);
}

TEST_F(Faults, ConstantMemory) {
    const Address table = image.allocate(64, "table", true);
    const Pc ld = emit(load(Type::U32, Space::Const, r(0), constant64(table), 60));
    const Pc st = emit(store(Type::U32, Space::Generic, constant64(table), r(0), 4));
    const Pc red = emit(atomic(Sub::AtomAdd, Type::U32, Space::Global, kNowhere, constant64(table), r(0)));
    begin_with();
    EXPECT_EQ(fault_of(group(ld, 0, 32)), "no fault");
    EXPECT_EQ(access.constant, first_lanes(32));
    EXPECT_NE(fault_of(group(st, 0, 32))
                  .find("store of 4 bytes at 0x100000001204 in constant memory\n"
                        "  the address is 4 bytes into 'table' (64 bytes"),
              std::string::npos);
    EXPECT_NE(fault_of(group(red, 0, 32)).find("atomic access of 4 bytes"), std::string::npos);
}

TEST_F(Faults, Windows) {
    kernel().static_shared = 100;
    kernel().local_bytes = 12;
    parameters.resize(8);
    const Pc shared = emit(load(Type::U32, Space::Shared, r(0), kNowhere, 100));
    const Pc local = emit(store(Type::U64, Space::Local, kNowhere, rd(0), 8));
    const Pc param = emit(load(Type::U32, Space::Param, r(0), kNowhere, 8));
    const Pc generic = emit(load(Type::U32, Space::Generic, r(0), constant64(kSharedWindow + 104)));
    const Pc global = emit(load(Type::U32, Space::Global, r(0), constant64(kSharedWindow + 4)));
    begin_with();
    EXPECT_NE(fault_of(group(shared, 0, 8))
                  .find("out-of-bounds load of 4 bytes at offset 0x64 in shared memory of the "
                        "block, which has 100 bytes"),
              std::string::npos);
    EXPECT_NE(fault_of(group(local, 0, 8))
                  .find("out-of-bounds store of 8 bytes at offset 0x8 in local memory of the "
                        "thread, which has 12 bytes"),
              std::string::npos);
    EXPECT_NE(fault_of(group(param, 0, 8)).find("in the kernel's parameters, which has 8 bytes"), std::string::npos);
    EXPECT_NE(fault_of(group(generic, 0, 8)).find("at offset 0x68 in shared memory of the block, which has 100 bytes"),
              std::string::npos);
    EXPECT_NE(fault_of(group(global, 0, 8)).find("a generic one of shared memory, offset 0x4"), std::string::npos);
}

TEST_F(Faults, RowsThatWrapAroundTheAddressSpaceAreCaught) {
    const Pc ld = emit(load(Type::U32, Space::Global, r(0), rd(0)));
    start(32, {32});
    for (unsigned t = 0; t < 32; ++t)
        set64(rd(0), t, Address{0} - 64 + 4 * t);
    EXPECT_NE(fault_of(group(ld, 0, 32)).find("out-of-bounds load of 4 bytes at 0xffffffffffffffc0"),
              std::string::npos);
}

TEST_F(Faults, TrapSaysSo) {
    const Pc trap = emit(control(Opcode::Trap, Kind::Trap, p(0)), "@%p1 trap;");
    begin_with();
    EXPECT_EQ(fault_of(group(trap, 0, 32)), "no fault");
    EXPECT_EQ(outcome.executed, 0);
    set_predicate(p(0), 9, true);
    EXPECT_EQ(fault_of(group(trap, 0, 32)), "the kernel stopped itself with 'trap'\n"
                                            "  kernel 'k' at t.ptx:2:5\n"
                                            "    @%p1 trap;\n"
                                            "  block (0,0,0) thread (1,1,0)");
}

} // namespace
} // namespace heddle::exec::test
