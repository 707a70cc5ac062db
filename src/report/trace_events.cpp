// Timelines in the trace event format: one JSON object an event, written as it is made.
//
// A process is an SM, or all kernels. An SM has a thread for each block slot and each unit that was used, requests as
// asynchronous slices, and counters. Thread numbers are unique over all processes, because some viewers confuse threads
// with equal numbers.
#include <algorithm>
#include <cstring>
#include <ostream>
#include <set>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "report/json.h"
#include "report/kernels.h"
#include "report/timeline.h"

namespace heddle::report {
namespace {

constexpr unsigned kKernels = 1; // number of the process
constexpr unsigned kThreadsOfSm = 10'000;
constexpr unsigned kUnits = 2'000; // number of the first unit's thread
constexpr unsigned kOrder = kUnits - 1;

struct Decimal { // written with a fixed number of decimals
    double value;
    int places;
};

class Writer {
public:
    explicit Writer(std::ostream& out) : out_(out) {}

    void head(const RunResult& run) {
        raw("{\"displayTimeUnit\":\"ms\",\"otherData\":");
        object("program", fmt::format("heddle {}", version()), "machine", run.machine, "time", "1 us is a cycle",
               "status", status_name(run.status), "left_out", timeline_losses(run));
        raw(",\n\"traceEvents\":[");
    }
    // Writes an event; the names and values of its members alternate.
    template <class... Members>
    void event(const Members&... members) {
        raw(first_ ? "\n" : ",\n");
        first_ = false;
        object(members...);
        if (text_.GetSize() > kBuffer)
            flush();
    }
    // Members of a value inside the event: see put().
    template <class Value, class... Rest>
    void members(const char* name, const Value& value, const Rest&... rest) {
        json_.Key(name);
        put(value);
        if constexpr (sizeof...(rest) != 0)
            members(rest...);
    }
    void process(unsigned pid, const std::string& name) {
        describe("process_name", pid, 0, "name", name);
        describe("process_sort_index", pid, 0, "sort_index", pid);
    }
    void thread(unsigned pid, unsigned tid, const std::string& name) {
        describe("thread_name", pid, tid, "name", name);
        describe("thread_sort_index", pid, tid, "sort_index", tid);
    }
    void end() {
        raw("\n]}\n");
        flush();
    }

private:
    static constexpr std::size_t kBuffer = 1 << 16;

    template <class Value>
    void describe(const char* what, unsigned pid, unsigned tid, const char* name, const Value& value) {
        event("name", what, "ph", "M", "pid", pid, "tid", tid, "args", [&] { members(name, value); });
    }
    template <class... Members>
    void object(const Members&... all) {
        json_.Reset(text_); // a document of its own
        json_.StartObject();
        members(all...);
        json_.EndObject();
    }
    // A value that is a function writes the members of an object.
    template <class Value>
    void put(const Value& value) {
        if constexpr (std::is_invocable_v<Value>) {
            json_.StartObject();
            value();
            json_.EndObject();
        } else if constexpr (std::is_convertible_v<Value, std::string_view>) {
            put_text(value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            json_.Bool(value);
        } else if constexpr (std::is_same_v<Value, Decimal>) {
            put_number(fmt::format("{:.{}f}", value.value, value.places));
        } else if constexpr (std::is_same_v<Value, Dim3>) {
            json_.StartArray();
            for (const std::uint32_t extent : {value.x, value.y, value.z})
                json_.Uint(extent);
            json_.EndArray();
        } else {
            json_.Uint64(value);
        }
    }
    void put_number(const std::string& digits) {
        json_.RawValue(digits.data(), digits.size(), rapidjson::kNumberType);
    }
    // RapidJSON would write bytes that are not UTF-8 unchanged.
    void put_text(std::string_view text) {
        const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
        if (std::all_of(text.begin(), text.end(), is_plain)) {
            json_.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
            return;
        }
        const std::string quoted = nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        json_.RawValue(quoted.data(), quoted.size(), rapidjson::kStringType);
    }
    void raw(std::string_view text) {
        std::memcpy(text_.Push(text.size()), text.data(), text.size());
    }
    void flush() {
        out_.write(text_.GetString(), static_cast<std::streamsize>(text_.GetSize()));
        text_.Clear();
    }

    std::ostream& out_;
    rapidjson::StringBuffer text_;
    rapidjson::Writer<rapidjson::StringBuffer> json_;
    bool first_ = true;
};

// A slice for each launch, and a line through all tracks where it begins and ends.
void write_kernels(Writer& writer, const RunResult& run) {
    writer.process(kKernels, "kernels");
    writer.thread(kKernels, kKernels, "launches");
    const auto boundary = [&](const std::string& name, Cycle ts) {
        writer.event("name", name, "cat", "launch", "ph", "i", "s", "g", "ts", ts, "pid", kKernels, "tid", kKernels);
    };
    for (std::size_t i = 0; i < run.kernels.size(); ++i) {
        const KernelResult& k = run.kernels[i];
        const Cycle end = k.start + k.counts.cycles;
        if (!k.timed || !run.timelines.front()->range.meets(k.start, end))
            continue;
        const std::string name = readable_name(k.name);
        writer.event("name", name, "cat", "kernel", "ph", "X", "ts", k.start, "dur", k.counts.cycles, "pid", kKernels,
                     "tid", kKernels, "args",
                     [&] { writer.members("launch", i, "grid", k.grid, "block", k.block, "symbol", k.name); });
        boundary(fmt::format("launch {} begins: {}", i, name), k.start);
        boundary(fmt::format("launch {} ends", i), end);
    }
}

// The parts for writing an SM's process.
struct Sm {
    Writer& writer;
    const probe::Timeline& timeline;
    unsigned number;

