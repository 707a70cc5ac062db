#include "check/barrier_check.h"

#include <algorithm>

namespace heddle::check {

BarrierCheck::BarrierCheck(std::uint32_t block, std::uint32_t threads) : block_(block), threads_(threads) {}

Finding BarrierCheck::finding(Kind kind, unsigned barrier, std::uint32_t thread, Pc pc) const {
    Finding out;
    out.kind = kind;
    out.number = barrier;
    out.second = {.pc = pc, .block = block_, .thread = thread};
    return out;
}

Finding BarrierCheck::finding(Kind kind, unsigned barrier, const Arrival& first, std::uint32_t second,
                              Pc second_pc) const {
    Finding out = finding(kind, barrier, second, second_pc);
    out.first = {.pc = first.pc, .block = block_, .thread = first.thread};
    return out;
}

void BarrierCheck::exits(std::uint32_t thread, Pc pc) {
    threads_[thread] = {true, pc};
}

void BarrierCheck::arrive(unsigned barrier, const Arrival& arrival, Findings& findings) {
    executes(arrival.thread, arrival.pc);
    std::vector<Arrival>& here = arrivals_[barrier];
    if (here.empty() && arrival.expected > (threads_.size() + kPtxWarp - 1) / kPtxWarp * kPtxWarp) {
        Finding out = finding(Kind::BarrierCount, barrier, arrival.thread, arrival.pc);
        out.expected[1] = arrival.expected;
        findings.add(out);
    } else if (!here.empty() && here.front().expected != arrival.expected) {
        add_count(barrier, here.front(), arrival, findings);
    }
    here.push_back(arrival);
}

void BarrierCheck::complete(unsigned barrier, Findings& findings) {
    std::vector<Arrival>& here = arrivals_[barrier];
    if (here.empty())
        return;
    // In the order of threads: which of them came first depends on time, the report does not.
    std::sort(here.begin(), here.end(), [](const Arrival& a, const Arrival& b) { return a.thread < b.thread; });
    if (const Arrival& first = here.front(); first.expected != 0 && here.size() > first.expected)
        add_count(barrier, first, here.back(), findings); // more threads than expected
    check_warps(barrier, findings);
    check_instructions(barrier, findings);
    check_exits(barrier, findings);
    here.clear();
}

void BarrierCheck::add_count(unsigned barrier, const Arrival& first, const Arrival& second, Findings& findings) const {
    Finding out = finding(Kind::BarrierCount, barrier, first, second.thread, second.pc);
    out.expected[0] = first.expected;
    out.expected[1] = second.expected;
    findings.add(out);
}

// Of an aligned barrier: the threads of a warp execute one instruction together.
void BarrierCheck::check_warps(unsigned barrier, Findings& findings) const {
    const std::vector<Arrival>& here = arrivals_[barrier];
    for (std::size_t begin = 0, end = 0; begin < here.size(); begin = end) {
        const Arrival& first = here[begin];
        const std::uint32_t warp = first.thread / kPtxWarp;
        for (end = begin; end < here.size() && here[end].thread / kPtxWarp == warp; ++end)
            if (here[end].pc != first.pc && (first.aligned || here[end].aligned))
                return findings.add(finding(Kind::BarrierWarp, barrier, first, here[end].thread, here[end].pc));
        if (!first.aligned || first.expected == 0)
            continue;
        const auto last = std::min<std::uint32_t>((warp + 1) * kPtxWarp, static_cast<std::uint32_t>(threads_.size()));
        std::size_t at = begin;
        for (std::uint32_t t = warp * kPtxWarp; t < last; ++t) {
            while (at < end && here[at].thread < t)
                ++at;
            if ((at == end || here[at].thread != t) && !threads_[t].exited)
                return findings.add(finding(Kind::BarrierWarp, barrier, first, t, threads_[t].last));
        }
    }
}

// __syncthreads() in code that not all threads of the block execute. Barriers with a number of threads may be met by
// different instructions: producers and consumers do so.
void BarrierCheck::check_instructions(unsigned barrier, Findings& findings) const {
    const std::vector<Arrival>& here = arrivals_[barrier];
    const Arrival& first = here.front();
    for (const Arrival& a : here)
        if (a.pc != first.pc && a.expected == 0 && first.expected == 0 &&
            a.thread / kPtxWarp != first.thread / kPtxWarp)
            return findings.add(finding(Kind::BarrierInstruction, barrier, first, a.thread, a.pc));
}

void BarrierCheck::check_exits(unsigned barrier, Findings& findings) const {
    const Arrival& first = arrivals_[barrier].front();
    if (first.expected != 0)
        return;
    const auto gone = std::find_if(threads_.begin(), threads_.end(), [](const Thread& t) { return t.exited; });
    if (gone != threads_.end())
        findings.add(finding(Kind::BarrierExited, barrier, first, static_cast<std::uint32_t>(gone - threads_.begin()),
                             gone->last));
}

void BarrierCheck::stuck(Findings& findings) const {
    for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
        const std::vector<Arrival>& here = arrivals_[barrier];
        const auto first = std::min_element(here.begin(), here.end(), [](const Arrival& a, const Arrival& b) {
            return std::pair(!a.waits, a.thread) < std::pair(!b.waits, b.thread);
        });
        if (first == here.end() || !first->waits)
            continue;
        const auto came = [&](std::uint32_t t) {
            return std::any_of(here.begin(), here.end(), [t](const Arrival& a) { return a.thread == t; });
        };
        std::uint32_t other = 0;
        while (other < threads_.size() && came(other))
            ++other;
        findings.add(other == threads_.size()
                         ? finding(Kind::BarrierStuck, barrier, first->thread, first->pc)
                         : finding(Kind::BarrierStuck, barrier, *first, other, threads_[other].last));
    }
}

} // namespace heddle::check
