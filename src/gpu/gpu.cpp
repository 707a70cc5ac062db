#include "gpu/gpu.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/source.h"
#include "gpu/block_queue.h"
#include "gpu/cluster_limits.h"
#include "mem/network/gpc_config.h"
#include "sm/frame/code_address.h"
#include "sm/frame/core_config.h"

namespace heddle::gpu {
namespace {

constexpr Cycle kLook = 1 << 16; // cycles between tests of limits and progress

// Throws UserError.
void check_processor() {
#if defined(__x86_64__) && defined(__POPCNT__)
    if (!__builtin_cpu_supports("popcnt"))
        throw UserError("this processor has no POPCNT instruction (x86-64-v2), which heddle is built to use");
#endif
}

} // namespace

Gpu::Gpu(const config::Machine& machine, exec::MemoryImage& image, const ir::Program& program,
         const sm::TraceSink& trace, std::uint64_t host_threads, bool is_timed)
    : machine_(machine), program_(program), is_timed_(is_timed), config_(machine.get<GpuConfig>()),
      launch_(machine.get<LaunchConfig>()), core_(machine.get<sm::CoreConfig>()), shared_(machine),
      gpcs_(machine.get<mem::GpcConfig>().sms_of_gpcs(config_.sms)), ran_(static_cast<unsigned>(config_.sms)) {
    check_processor();
    if (machine.get<mem::InterconnectConfig>().kind != "none")
        memory_system_ = mem::make_memory_system(machine, static_cast<unsigned>(config_.sms), core_.clock_mhz,
                                                 static_cast<unsigned>(machine.get<sm::DCacheConfig>().line));
    for (unsigned sm = 0; sm < config_.sms; ++sm) {
        sm::TraceSink sink = trace;
        if (trace && config_.sms > 1)
            sink = [trace, sm](std::string_view line) { trace(fmt::format("sm{:<3} {}", sm, line)); };
        timed_.push_back(sm::cores().make(core_.model, machine, sm, image, program, sink));
        if (sm != 0)
            timed_.back()->share_with(*timed_.front());
        timed_.back()->add_statistics(timed_tree_);
        executors_.push_back(&timed_.back()->executor());
        ports_.push_back(timed_.back()->port());
        wakes_.push_back(kNever);
        order_.push_back(sm);
    }
    if (memory_system_)
        memory_system_->add_statistics(timed_tree_);
    if (config_.sm_order == "descending")
        std::reverse(order_.begin(), order_.end());
    shuffled_ = config_.sm_order == "shuffled";
    const auto members = static_cast<unsigned>(std::min<std::uint64_t>(host_threads, sms() + 1)); // SMs and memory
    if (memory_system_ && members > 1 && !trace) // the lines of a trace are in the order of the SMs
        workers_.emplace(members - 1, sms(), [this](unsigned sm) { run_core(sm); });
    auto functional = std::make_unique<sm::Functional>(machine, image, program, is_timed ? 1 : sms());
    untimed_ = functional.get();
    functional_.push_back(std::move(functional));
    functional_.back()->add_statistics(functional_tree_);
}

void Gpu::host_writes_code(const ir::Kernel& kernel) {
    const std::uint64_t bytes = machine_.get<sm::ICacheConfig>().instruction;
    host_writes(sm::kCodeBase + kernel.begin * bytes, (kernel.end - kernel.begin) * bytes);
    host_writes_constants(kernel, false);
    for (const ir::ConstantVariable& variable : program_.constant_variables)
        host_writes(sm::kConstantBase + sm::constant_offset(sm::kMemoryBank, variable.begin), variable.bytes);
}

void Gpu::host_writes_constants(const ir::Kernel& kernel, bool parameters) {
    const std::size_t end = std::min<std::size_t>(kernel.end, program_.native.size());
    for (std::size_t pc = kernel.begin; pc < end; ++pc)
        if (const auto& constant = program_.native[pc].constant; constant.is_read && (constant.bank == 0) == parameters)
            host_writes(sm::kConstantBase + sm::constant_offset(constant.bank, constant.offset), sizeof(std::uint32_t));
}

std::string Gpu::refusal(const exec::Launch& launch, bool timed) const {
    const std::uint64_t threads = launch.block.count();
    const ir::Kernel& kernel = *launch.kernel;
    if (threads == 0 || launch.grid.count() == 0)
        return "a grid and a block must hold at least one thread";
    if (threads > core_.threads)
        return fmt::format("a block of {} threads does not fit: machine '{}' holds {} threads an SM (core.threads)",
                           threads, machine_.name(), core_.threads);
    if (launch.reachable_shared_bytes() > shared_.bytes)
        return fmt::format(
            "a block with {} bytes of shared memory does not fit: machine '{}' has {} an SM (shared.size)",
            launch.reachable_shared_bytes(), machine_.name(), shared_.bytes);
    if (core_.registers != 0 && occupancy(launch).blocks == 0)
        return fmt::format(
            "a block of {} threads with {} registers each does not fit: machine '{}' has {} registers an SM "
            "(core.registers)",
            threads, sm::registers_of(core_, kernel), machine_.name(), core_.registers);
    if (kernel.max_threads != 0 && threads > kernel.max_threads)
        return fmt::format("a block of {} threads is more than the kernel's .maxntid of {}", threads,
                           kernel.max_threads);
    const Dim3 required = kernel.required_block;
    if (required.count() != 0 && !(required == launch.block))
        return fmt::format("the kernel's .reqntid asks for blocks of {}x{}x{} threads", required.x, required.y,
                           required.z);
    if (!(launch.cluster == Dim3{})) {
        const bool on_one_sm = is_timed_ && !timed;
        const std::uint64_t rows = (threads + core_.width - 1) / core_.width;
        const std::uint64_t resident =
            on_one_sm ? std::min(core_.blocks, core_.threads / core_.width / rows) : largest_cluster(launch);
        const char* const holder = gpcs_.empty() ? "the device" : "a GPC";
        std::string reason =
            cluster_refusal(launch, resident, on_one_sm ? "the one SM that executes what is not timed" : holder);
        if (!reason.empty())
            return reason;
    }
    return timed ? timed_.front()->refusal(launch) : std::string();
}

std::string Gpu::unsupported(const ir::Kernel& kernel) {
    functional_.front()->executor().bind(program_);
    return functional_.front()->executor().unsupported(kernel);
}

const probe::ThreadTraces& Gpu::trace_threads(const probe::ThreadTraceOptions& options) {
    return untimed_->trace_threads(options);
}

sm::Occupancy Gpu::occupancy(const exec::Launch& launch) const {
    return sm::occupancy(core_, shared_, launch);
}

std::vector<std::uint64_t> Gpu::cluster_rooms(const exec::Launch& launch) const {
    const std::uint64_t of_sm = occupancy(launch).blocks;
    if (gpcs_.empty())
        return {sms() * of_sm};
    std::vector<std::uint64_t> out;
    for (const std::vector<std::size_t>& gpc : gpcs_)
        out.push_back(gpc.size() * of_sm);
    return out;
}

std::uint64_t Gpu::largest_cluster(const exec::Launch& launch) const {
    const std::vector<std::uint64_t> rooms = cluster_rooms(launch);
    return *std::max_element(rooms.begin(), rooms.end());
}

std::uint64_t Gpu::warp_instructions(const Cores& cores) const {
    std::uint64_t sum = 0;
    for (const auto& core : cores)
        sum += core->stats().warp_instructions;
    return sum;
}

bool Gpu::busy(const Cores& cores) {
    return std::any_of(cores.begin(), cores.end(), [](const auto& core) { return core->resident_blocks() != 0; });
}

Stop Gpu::reached(const Limits& limits, bool timed, Cycle cycles, std::uint64_t instructions) const {
    if (timed && limits.cycles != 0 && cycles >= limits.cycles)
        return Stop::MaxCycles;
    if (limits.warp_instructions != 0 && instructions >= limits.warp_instructions)
        return Stop::MaxInstructions;
    return Stop::None;
}

unsigned Gpu::joined_sms(const exec::Launch& launch) const {
    if (launch.grid_barrier != 0)
        return sms();
    constexpr std::uint64_t kMostLocal = std::uint64_t{1} << 30; // bytes of local memory
    const std::uint64_t blocks = occupancy(launch).blocks;
    if (is_timed_ || blocks == 0)
        return 1;
    const auto that_hold = [&](std::uint64_t count) { return (count + blocks - 1) / blocks; };
    const std::uint64_t needed = that_hold(launch.grid.count());
    const bool fits = needed <= sms() && needed * core_.threads * launch.kernel->local_bytes <= kMostLocal;
    return static_cast<unsigned>(fits ? needed : that_hold(std::max<std::uint64_t>(launch.cluster.count(), 1)));
}

Outcome Gpu::run(exec::Launch launch, bool timed, const Limits& limits, const std::atomic<bool>& interrupted,
                 const std::function<void(Cycle)>& progress) {
    const Cores& cores = timed ? timed_ : functional_;
    Cycle& clock = timed ? now_ : instructions_;
    launch.width = static_cast<unsigned>(core_.width);
    const unsigned joined = timed ? 1 : joined_sms(launch);
    launch.rows = static_cast<unsigned>(core_.threads / core_.width) * joined;
    launch.block_slots = static_cast<unsigned>(core_.blocks) * joined;
    launch.sms = static_cast<std::uint32_t>(cores.size());
    exec::ClusterTable clusters;
    if (launch.cluster.count() > 1 || uses_cluster_barrier(program_, *launch.kernel))
        launch.clusters = &clusters;
    clusters_ = timed && launch.cluster.count() > 1 ? &clusters : nullptr;
    const Cycle start = clock;
    if (timed) {
        clock += launch_.latency;
        host_writes_constants(*launch.kernel, true);
    }
    for (const auto& c : cores)
        c->begin(launch, clock);

    const LaunchConfig how = timed ? launch_ : LaunchConfig();
    BlockQueue blocks(launch, cores.size(), how.group, timed ? gpcs_ : std::vector<std::vector<std::size_t>>(),
                      how.by_gpc);
    const std::uint64_t instructions_before = warp_instructions(cores);
    Outcome outcome;
    Cycle look = start; // the next test of the limits
    const std::uint64_t slots = cores.size() * cores.front()->issue_slots();
    const Cycle last = timed && limits.cycles != 0 ? start + std::min(limits.cycles, kNever - start) : kNever;
    blocks.fill(cores, clock);
    look_at_cores();
    while (busy(cores)) {
        if (interrupted.load(std::memory_order_relaxed)) {
            outcome.stop = Stop::Interrupted;
            break;
        }
        if (clock >= look) {
            const std::uint64_t instructions = warp_instructions(cores) - instructions_before;
            outcome.stop = reached(limits, timed, clock - start, instructions);
            if (outcome.stop != Stop::None)
                break;
            if (progress)
                progress(clock - start);
            // At most `slots` instructions issue in a cycle. One SM exceeds a limit by less than the instructions of
            // one cycle, several SMs by less than those of a window.
            look = std::min(clock + kLook, last);
            if (limits.warp_instructions != 0)
                look =
                    std::min(look, clock + std::min((limits.warp_instructions - instructions - 1) / slots + 1, kLook));
        }
        clock = advance(cores, clock, look, last);
        if (checker_ != nullptr) [[unlikely]]
            read_logs();
        if (blocks.fill(cores, clock))
            look_at_cores();
    }
    if (timed && outcome.stop == Stop::None)
        drain();
    for (const auto& c : cores)
        c->catch_up(clock);
    outcome.cycles = timed ? clock - start : 0;
    return outcome;
}

Cycle Gpu::advance(const Cores& cores, Cycle now, Cycle look, Cycle last) {
    if (memory_system_ && &cores == &timed_)
        return run_window(now, last);
    return cores.front()->run(now, look);
}

// Runs one window, after any idle time before it. Windows end at multiples of their length, so they do not depend on
// which SM wakes up first.
Cycle Gpu::run_window(Cycle now, Cycle last) {
    Cycle work = memory_system_->next();
    for (const Cycle wake : wakes_)
        work = std::min(work, wake);
    if (work == kNever)
        report_standstill(now);
    now = std::max(now, std::min(work, last));
    const Cycle length = memory_system_->link();
    const Cycle end = std::min((now / length + 1) * length, last);
    run_domains(now, end);
    receive(end);
    apply_stores();
    if (fault_.what)
        std::rethrow_exception(std::exchange(fault_, {}).what);
    return end;
}

std::span<const unsigned> Gpu::order() {
    if (shuffled_) [[unlikely]]
        for (std::size_t left = order_.size(); left > 1; --left)
            std::swap(order_[left - 1], order_[(shuffles_() >> 33) % left]);
    return order_;
}

// Runs each SM that has work, and the memory. Messages of a window reach other SMs and the memory after its end.
void Gpu::run_domains(Cycle now, Cycle end) {
    window_ = {now, end};
    ran_.clear();
    if (clusters_ != nullptr)
        return run_in_step(now, end);
    for (unsigned sm = 0; sm < wakes_.size(); ++sm)
        if (wakes_[sm] < end)
            ran_.insert(sm);
    if (workers_) {
        workers_->start(ran_);
        memory_system_->run(end);
        workers_->finish();
        return send_all();
    }
    for (const unsigned sm : order())
        if (ran_.contains(sm))
            run_core(sm);
    send_all();
    memory_system_->run(end); // after the SMs: their messages are still in the host's caches
}

// The window of a launch with clusters: in each cycle the SMs run in the order of their numbers. A thread that
// completes the barrier of a cluster releases the threads on other SMs for the next cycle.
void Gpu::run_in_step(Cycle now, Cycle end) {
    while (now < end && !fault_.what) {
        window_ = {now, now + 1};
        for (unsigned sm = 0; sm < wakes_.size(); ++sm)
            if (wakes_[sm] <= now) {
                ran_.insert(sm);
                run_core(sm);
            }
        for (const auto& [sm, slot] : clusters_->take_releases()) {
            ran_.insert(sm);
            timed_[sm]->cluster_met(slot, now + 1);
            wakes_[sm] = timed_[sm]->wake();
        }
        now = std::max(now + 1, std::min(end, *std::min_element(wakes_.begin(), wakes_.end())));
    }
    send_all();
    memory_system_->run(end);
}

// Makes the stores of a window visible to all cores.
void Gpu::apply_stores() {
    writers_.clear();
    ran_.for_each([&](unsigned sm) { writers_.push_back(executors_[sm]); });
    exec::apply_window(writers_);
}

// Reads the cores' wake-up cycles, which may have changed outside of a window.
void Gpu::look_at_cores() {
    for (unsigned sm = 0; sm < timed_.size(); ++sm)
        wakes_[sm] = timed_[sm]->wake();
}

// Runs one SM to the end of the window. Several threads call this at once, each for another SM.
void Gpu::run_core(unsigned sm) {
    sm::Core& core = *timed_[sm];
    auto [now, end] = window_;
    Cycle wake = wakes_[sm];
    try {
        while (wake < end && now < end) {
            now = core.run(std::max(now, wake), end);
            wake = core.wake();
        }
    } catch (...) {
        // Other SMs still run the window: the order of SMs must not decide which fault is the first.
        const std::lock_guard lock(fault_mutex_);
        if (std::pair(core.now(), sm) < std::pair(fault_.at, fault_.sm))
            fault_ = {std::current_exception(), core.now(), sm};
    }
    wakes_[sm] = wake;
}

// Delivers the answers of memory to the SMs.
void Gpu::receive(Cycle end) {
    memory_system_->take_news().for_each([&](unsigned sm) {
        sm::MemoryPort& port = *ports_[sm];
        port.set_room(memory_system_->room(sm), end);
        for (const mem::Reply& reply : memory_system_->replies(sm))
            port.deliver(reply);
        memory_system_->taken(sm);
        send(sm); // requests that have waited for room
        wakes_[sm] = timed_[sm]->wake();
    });
}

void Gpu::send_all() {
    ran_.for_each([&](unsigned sm) { send(sm); });
}

// Passes the requests of a core to the memory.
void Gpu::send(unsigned sm) {
    std::vector<mem::Request>& requests = ports_[sm]->departed();
    if (requests.empty())
        return;
    memory_system_->accept(sm, requests);
    requests.clear();
}

// Work is left, but nothing will happen: the first SM with a block reports which threads wait for what.
void Gpu::report_standstill(Cycle now) {
    for (const auto& core : timed_)
        if (core->resident_blocks() != 0)
            core->run(now, now + 1);
    for (const auto& core : timed_)
        if (core->resident_blocks() != 0) // its threads wait for a cluster
            core->report_deadlock(now);
    throw exec::Fault(exec::Fault::Kind::Stuck,
                      fmt::format("standstill at cycle {}: the launch has not ended and nothing is on its way", now));
}

// The end of a kernel: caches are emptied where the machine does so, and stores end.
void Gpu::drain() {
    for (const auto& core : timed_)
        core->end_kernel(now_);
    look_at_cores();
    if (memory_system_) {
        ran_.fill(sms()); // each SM may have sent requests
        send_all();
        receive(now_);
    }
    const auto on_their_way = [](const auto& core) { return core->port()->outstanding() != 0; };
    while (std::any_of(timed_.begin(), timed_.end(), on_their_way))
        now_ = advance(timed_, now_, kNever, kNever);
}

void Gpu::print(const std::function<void(std::string_view)>& output) {
    std::vector<exec::Printed> all = functional_.front()->executor().take_printed();
    for (exec::Executor* const executor : executors_)
        for (exec::Printed& line : executor->take_printed())
            all.push_back(std::move(line));
    std::stable_sort(all.begin(), all.end(),
                     [](const exec::Printed& a, const exec::Printed& b) { return a.at < b.at; });
    for (const exec::Printed& line : all)
        output(line.text);
}

std::vector<exec::Overrun> Gpu::take_overruns() {
    std::vector<exec::Overrun> all = functional_.front()->executor().take_overruns();
    for (exec::Executor* const executor : executors_)
        for (exec::Overrun& each : executor->take_overruns())
            all.push_back(std::move(each));
    return all;
}

sm::CoreStats Gpu::core_stats(bool timed) const {
    sm::CoreStats sum;
    for (const auto& core : timed ? timed_ : functional_)
        sum += core->stats();
    return sum;
}

sm::ThreadsByPlace Gpu::threads_by_place(bool timed) const {
    sm::ThreadsByPlace at;
    for (const auto& core : timed ? timed_ : functional_)
        if (core->resident_blocks() != 0)
            core->count_threads(at);
    return at;
}

} // namespace heddle::gpu
