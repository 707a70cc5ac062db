// Timelines in the trace event format: one JSON object an event, written as it is made.
//
// A process is the kernels, or an SM. An SM has a thread for each block slot and each unit that was used, requests as
// asynchronous slices, and counters. Threads have numbers of their own over all processes: viewers may take two of one
// number for one.
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json.h"
#include "report/timeline.h"

namespace heddle::report {
namespace {

constexpr unsigned kKernels = 1; // process
constexpr unsigned kThreadsOfSm = 10'000;
constexpr unsigned kUnits = 2'000; // of them: the first unit's
constexpr unsigned kOrder = kUnits - 1;

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string shape(const Dim3& dim) {
    return fmt::format("[{},{},{}]", dim.x, dim.y, dim.z);
}

class Writer {
public:
    explicit Writer(std::ostream& out) : out_(out) {}

    void head(const RunResult& run) {
        const std::string lost = timeline_losses(run);
        fmt::format_to(std::back_inserter(text_),
                       "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"program\":\"heddle {}\",\"machine\":{},"
                       "\"time\":\"1 us is a cycle\",\"status\":\"{}\",\"left_out\":{}}},\n\"traceEvents\":[",
                       version(), quoted(run.machine), status_name(run.status), quoted(lost));
    }
    // The members of an event, without its braces.
    template <class... Args>
    void event(fmt::format_string<Args...> format, Args&&... args) {
        text_ += first_ ? "\n{" : ",\n{";
        first_ = false;
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        text_ += '}';
        if (text_.size() > kBuffer)
            flush();
    }
    void process(unsigned pid, const std::string& name) {
        event(R"("name":"process_name","ph":"M","pid":{},"tid":0,"args":{{"name":{}}})", pid, quoted(name));
        event(R"("name":"process_sort_index","ph":"M","pid":{},"tid":0,"args":{{"sort_index":{}}})", pid, pid);
    }
    void thread(unsigned pid, unsigned tid, const std::string& name) {
        event(R"("name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":{}}})", pid, tid, quoted(name));
        event(R"("name":"thread_sort_index","ph":"M","pid":{},"tid":{},"args":{{"sort_index":{}}})", pid, tid, tid);
    }
    void end() {
        text_ += "\n]}\n";
        flush();
    }

private:
    static constexpr std::size_t kBuffer = 1 << 16;

    void flush() {
        out_ << text_;
        text_.clear();
    }

    std::ostream& out_;
    std::string text_;
    bool first_ = true;
};

void write_kernels(Writer& writer, const RunResult& run) {
    writer.process(kKernels, "kernels");
    writer.thread(kKernels, kKernels, "launches");
    for (std::size_t i = 0; i < run.kernels.size(); ++i) {
        const KernelResult& k = run.kernels[i];
        if (k.timed)
            writer.event(R"("name":{},"cat":"kernel","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},)"
                         R"("args":{{"launch":{},"grid":{},"block":{}}})",
                         quoted(k.name), k.start, k.counts.cycles, kKernels, kKernels, i, shape(k.grid),
                         shape(k.block));
    }
}

// What an SM's process is written with.
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
        sm.writer.event(R"("name":"block {}","cat":"block","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},)"
                        R"("args":{{"launch":{},"ended":{}}})",
                        b.global_id, b.start, b.end - b.start, sm.pid(), sm.tid(b.slot), b.launch, b.ended);
    }
    for (const unsigned slot : slots)
        sm.writer.thread(sm.pid(), sm.tid(slot), fmt::format("block slot {}", slot));
}

void write_units(const Sm& sm) {
    std::set<unsigned> units;
    for (const probe::UnitSpan& s : sm.timeline.units.spans()) {
        units.insert(s.unit);
        std::string args = fmt::format(R"("instructions":{})", s.instructions);
        if (s.instructions != 0)
            args += fmt::format(R"(,"threads":{:.1f})", static_cast<double>(s.threads) / s.instructions);
        if (s.block != probe::kNoBlock)
            args += fmt::format(R"(,"block":{})", s.block);
        if (s.pc != kNoPc)
            args += fmt::format(R"(,"pc":{})", s.pc);
        sm.writer.event(R"("name":"{}","cat":"warp","ph":"X","ts":{},"dur":{},"pid":{},"tid":{},"args":{{{}}})",
                        probe::kActivityNames[static_cast<std::size_t>(s.activity)], s.start, s.end - s.start, sm.pid(),
                        sm.tid(kUnits + s.unit), args);
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
        const auto event = [&](char phase, Cycle ts, const std::string& args) {
            sm.writer.event(R"("name":"{}","cat":"memory","ph":"{}","id":"{:#x}","ts":{},"pid":{},"tid":{},)"
                            R"("cname":"{}","args":{{{}}})",
                            name, phase, id, ts, sm.pid(), sm.tid(0), kColours[served], args);
        };
        const std::string args = fmt::format(R"("address":"{:#x}","bytes":{})", r.address, r.bytes);
        ++id;
        if (r.answered == r.sent) {
            event('n', r.sent, args);
            continue;
        }
        event('b', r.sent, args);
        event('e', r.answered, "");
    }
}

// A sample holds from the cycle after it on, its instructions since the one before.
void write_counters(const Sm& sm) {
    Cycle from = 0;
    std::uint64_t instructions = 0;
    const auto counter = [&](const char* name, Cycle ts, const std::string& args) {
        sm.writer.event(R"("name":"{}","ph":"C","ts":{},"pid":{},"tid":{},"args":{{{}}})", name, ts, sm.pid(),
                        sm.tid(0), args);
    };
    const auto ipc = [&](double value) { counter("IPC", from, fmt::format(R"("IPC":{:.3f})", value)); };
    for (const probe::Sample& s : sm.timeline.residency.samples()) {
        const Cycle ts = s.at + 1;
        ipc(static_cast<double>(s.thread_instructions - instructions) / static_cast<double>(ts - from));
        counter("resident", ts, fmt::format(R"("threads":{},"warps":{})", s.threads, s.warps));
        counter("open requests", ts, fmt::format(R"("requests":{})", s.requests));
        counter("warp progress", ts,
                fmt::format(R"("least":{},"mean":{:.1f},"most":{})", s.progress.least, s.progress.mean(s.warps),
                            s.progress.most));
        from = ts;
        instructions = s.thread_instructions;
    }
    ipc(0);
}

// PRO Table IV: a mark whenever the order has changed.
void write_block_order(const Sm& sm) {
    std::vector<std::uint64_t> last;
    for (const probe::Sample& s : sm.timeline.residency.samples()) {
        std::vector<std::uint64_t> order = block_order(sm.timeline, s);
        if (order == last)
            continue;
        if (last.empty())
            sm.writer.thread(sm.pid(), sm.tid(kOrder), "block order");
        sm.writer.event(R"("name":"{}","cat":"order","ph":"i","s":"t","ts":{},"pid":{},"tid":{})",
                        fmt::join(order, " "), s.at, sm.pid(), sm.tid(kOrder));
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
