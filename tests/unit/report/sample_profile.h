// A profile whose numbers are easy to add in one's head: a machine of width 4 with lines of 128 bytes.
#pragma once

#include <initializer_list>
#include <utility>

#include "report/profile.h"

namespace heddle::report::test {

inline probe::Counters counters(std::initializer_list<std::pair<probe::Counter, std::uint64_t>> values) {
    probe::Counters out{};
    for (const auto& [counter, value] : values)
        out[static_cast<std::size_t>(counter)] = value;
    return out;
}

// Line 2 is inlined in line 7, lines 5 to 7 are the kernel's own, `ret` has no line.
// 13 slots issued, 70 stalled at instructions, 24 elsewhere: 107.
inline ProfiledKernel sample_profiled_kernel() {
    using enum probe::Counter;
    const std::uint32_t cu = 0, ptx = 2;
    return {"_Z6gatherPKfPf",
            1,
            true,
            {{0,
              "mov.u32",
              "_Z6gatherPKfPf",
              {ptx, 1},
              {{cu, 5}},
              counters({{Executions, 2}, {Threads, 8}, {Lanes, 8}}),
              {}},
             {1,
              "bra",
              "_Z6gatherPKfPf",
              {ptx, 2},
              {{cu, 6}},
              counters({{Executions, 2},
                        {Threads, 8},
                        {Lanes, 8},
                        {Branches, 2},
                        {Divergent, 2},
                        {Taken, 4},
                        {NotTaken, 4},
                        {Apart, 40}}),
              {{"sb_alu", 0, 3}}},
             {2,
              "ld.global.f32",
              "_Z6gatherPKfPf",
              {ptx, 3},
              {{cu, 2}, {cu, 7}},
              counters({{Executions, 2},
                        {Threads, 4},
                        {Lanes, 4},
                        {Accesses, 2},
                        {Transactions, 4},
                        {IdealTransactions, 2},
                        {BytesAsked, 16},
                        {BytesMoved, 512},
                        {L1Hits, 1},
                        {LlcHits, 1},
                        {DramAccesses, 2},
                        {Waited, 2},
                        {Latency, 300}}),
              {{"branch", {}, 2}},
              {"_Z4pickPKfi"}},
             {3,
              "mul.f32",
              "_Z6gatherPKfPf",
              {ptx, 4},
              {{cu, 7}},
              counters({{Executions, 2}, {Threads, 4}, {Lanes, 4}}),
              {{"sb_dram", 2, 50}, {"sb_llc", 2, 10}}},
             {4,
              "st.global.f32",
              "_Z6gatherPKfPf",
              {ptx, 5},
              {{cu, 7}},
              counters({{Executions, 2},
                        {Threads, 4},
                        {Lanes, 4},
                        {Accesses, 2},
                        {Transactions, 2},
                        {IdealTransactions, 2},
                        {BytesAsked, 16},
                        {BytesMoved, 256},
                        {LlcHits, 2}}),
              {{"pipe_ldst", {}, 5}}},
             {5, "ret", "_Z6gatherPKfPf", {ptx, 6}, {}, counters({{Executions, 3}, {Threads, 8}, {Lanes, 8}}), {}}},
            {{"empty", 20}, {"drain", 4}}};
}

inline Profile sample_profile() {
    return {
        4,
        128,
        {{"a.cu", "__device__ float pick(const float* p, int i) {\n"
                  "    return p[i * 33];\n"
                  "}\n"
                  "__global__ void gather(const float* p, float* q) {\n"
                  "    int i = threadIdx.x;\n"
                  "    if (i % 2)\n"
                  "        q[i] = pick(p, i) * 2;\n"
                  "}\n"},
         {"math.h", {}},
         {"a.ptx", "mov.u32 %r1, %tid.x;\n@%p1 bra done;\nld.global.f32 %f1, [%rd2];\nmul.f32 %f2, %f1, 0f40000000;\n"
                   "st.global.f32 [%rd4], %f2;\nret;\n"}},
        {sample_profiled_kernel()}};
}

} // namespace heddle::report::test
