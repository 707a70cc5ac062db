// Random kernels whose result does not depend on the order of their threads, and what they leave in memory.
//
// A thread reads and writes units of 16 bytes of its own, which alternate with those of all other threads, so that
// lines are shared by threads, warps and SMs; it does atomic operations there and, with operations that commute, on
// words common to all; it uses local, shared and constant memory, barriers and fences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::runtime {

class RandomKernel {
public:
    static constexpr unsigned kUnits = 16;       // of 16 bytes, of a thread
    static constexpr unsigned kCommonWords = 12; // four to add to, four for maxima, four for exclusive ors
    static constexpr unsigned kConstants = 64;

    // `threads` in all; the kernel is made for blocks of `block`.
    RandomKernel(std::uint64_t seed, unsigned threads, unsigned block, unsigned steps);

    // With the registers of module_of(); its parameter is the buffer, cleared.
    [[nodiscard]] std::string ptx() const;
    [[nodiscard]] static std::string globals();
    [[nodiscard]] std::uint64_t buffer_bytes() const {
        return std::uint64_t{threads_} * kUnits * 16 + kCommonWords * 4;
    }
    // The buffer after the kernel, worked out a thread after the other.
    [[nodiscard]] std::vector<std::uint32_t> expected() const;

private:
    enum class What : std::uint8_t {
        Load,
        LoadVector,
        Store,
        StoreVector,
        Add,
        Exchange,
        Maximum,
        Common,
        LocalStore,
        LocalLoad,
        SharedStore,
        SharedLoad,
        Constant,
        Fence,
        Barrier,
        Count,
    };
    struct Step {
        What what;
        unsigned bytes;          // of an access: 1, 2, 4 or 8
        unsigned unit, per_lane; // unit (unit + per_lane * thread) % kUnits
        unsigned offset;         // within it
        unsigned common;         // word
        bool guarded;            // only threads whose `guard`-th bit is set
        unsigned guard;
    };
    struct Thread;

    [[nodiscard]] static bool is_global(const Step& step) {
        return step.what <= What::Common;
    }
    [[nodiscard]] std::string text(const Step& step) const;
    [[nodiscard]] std::string global_text(const Step& step) const;
    [[nodiscard]] static std::string atomic_text(const Step& step);
    [[nodiscard]] static std::string other_text(const Step& step);
    void run_global(const Step& step, Thread& thread, std::vector<std::uint8_t>& memory) const;
    static void run_atomic(const Step& step, Thread& thread, std::uint8_t* unit);
    static void run_other(const Step& step, Thread& thread);

    unsigned threads_, block_;
    std::vector<Step> steps_;
};

} // namespace heddle::runtime