    [[nodiscard]] unsigned pid() const {
        return kKernels + 1 + number;
    }
    [[nodiscard]] unsigned tid(unsigned thread) const {
        return (number + 1) * kThreadsOfSm + thread;
    }
};

void write_blocks(const Sm& sm) {
    std::set<unsigned> slots;
    for (const probe::BlockSpan& b : sm.timeline.residency.blocks()) {
        slots.insert(b.slot);
        sm.writer.event("name", fmt::format("block {}", b.global_id), "cat", "block", "ph", "X", "ts", b.start, "dur",
                        b.end - b.start, "pid", sm.pid(), "tid", sm.tid(b.slot), "args",
                        [&] { sm.writer.members("launch", b.launch, "ended", b.ended); });
    }
    for (const unsigned slot : slots)
        sm.writer.thread(sm.pid(), sm.tid(slot), fmt::format("block slot {}", slot));
}

void write_units(const Sm& sm) {
    std::set<unsigned> units;
    for (const probe::UnitSpan& s : sm.timeline.units.spans()) {
        units.insert(s.unit);
        const auto args = [&] {
            sm.writer.members("instructions", s.instructions);
            if (s.instructions != 0)
                sm.writer.members("threads", Decimal{static_cast<double>(s.threads) / s.instructions, 1});
            if (s.block != probe::kNoBlock)
                sm.writer.members("block", s.block);
            if (s.pc != kNoPc)
                sm.writer.members("pc", s.pc);
        };
        sm.writer.event("name", probe::kActivityNames[static_cast<std::size_t>(s.activity)], "cat", "warp", "ph", "X",
                        "ts", s.start, "dur", s.end - s.start, "pid", sm.pid(), "tid", sm.tid(kUnits + s.unit), "args",
                        args);
    }
    for (const unsigned unit : units)
        sm.writer.thread(sm.pid(), sm.tid(kUnits + unit), fmt::format("warp {}", unit));
}

// chrome://tracing has names for colours; Perfetto gives each name of a slice one.
void write_requests(const Sm& sm) {
    static constexpr const char* kColours[] = {"good", "bad", "grey"}; // by Served
    std::uint64_t id = std::uint64_t{sm.number} << 32;
    for (const probe::Request& r : sm.timeline.requests.requests()) {
        const auto served = static_cast<std::size_t>(r.served);
        const std::string name =
            fmt::format("{}, {}", probe::kAskedNames[static_cast<std::size_t>(r.asked)], probe::kServedNames[served]);
        const std::string number = fmt::format("{:#x}", ++id);
        const auto event = [&](const char* phase, Cycle ts, const auto& args) {
            sm.writer.event("name", name, "cat", "memory", "ph", phase, "id", number, "ts", ts, "pid", sm.pid(), "tid",
                            sm.tid(0), "cname", kColours[served], "args", args);
        };
        const auto args = [&] { sm.writer.members("address", fmt::format("{:#x}", r.address), "bytes", r.bytes); };
        if (r.answered == r.sent) {
            event("n", r.sent, args);
            continue;
        }
        event("b", r.sent, args);
        event("e", r.answered, [] {});
    }
}

// A sample holds from the cycle after it on; its instructions are counted from the last sample on.
void write_counters(const Sm& sm) {
    Cycle from = sm.timeline.residency.start().at;
    std::uint64_t instructions = sm.timeline.residency.start().thread_instructions;
    const auto counter = [&](const char* name, Cycle ts, const auto&... values) {
        sm.writer.event("name", name, "ph", "C", "ts", ts, "pid", sm.pid(), "tid", sm.tid(0), "args",
                        [&] { sm.writer.members(values...); });
    };
    const auto ipc = [&](double value) { counter("IPC", from, "IPC", Decimal{value, 3}); };
    for (const probe::Sample& s : sm.timeline.residency.samples()) {
        const Cycle ts = s.at + 1;
        ipc(static_cast<double>(s.thread_instructions - instructions) / static_cast<double>(ts - from));
        counter("resident", ts, "threads", s.threads, "warps", s.warps);
        counter("open requests", ts, "requests", s.requests);
        counter("warp progress", ts, "least", s.progress.least, "mean", Decimal{s.progress.mean(s.warps), 1}, "most",
                s.progress.most);
        from = ts;
        instructions = s.thread_instructions;
    }
    ipc(0);
}

// PRO Table IV: a mark at each change of the order.
void write_block_order(const Sm& sm) {
    std::vector<std::uint64_t> last;
    for (const probe::Sample& s : sm.timeline.residency.samples()) {
        std::vector<std::uint64_t> order = block_order(sm.timeline, s);
        if (order == last)
            continue;
        if (last.empty())
            sm.writer.thread(sm.pid(), sm.tid(kOrder), "block order");
        sm.writer.event("name", fmt::format("{}", fmt::join(order, " ")), "cat", "order", "ph", "i", "s", "t", "ts",
                        s.at, "pid", sm.pid(), "tid", sm.tid(kOrder));
        last = std::move(order);
    }
}

} // namespace

void write_trace_events(std::ostream& out, const RunResult& run) {
    Writer writer(out);
    writer.head(run);
    write_kernels(writer, run);
    for (std::size_t i = 0; i < run.timelines.size(); ++i) {
        const Sm sm{writer, *run.timelines[i], static_cast<unsigned>(i)};
        writer.process(sm.pid(), fmt::format("SM {}", i));
        write_blocks(sm);
        write_block_order(sm);
        write_units(sm);
        write_requests(sm);
        write_counters(sm);
    }
    writer.end();
}

} // namespace heddle::report
