#include "random_kernel.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace heddle::runtime {
namespace {

constexpr std::uint64_t kFactor = 6364136223846793005U; // Knuth's MMIX generator
constexpr unsigned kRounds = 2;                         // of all steps

std::uint32_t constant(unsigned index) {
    return index * 2654435761U;
}

std::string number(std::uint64_t value) {
    return std::to_string(value);
}

// What follows an access: what was read, in %rd10, becomes part of the sum.
std::string take(const std::string& guard) {
    return guard + "mad.lo.u64 %rd20, %rd20, " + number(kFactor) + ", %rd10;\n";
}

} // namespace

// Between steps a thread has its sum in %rd20. Its state besides memory: 64 bytes of local and 16 of shared memory.
struct RandomKernel::Thread {
    unsigned id;
    std::uint64_t sum;
    std::uint64_t local[8] = {};
    std::uint64_t shared[2] = {};

    void take(std::uint64_t value) {
        sum = sum * kFactor + value;
    }
};

RandomKernel::RandomKernel(std::uint64_t seed, unsigned threads, unsigned block, unsigned steps)
    : threads_(threads), block_(block) {
    std::mt19937_64 random(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    for (unsigned i = 0; i < steps; ++i) {
        Step step{};
        step.what = static_cast<What>(below(static_cast<unsigned>(What::Count)));
        step.bytes = 1U << below(4);
        step.unit = below(kUnits);
        step.per_lane = below(3) * below(4);
        step.offset = below(16 / step.bytes) * step.bytes;
        step.common = below(kCommonWords);
        step.guarded = step.what != What::Barrier && below(3) == 0;
        step.guard = below(5);
        steps_.push_back(step);
    }
}

std::string RandomKernel::globals() {
    std::string out = ".const .align 4 .b32 c[" + number(kConstants) + "] = {";
    for (unsigned i = 0; i < kConstants; ++i)
        out += (i == 0 ? "" : ", ") + number(constant(i));
    return out + "};";
}

std::string RandomKernel::ptx() const {
    const std::string shared = number(16 * block_);
    std::string out = ".local .align 8 .b8 l[64];\n.shared .align 8 .b8 s[" + shared +
                      "];\n"
                      "ld.param.u64 %rd1, [x]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                      "mad.lo.u32 %r4, %r1, %r2, %r3;\n"
                      "mov.u64 %rd2, l; mov.u64 %rd3, s; mul.wide.u32 %rd4, %r3, 16; add.u64 %rd3, %rd3, %rd4;\n"
                      "mov.u64 %rd5, c; add.u64 %rd6, %rd1, " +
                      number(std::uint64_t{threads_} * kUnits * 16) +
                      ";\nmov.u64 %rd7, 0; mov.u32 %r5, 0;\nclear: cvt.u64.u32 %rd8, %r5; add.u64 %rd8, %rd2, %rd8;\n"
                      "st.local.u64 [%rd8], %rd7; add.u32 %r5, %r5, 8; setp.lt.u32 %p1, %r5, 64; @%p1 bra clear;\n"
                      "st.shared.u64 [%rd3], %rd7; st.shared.u64 [%rd3+8], %rd7;\n"
                      "cvt.u64.u32 %rd20, %r4; mov.u32 %r6, 0;\nround:\n";
    for (const Step& step : steps_)
        out += text(step);
    return out + "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, " + number(kRounds) +
           "; @%p1 bra round;\nmul.wide.u32 %rd8, %r4, 16; add.u64 %rd8, %rd1, %rd8; st.global.u64 [%rd8], %rd20; ret;";
}

// A unit's address is made in %rd8, what is read in %rd10 (and %r10 to %r13), what is written from %rd20.
std::string RandomKernel::text(const Step& step) const {
    const std::string test =
        step.guarded ? "shr.u32 %r8, %r4, " + number(step.guard) + "; and.b32 %r8, %r8, 1; setp.ne.u32 %p2, %r8, 0;\n"
                     : "";
    return test + (is_global(step) ? global_text(step) : other_text(step));
}

std::string RandomKernel::global_text(const Step& step) const {
    const std::string bits = number(8 * step.bytes);
    const std::string guard = step.guarded ? "@%p2 " : "";
    const std::string place = "mad.lo.u32 %r7, %r4, " + number(step.per_lane) + ", " + number(step.unit) +
                              "; and.b32 %r7, %r7, " + number(kUnits - 1) + "; mad.lo.u32 %r7, %r7, " +
                              number(threads_) + ", %r4; mul.wide.u32 %rd8, %r7, 16; add.u64 %rd8, %rd1, %rd8;\n";
    switch (step.what) {
    case What::Load:
        return place + guard + "ld.global.u" + bits + " %rd10, [%rd8+" + number(step.offset) + "];\n" + take(guard);
    case What::LoadVector:
        return place + guard + "ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd8];\n" +
               "xor.b32 %r10, %r10, %r11; xor.b32 %r12, %r12, %r13; mul.wide.u32 %rd10, %r10, %r12;\n" + take(guard);
    case What::Store:
        return place + guard + "st.global.u" + bits + " [%rd8+" + number(step.offset) + "], %rd20;\n";
    case What::StoreVector:
        return place + "not.b64 %rd9, %rd20;\n" + guard + "st.global.v2.u64 [%rd8], {%rd20, %rd9};\n";
    case What::Common: {
        const std::string operation = step.common < 4 ? "add.u32" : step.common < 8 ? "max.u32" : "xor.b32";
        return "cvt.u32.u64 %r10, %rd20;\n" + guard + "red.global." + operation + " [%rd6+" + number(4 * step.common) +
               "], %r10;\n";
    }
    default:
        return place + atomic_text(step);
    }
}

std::string RandomKernel::atomic_text(const Step& step) {
    const std::string guard = step.guarded ? "@%p2 " : "";
    const std::string operation = step.what == What::Add ? "add.u" : step.what == What::Exchange ? "exch.b" : "max.u";
    if (step.bytes == 8)
        return guard + "atom.global." + operation + "64 %rd10, [%rd8+" + number(step.offset) + "], %rd20;\n" +
               take(guard);
    return "cvt.u32.u64 %r10, %rd20;\n" + guard + "atom.global." + operation + "32 %r11, [%rd8+" +
           number(step.offset / 4 * 4) + "], %r10;\ncvt.u64.u32 %rd10, %r11;\n" + take(guard);
}

std::string RandomKernel::other_text(const Step& step) {
    const std::string guard = step.guarded ? "@%p2 " : "";
    const std::string local = "[%rd2+" + number(step.unit / 2 * 8) + "]";
    const std::string shared = "[%rd3+" + number(step.unit % 2 * 8) + "]";
    switch (step.what) {
    case What::LocalStore:
        return guard + "st.local.u64 " + local + ", %rd20;\n";
    case What::LocalLoad:
        return guard + "ld.local.u64 %rd10, " + local + ";\n" + take(guard);
    case What::SharedStore:
        return guard + "st.shared.u64 " + shared + ", %rd20;\n";
    case What::SharedLoad:
        return guard + "ld.shared.u64 %rd10, " + shared + ";\n" + take(guard);
    case What::Constant:
        return "mad.lo.u32 %r7, %r4, " + number(step.per_lane) + ", " + number(step.unit) + "; and.b32 %r7, %r7, " +
               number(kConstants - 1) + "; mul.wide.u32 %rd8, %r7, 4; add.u64 %rd8, %rd5, %rd8;\n" + guard +
               "ld.const.u32 %rd10, [%rd8];\n" + take(guard);
    case What::Fence:
        return guard + (step.unit % 2 == 0 ? "membar.gl;\n" : "membar.cta;\n");
    default:
        return "bar.sync 0;\n";
    }
}

std::vector<std::uint32_t> RandomKernel::expected() const {
    std::vector<std::uint8_t> memory(buffer_bytes());
    for (unsigned id = 0; id < threads_; ++id) {
        Thread thread{.id = id, .sum = id};
        for (unsigned round = 0; round < kRounds; ++round)
            for (const Step& step : steps_) {
                if (step.guarded && (thread.id >> step.guard & 1) == 0)
                    continue;
                if (is_global(step))
                    run_global(step, thread, memory);
                else
                    run_other(step, thread);
            }
        std::memcpy(&memory[std::size_t{id} * 16], &thread.sum, 8);
    }
    std::vector<std::uint32_t> words(memory.size() / 4);
    std::memcpy(words.data(), memory.data(), memory.size());
    return words;
}

void RandomKernel::run_global(const Step& step, Thread& thread, std::vector<std::uint8_t>& memory) const {
    const unsigned unit = (step.unit + step.per_lane * thread.id) % kUnits;
    std::uint8_t* const at = &memory[(std::size_t{unit} * threads_ + thread.id) * 16];
    switch (step.what) {
    case What::Load: {
        std::uint64_t value = 0;
        std::memcpy(&value, at + step.offset, step.bytes);
        thread.take(value);
        break;
    }
    case What::LoadVector: {
        std::uint32_t v[4];
        std::memcpy(v, at, 16);
        thread.take(std::uint64_t{v[0] ^ v[1]} * (v[2] ^ v[3]));
        break;
    }
    case What::Store:
        std::memcpy(at + step.offset, &thread.sum, step.bytes);
        break;
    case What::StoreVector: {
        const std::uint64_t v[2] = {thread.sum, ~thread.sum};
        std::memcpy(at, v, 16);
        break;
    }
    case What::Common: {
        std::uint8_t* const word = &memory[std::size_t{threads_} * kUnits * 16 + std::size_t{step.common} * 4];
        std::uint32_t value = 0;
        std::memcpy(&value, word, 4);
        const auto operand = static_cast<std::uint32_t>(thread.sum);
        value = step.common < 4 ? value + operand : step.common < 8 ? std::max(value, operand) : value ^ operand;
        std::memcpy(word, &value, 4);
        break;
    }
    default:
        run_atomic(step, thread, at);
    }
}

void RandomKernel::run_atomic(const Step& step, Thread& thread, std::uint8_t* unit) {
    const std::size_t bytes = step.bytes == 8 ? 8 : 4;
    std::uint8_t* const at = unit + step.offset / bytes * bytes;
    std::uint64_t old = 0;
    std::memcpy(&old, at, bytes);
    const std::uint64_t operand = bytes == 8 ? thread.sum : thread.sum & 0xffffffffU;
    const std::uint64_t now = step.what == What::Add        ? old + operand
                              : step.what == What::Exchange ? operand
                                                            : std::max(old, operand);
    std::memcpy(at, &now, bytes);
    thread.take(old);
}

void RandomKernel::run_other(const Step& step, Thread& thread) {
    switch (step.what) {
    case What::LocalStore:
        thread.local[step.unit / 2] = thread.sum;
        break;
    case What::LocalLoad:
        thread.take(thread.local[step.unit / 2]);
        break;
    case What::SharedStore:
        thread.shared[step.unit % 2] = thread.sum;
        break;
    case What::SharedLoad:
        thread.take(thread.shared[step.unit % 2]);
        break;
    case What::Constant:
        thread.take(constant((step.unit + step.per_lane * thread.id) % kConstants));
        break;
    default: // barriers and fences
        break;
    }
}

} // namespace heddle::runtime
