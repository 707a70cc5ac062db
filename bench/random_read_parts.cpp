// Nanoseconds that the parts of gtx480's memory system take for a random read, each part alone and its state in the
// host's caches: what a simulation of micro-random has to do at least (docs/architecture.md, "Where the host's time
// goes"). The loads of the parts are those that micro-random shows in its statistics.
#include <deque>

#include <benchmark/benchmark.h>

#include "base/random.h"
#include "mem/cache/cache.h"
#include "mem/dram/channel.h"
#include "mem/network/crossbar.h"
#include "mem/system/llc_config.h"
#include "sm/load_store/data_cache.h"

namespace {

using namespace heddle;

constexpr std::uint64_t kLines = (64U << 20) / 128; // of micro-random's buffer

const config::Machine& gtx480() {
    static const config::Machine machine = config::Machine::load("gtx480", {});
    return machine;
}

// A look-up that misses and the fill of an older miss, with `on_their_way` lines outstanding.
void miss_and_fill(benchmark::State& state, const mem::CacheConfig& config, std::size_t on_their_way) {
    mem::Cache cache(config);
    SplitMix64 random(1);
    std::deque<mem::MissId> misses;
    std::uint32_t waiters = 0;
    for (auto _ : state) {
        mem::Cache::Answer answer{};
        do {
            if (misses.size() >= on_their_way) {
                cache.fill(misses.front(), [&](std::uint32_t waiter) { waiters += waiter; });
                misses.pop_front();
            }
            answer = cache.look_up(mem::CacheAccess::to(random.below(kLines) * config.line, false), 1);
        } while (answer.result != mem::Cache::Result::Miss);
        misses.push_back(answer.miss);
    }
    benchmark::DoNotOptimize(waiters);
}

void data_cache(benchmark::State& state) {
    miss_and_fill(state, gtx480().get<sm::DCacheConfig>(), 46);
}
BENCHMARK(data_cache);

void last_level(benchmark::State& state) {
    const auto llc = gtx480().get<mem::LlcConfig>();
    mem::CacheConfig slice = llc;
    slice.size = llc.size / llc.slices;
    miss_and_fill(state, slice, 33);
}
BENCHMARK(last_level);

// A packet of `flits` flits from any input to any output, 1.2 packets a cycle.
void packet(benchmark::State& state, unsigned inputs, unsigned outputs, unsigned flits) {
    mem::Crossbar<mem::Ports64> network(gtx480().get<mem::InterconnectConfig>().shape(inputs, outputs));
    SplitMix64 random(1);
    Cycle now = 1;
    std::uint32_t taken = 0;
    const auto tick = [&] {
        if (network.wake <= now)
            network.tick(now);
        network.ready_outputs(now).for_each([&](unsigned output) {
            while (network.ready(output, now))
                taken += network.take(output, now);
        });
        ++now;
    };
    std::uint64_t sent = 0;
    for (auto _ : state) {
        auto input = static_cast<unsigned>(random.below(inputs));
        while (!network.accepts(input, flits)) {
            tick();
            input = static_cast<unsigned>(random.below(inputs));
        }
        network.send(input, static_cast<unsigned>(random.below(outputs)), 1, flits, now);
        ++sent;
        while (sent * 5 >= now * 6)
            tick();
    }
    benchmark::DoNotOptimize(taken);
}

void request_network(benchmark::State& state) {
    packet(state, 15, 12, 1);
}
BENCHMARK(request_network);

void reply_network(benchmark::State& state) {
    packet(state, 12, 15, 4);
}
BENCHMARK(reply_network);

// A read of a line of any row, with a queue as full as it gets.
void dram_channel(benchmark::State& state) {
    const auto config = gtx480().get<mem::DramConfig>();
    const auto channel = mem::make_dram_channel(config);
    SplitMix64 random(1);
    Cycle now = 0;
    std::uint32_t done = 0;
    for (auto _ : state) {
        while (!channel->accepts()) {
            now = std::max(now, channel->wake);
            channel->catch_up(now);
        }
        while (channel->done_at() <= now)
            done += channel->done.pop().id;
        channel->push(
            {.id = 1, .address = random.below(kLines / config.channels) * 128, .bytes = 128, .use = mem::DramUse::Read},
            now);
    }
    benchmark::DoNotOptimize(done);
}
BENCHMARK(dram_channel);

} // namespace

BENCHMARK_MAIN();
