// Writes seeds into the working folder that take more than a text editor: results, stores, threads' traces, plans, fat
// binaries, tensor maps.
#include <cstring>
#include <fstream>
#include <lz4.h>
#include <string>
#include <vector>
#include <zstd.h>

#include "config/parameter.h"
#include "exec/tensor_map.h"
#include "experiment/plan_file.h"
#include "experiment/result_folder.h"
#include "experiment/store.h"
#include "report/cost.h"
#include "runtime/device.h"

using namespace heddle;

namespace {

// A loop whose threads part and meet, so that traces differ.
constexpr const char* kPtx = R"(.version 7.8
.target sm_86
.address_size 64
.visible .entry kernel()
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    mov.u32 %r0, %tid.x;
loop:
    and.b32 %r1, %r0, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra even;
    sub.u32 %r0, %r0, 1;
even:
    shr.u32 %r0, %r0, 1;
    setp.ne.u32 %p0, %r0, 0;
    @%p0 bra loop;
    bar.sync 0;
    ret;
}
)";

// RESULT.json of a launch with a timeline.
std::string timed_run() {
    runtime::Options options;
    options.timeline = runtime::TimelineOptions{};
    runtime::Device device(config::Machine::load("lwm11", {}), options);
    device.launch(device.kernel(device.load_module("seed.ptx", kPtx), "kernel"), {{2, 1, 1}, {48, 1, 1}},
                  std::span<const std::byte>());
    return device.result_json();
}

void write_traces() {
    runtime::Options options{.functional = true};
    options.thread_traces = runtime::ThreadTraceOptions{};
    runtime::Device device(config::Machine::load("lwm11", {}), options);
    device.launch(device.kernel(device.load_module("seed.ptx", kPtx), "kernel"), {{1, 1, 1}, {48, 1, 1}},
                  std::span<const std::byte>());
    std::ofstream out("traces.json");
    device.write_thread_traces(out);
}

void write_map(const char* name, std::uint8_t im2col) {
    exec::TensorMap map;
    map.rank = 3;
    map.element_bytes = 4;
    map.im2col = im2col;
    map.step = {1, 1, 1, 1, 1};
    map.begin = 0x10000;
    map.stride = {64, 512, 0, 0};
    map.size = {15, 7, 3, 0, 0};
    map.box = {8, 4, 2, 0, 0};
    std::vector<char> bytes(sizeof map + 32); // coordinates and offsets follow
    std::memcpy(bytes.data(), &map, sizeof map);
    std::ofstream(name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_cost() {
    const config::Machine machine = config::Machine::load("lwm11", {});
    const cost::HardwareCost structure{.structure = "warp pool", .entries = 32, .bits = 64};
    std::ofstream("cost.json") << report::cost_json(
        {machine.name(), machine.values(), 1, {{"formation", "lwm", {structure}}, {"scheduler", "rr", {}}}});
}

void write_plan() {
    experiment::Run run;
    run.key = "key";
    run.arguments = {"--size", "64"};
    run.inputs = {{"input", "00"}};
    run.machine = "lwm11";
    run.settings = {"core.formation=lwm"};
    run.sample = 100;
    std::ofstream("plan.jsonl") << experiment::plan_text(std::vector<experiment::Run>{run, run}, "version");
}

template <class T>
void put(std::string& to, std::size_t at, T value) {
    std::memcpy(to.data() + at, &value, sizeof value);
}

// A fat binary with the PTX twice (shim/cudart/fat_binary.h). `packed`: what the text is compressed to, or the text.
void write_fat_binary(const char* name, std::uint64_t flags, std::string packed) {
    const std::size_t bytes = packed.size();
    packed.resize((bytes + 8) / 8 * 8);
    std::string entry(64, '\0');
    put(entry, 0, std::uint16_t{1});
    put(entry, 4, std::uint32_t{64});
    put(entry, 8, std::uint64_t{packed.size()});
    put(entry, 16, static_cast<std::uint32_t>(flags == 0 ? 0 : bytes));
    put(entry, 28, std::uint32_t{75});
    put(entry, 40, flags);
    put(entry, 56, std::uint64_t{flags == 0 ? 0 : std::strlen(kPtx) + 1});
    std::string header(16, '\0');
    put(header, 0, std::uint32_t{0xba55ed50});
    put(header, 4, std::uint16_t{1});
    put(header, 6, std::uint16_t{16});
    put(header, 8, std::uint64_t{2 * (entry.size() + packed.size())});
    std::ofstream(name, std::ios::binary) << header << entry << packed << entry << packed;
}

void write_fat_binaries() {
    const std::size_t bytes = std::strlen(kPtx) + 1;
    write_fat_binary("plain.fatbin", 0, kPtx);
    std::string zstd(ZSTD_compressBound(bytes), '\0');
    zstd.resize(ZSTD_compress(zstd.data(), zstd.size(), kPtx, bytes, 3));
    write_fat_binary("zstd.fatbin", 0x8000, zstd);
    const int size = static_cast<int>(bytes);
    std::string lz4(static_cast<std::size_t>(LZ4_compressBound(size)), '\0');
    const int packed = LZ4_compress_default(kPtx, lz4.data(), size, static_cast<int>(lz4.size()));
    lz4.resize(static_cast<std::size_t>(packed));
    write_fat_binary("lz4.fatbin", 0x2000, lz4);
}

} // namespace

int main() {
    const std::string result = timed_run();
    std::ofstream("result.json") << result;
    const experiment::StoredRun run{"key", "version", "", "label", 1, result, 100};
    experiment::ResultFolder folder(".");
    folder.put(run);        // key.run
    folder.put_killed(run); // key.lost
    experiment::Store store("runs.sqlite", experiment::Store::Mode::write);
    store.put(run);
    store.put({"other", "version", "it failed", "other", 1, "", 0});
    store.describe({{"key", "lwm11-8", "bfs", {"--size", "64"}, "lwm11", "pdom rr", "", 1}});
    write_traces();
    write_map("tiled.map", 0);
    write_map("im2col.map", 1);
    write_plan();
    write_cost();
    write_fat_binaries();
    return 0;
}
