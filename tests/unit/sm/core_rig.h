// A few lines of PTX on one SM whose memory is 100 cycles away and takes a request a cycle: no interconnect. All
// instructions of a kernel lie on one line of the instruction cache.
#pragma once

#include <cctype>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sstream>
#include <stdexcept>

#include <gtest/gtest.h>

#include "../ir/lowered.h"
#include "rig.h"
#include "sm/frame/frame.h"

namespace heddle::sm::test {

inline constexpr Cycle kMemory = 100; // from a request to its answer

inline config::Machine near_machine(const std::vector<std::string>& settings) {
    std::vector<std::string> all{"dram.row_hit=100", "dram.row_conflict=100", "dram.bytes_per_cycle=1024",
                                 "icache.line=1024"};
    all.insert(all.end(), settings.begin(), settings.end());
    return config::Machine::defaults(all);
}

// Pipes as a Fermi SM has them, on a core whose width is one warp of 4 lanes.
inline const std::vector<std::string> kScoreboard = {
    "core.model=scoreboard",  "core.width=4",         "core.threads=64",      "scoreboard.schedulers=1",
    "pipe.sp.width=2",        "pipe.sp.collectors=6", "pipe.sp.logic=1/1",    "pipe.sp.shuffle=32/4",
    "pipe.sp.int_add=4/1",    "pipe.sp.int_max=13/2", "pipe.sp.int_mul=4/2",  "pipe.sp.int_mad=5/1",
    "pipe.sp.fp32_add=4/1",   "pipe.sp.fp32_max=4/1", "pipe.sp.fp32_mul=4/1", "pipe.sp.fp32_mad=5/1",
    "pipe.sfu.width=1",       "pipe.sfu.kind=sfu",    "pipe.sfu.special=8/8", "pipe.sfu.int_div=145/8",
    "pipe.sfu.fp32_div=39/4", "pipe.dp.width=1",      "pipe.dp.kind=dp",      "pipe.dp.fp64_add=8/8",
    "pipe.dp.fp64_max=8/8",   "pipe.dp.fp64_mul=8/8", "pipe.dp.fp64_mad=8/8", "pipe.dp.fp64_div=330/130",
    "pipe.sfu.collectors=8",
};
inline std::vector<std::string> with(std::vector<std::string> settings, const std::vector<std::string>& more) {
    settings.insert(settings.end(), more.begin(), more.end());
    return settings;
}

// A kernel of one parameter x, the address of a buffer. `body` uses registers as ir::test::kernel_text() declares them.
struct Kernel {
    Kernel(const config::Machine& machine, const std::string& body, std::uint32_t threads)
        : lowered(ir::test::lower_body(body, ".param .u64 x")), image(1 << 20), buffer(image.allocate(1 << 16, "x")) {
        std::memcpy(parameters.data(), &buffer, sizeof buffer);
        const auto core = machine.get<CoreConfig>();
        launch.program = &lowered.program;
        launch.kernel = &lowered.kernel();
        launch.block = {threads, 1, 1};
        launch.parameters = parameters;
        launch.width = static_cast<unsigned>(core.width);
        launch.rows = static_cast<unsigned>(core.threads / core.width);
        launch.block_slots = static_cast<unsigned>(core.blocks);
    }

    ir::test::Lowered lowered;
    exec::MemoryImage image;
    Address buffer;
    std::array<std::byte, 8> parameters{};
    exec::Launch launch;
};

// The frame of an SM with a block of the kernel resident.
struct FrameRig {
    FrameRig(const std::vector<std::string>& settings, const std::string& body, std::uint32_t threads,
             std::size_t flights = 8)
        : machine(near_machine(settings)), kernel(machine, body, threads),
          frame(machine, 0, kernel.image, kernel.lowered.program, {}, flights) {
        frame.contexts.make_room(kernel.launch);
        frame.contexts.begin_threads();
        frame.contexts.start_block({0, 0, 0}, 0, 0);
        for (std::size_t f = 0; f < flights; ++f)
            frame.open_flight(static_cast<FlightId>(f));
    }
    // Forms and executes the next instruction of a unit.
    warp::Flight& execute(UnitId unit, FlightId f = 0) {
        warp::Flight& flight = frame.flights[f];
        frame.units.eligible.erase(unit);
        flight.generation = frame.units.generation[unit];
        frame.formation.form(unit, kernel.lowered.program.ops[frame.units.pc[unit]], frame.contexts.executor,
                             flight.group);
        frame.execute(flight, frame.clock);
        return flight;
    }

    config::Machine machine;
    Kernel kernel;
    Frame frame;
};

struct Issued {
    Cycle at;
    unsigned unit;
    Pc pc;
    bool operator==(const Issued&) const = default;
};

// One core runs a kernel to its end.
struct CoreRun {
    // `prepare`: what native code would say of the instructions.
    using Prepare = std::function<void(ir::Program&)>;
    CoreRun(const std::vector<std::string>& settings, const std::string& body, std::uint32_t threads,
            std::uint32_t blocks = 1, bool traces = true, const Prepare& prepare = {})
        : machine(near_machine(settings)), kernel(machine, body, threads),
          core(cores().make(machine.get<CoreConfig>().model, machine, 0U, kernel.image, kernel.lowered.program,
                            traces ? TraceSink([this](std::string_view line) { read(line); }) : TraceSink())) {
        kernel.launch.grid = {blocks, 1, 1};
        if (prepare)
            prepare(kernel.lowered.program);
        core->begin(kernel.launch, 0);
        std::uint32_t next = 0;
        do {
            for (; next < blocks && core->can_accept(); ++next)
                core->start_block({next, 0, 0}, next, cycles);
            cycles = core->run(cycles, cycles + 10'000);
        } while ((core->resident_blocks() != 0 || next < blocks) && cycles < 100'000);
    }

    // The cycles in which a unit executed instruction `pc`.
    [[nodiscard]] std::vector<Cycle> cycles_of(Pc pc, unsigned unit = 0) const {
        std::vector<Cycle> out;
        for (const Issued& i : issued)
            if (i.pc == pc && i.unit == unit)
                out.push_back(i.at);
        return out;
    }
    // The cycle in which it did so for the first time.
    [[nodiscard]] Cycle at(Pc pc, unsigned unit = 0) const {
        const std::vector<Cycle> all = cycles_of(pc, unit);
        return all.empty() ? kNever : all.front();
    }
    [[nodiscard]] std::uint64_t slots(probe::Slot cause) const {
        return core->stats().slots[static_cast<std::size_t>(cause)];
    }
    [[nodiscard]] std::uint64_t all_slots() const {
        std::uint64_t sum = 0;
        for (const std::uint64_t n : core->stats().slots)
            sum += n;
        return sum;
    }
    [[nodiscard]] std::uint32_t word(unsigned i) const {
        std::uint32_t out = 0;
        std::memcpy(&out, kernel.image.host(kernel.buffer + 4 * i), 4);
        return out;
    }
    [[nodiscard]] std::uint64_t counter(const std::string& name) const {
        stats::Tree tree;
        core->add_statistics(tree);
        return tree.snapshot().counter(name);
    }

    config::Machine machine;
    Kernel kernel;
    std::unique_ptr<Core> core;
    std::vector<Issued> issued; // what was traced
    Cycle cycles = 0;

private:
    // Groups as traces show them: "s0:u3@7[..." (scoreboard), "D:u3@7[..." (barrel: decode, where it executes),
    // "u3@7[..." (wpu). What stands still in decode is shown again.
    void read(std::string_view line) {
        std::istringstream words{std::string(line)};
        Cycle now = 0;
        words >> now;
        std::string in_decode;
        for (std::string word; words >> word;) {
            const std::size_t colon = word.find(':');
            const std::string where = colon == std::string::npos ? "" : word.substr(0, colon);
            const std::string what = colon == std::string::npos ? word : word.substr(colon + 1);
            unsigned unit = 0, pc = 0;
            const bool executes = where.empty() || where == "D" || (where[0] == 's' && std::isdigit(where[1]) != 0);
            if (!executes || std::sscanf(what.c_str(), "u%u@%u[", &unit, &pc) != 2)
                continue;
            if (where == "D")
                in_decode = what;
            if (where != "D" || what != in_decode_)
                issued.push_back({now, unit, pc});
        }
        in_decode_ = in_decode;
    }

    std::string in_decode_; // at the end of the last cycle
};

// Every slot of every cycle has one cause, and a core that is not traced, which passes over idle cycles at once, counts
// the same.
struct CheckedRun : CoreRun {
    CheckedRun(const std::vector<std::string>& settings, const std::string& body, std::uint32_t threads,
               std::uint32_t blocks = 1)
        : CoreRun(settings, body, threads, blocks) {
        EXPECT_EQ(core->resident_blocks(), 0U);
        EXPECT_EQ(core->stats().cycles, cycles);
        EXPECT_EQ(all_slots(), cycles * core->issue_slots());
        EXPECT_EQ(slots(probe::Slot::Issued), core->stats().warp_instructions);
        const CoreRun untraced(settings, body, threads, blocks, false);
        EXPECT_EQ(untraced.cycles, cycles);
        EXPECT_EQ(untraced.core->stats().slots, core->stats().slots);
    }
};

} // namespace heddle::sm::test
