#include "sm/sub_core/core.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "sm/frame/code_address.h"
#include "sm/sub_core/instruction_path.h"

namespace heddle::sm {

using warp::Flight;
using warp::FlightId;

namespace {

std::vector<IssueUnit> make_issue_units(const config::Machine& machine, const CoreConfig& core, unsigned units,
                                        unsigned pipes) {
    std::vector<IssueUnit> out;
    const auto count = static_cast<unsigned>(machine.get<SubCoreConfig>().schedulers);
    for (unsigned s = 0; s < count; ++s) {
        const sched::Share share{
            .units = units, .index = s, .count = count, .block_slots = static_cast<unsigned>(core.blocks)};
        out.emplace_back(sched::schedulers().make(core.scheduler, share, machine), share, pipes);
    }
    return out;
}

std::vector<FrontEnd> make_front_ends(const config::Machine& machine, const warp::UnitTable& units, MemoryPort& memory,
                                      unsigned sm) {
    std::vector<FrontEnd> out;
    const auto config = machine.get<SubCoreConfig>();
    const bool ahead = machine.get<SubCoreStagesConfig>().fetch == "ahead";
    const auto count = static_cast<unsigned>(config.front_end == "own" ? config.schedulers : 1);
    for (unsigned f = 0; f < count; ++f)
        out.emplace_back(machine.get<ICacheConfig>(), config, units, memory, sm, f, count, ahead,
                         machine.get<InstructionL1Config>().ideal);
    return out;
}

std::unique_ptr<WarpgroupProducts> make_products(const config::Machine& machine, std::size_t sub_cores,
                                                 unsigned warps) {
    const auto config = machine.get<WarpgroupConfig>();
    return config.is_present() ? std::make_unique<WarpgroupProducts>(config, static_cast<unsigned>(sub_cores), warps)
                               : nullptr;
}

std::unique_ptr<CopyGroups> make_copy_groups(const CoreConfig& config, bool units_are_rows) {
    const bool follows = config.code == "native" && units_are_rows;
    return follows ? std::make_unique<CopyGroups>(InFlight::kMost, config.threads / config.width) : nullptr;
}

} // namespace

ScoreboardedCore::ScoreboardedCore(const config::Machine& machine, unsigned sm, exec::MemoryImage& image,
                                   const ir::Program& program, const TraceSink& trace)
    : TimedCore(machine, sm, image, program, trace, InFlight::kMost, true), pipe_table_(machine),
      config_(machine.get<SubCoreConfig>()), units_are_rows_(frame_.formation.needs().units_are_rows),
      units_die_(frame_.formation.traits().die_at_issue), forms_groups_(frame_.formation.traits().take_several_slots),
      units_share_rows_(frame_.formation.needs().divides_rows || forms_groups_),
      fronts_(make_front_ends(machine, frame_.units, frame_.memory, sm)),
      issue_units_(make_issue_units(machine, frame_.contexts.config, frame_.units.capacity(), pipe_table_.count())),
      sub_cores_(machine, pipe_table_, frame_.formation.needs()),
      kernel_(std::make_shared<DecodedKernel>(
          pipe_table_,
          DecodedKernel::Options{.barriers_late = machine.get<SubCoreStagesConfig>().barrier != 0,
                                 .packs_reads = machine.get<RegisterFileConfig>().banks != 0,
                                 .keeps_reads = machine.get<HazardConfig>().readers != 0,
                                 .copy_issue = static_cast<std::uint8_t>(machine.get<TmaConfig>().issue)})),
      barrier_(machine.get<SubCoreStagesConfig>().barrier),
      cluster_barrier_(std::max<Cycle>(machine.get<ClusterConfig>().barrier, barrier_)),
      fence_(machine.get<SubCoreStagesConfig>().fence), first_fetch_(InFlight::kMost + frame_.units.capacity()),
      tma_item_(first_fetch_ + path_requests(machine, fronts_.size(), issue_units_.size())), wheel_(tma_item_ + 1),
      instruction_l1_(
          make_instruction_l1(machine, frame_.memory, wheel_, first_fetch_, fronts_, issue_units_.size(), sm)),
      constants_(units_are_rows_ ? make_constant_caches(machine, instruction_l1_.get(), fronts_.size(),
                                                        issue_units_.size(), frame_.units.capacity(), sm)
                                 : std::vector<ConstantCache>()),
      first_constant_(fetch_requests(machine, fronts_.size())),
      constant_misses_(static_cast<unsigned>(machine.get<ConstantCacheConfig>().mshrs)),
      hold_(machine.get<ConstantCacheConfig>().hold),
      products_(units_are_rows_ ? make_products(machine, issue_units_.size(), frame_.units.capacity()) : nullptr),
      copy_groups_(make_copy_groups(frame_.contexts.config, units_are_rows_)),
      bulk_stores_(products_ != nullptr ? make_copy_groups(frame_.contexts.config, units_are_rows_) : nullptr),
      states_(frame_, *kernel_, fronts_, issue_units_, wheel_, InFlight::kMost, pipe_table_.count(),
              config_.long_latency == "load", Hazards::of(machine), products_.get(), copy_groups_.get(),
              bulk_stores_.get()),
      memory_stage_(machine, load_store_, InFlight::kMost),
      next_(frame_, wheel_, memory_stage_, states_, fronts_, issue_units_),
      stalls_(frame_, states_, memory_stage_, in_flight_, pipe_table_,
              machine.get<RegisterFileConfig>().banks != 0 ? &sub_cores_ : nullptr),
      sub_groups_(frame_, states_, stalls_, issue_units_), scheduler_events_(frame_, issue_units_),
      division_(machine, frame_, load_store_), trace_(frame_, issue_units_, memory_stage_),
      plain_(machine.get<SubCoreStagesConfig>().is_plain() && !states_.asks_for_ends() && constants_.empty() &&
             products_ == nullptr && copy_groups_ == nullptr),
      take_turns_(machine.get<SubCoreStagesConfig>().turns),
      wide_product_(machine.get<SubCoreStagesConfig>().wide_product),
      write_ports_(machine.get<RegisterFileConfig>().has_write_ports()),
      code_bytes_(machine.get<ICacheConfig>().instruction),
      flushes_code_(machine.get<InstructionL1Config>().flush == "kernel") {
    if (products_ != nullptr)
        copies_.emplace(InFlight::kMost, frame_.contexts.config.threads / frame_.contexts.config.width);
    if (copies_ || copy_groups_ != nullptr)
        frame_.contexts.executor.keep_copy_arrivals();
    if (const auto stages = machine.get<SubCoreStagesConfig>(); stages.phase_test != 0 || stages.phase_wait != 0)
        phase_tests_.emplace(stages, InFlight::kMost, frame_.contexts.executor, frame_.contexts.program);
}

std::string ScoreboardedCore::objection(const formation::Formation& how) {
    if (how.needs().issue_slots != 1)
        return "a unit is one thread: each lane would need an issue slot, an instruction buffer and a port of the "
               "scoreboard of its own";
    return {};
}

void ScoreboardedCore::share_with(Core& first) {
    TimedCore::share_with(first);
    kernel_ = static_cast<ScoreboardedCore&>(first).kernel_;
    states_.read(*kernel_);
}

void ScoreboardedCore::begin_kernel(const ir::Kernel& kernel, Cycle now) {
    while (instruction_l1_ != nullptr && wheel_.next() <= now) // lines for a kernel that has ended
        wheel_.run(wheel_.next(), [&](LatencyWheel::Item item) { due(item, now); });
    if (instruction_l1_ != nullptr)
        instruction_l1_->begin(kCodeBase + kernel.entry * code_bytes_, (kernel.end - kernel.entry) * code_bytes_);
    kernel_->decode(frame_.contexts.program, kernel);
}

void ScoreboardedCore::begin_blocks() {
    TimedCore::begin_blocks();
    for (ConstantCache& cache : constants_)
        cache.begin();
    if (products_ != nullptr)
        products_->begin();
    if (phase_tests_)
        phase_tests_->begin_kernel();
    if (copies_)
        copies_->begin_kernel();
    if (copy_groups_ != nullptr)
        copy_groups_->begin_kernel();
    if (bulk_stores_ != nullptr)
        bulk_stores_->begin_kernel();
    if (copies_ || copy_groups_ != nullptr)
        frame_.contexts.executor.copy_arrivals().clear(); // of an instruction that ended with a fault
    states_.begin();
}

void ScoreboardedCore::start_block(Dim3 ctaid, std::uint64_t global_id, Cycle now) {
    const unsigned slot = place_block(ctaid, global_id, now);
    states_.mark_all();
    if (units_die_)
        states_.look_at_joined();
    scheduler_events_.block_event(static_cast<std::uint16_t>(slot), sched::BlockEvent::Started, now);
}

void ScoreboardedCore::end_kernel(Cycle now) {
    TimedCore::end_kernel(now);
    if (!flushes_code_)
        return;
    for (FrontEnd& front : fronts_)
        front.flush();
    if (instruction_l1_ != nullptr)
        instruction_l1_->flush();
}

void ScoreboardedCore::threads_released(Cycle now) {
    states_.mark_all();
    if (units_die_)
        states_.look_at_joined();
    scheduler_events_.pass_block_changes(now);
}

void ScoreboardedCore::add_statistics(stats::Tree& tree) {
    tree.add_one_of("core", frame_.contexts.stats);
    sub_cores_.add_statistics(tree);
    for (FrontEnd& front : fronts_)
        front.add_statistics(tree);
    if (instruction_l1_ != nullptr)
        instruction_l1_->add_statistics(tree);
    for (ConstantCache& cache : constants_)
        cache.add_statistics(tree);
    load_store_.add_statistics(tree);
    frame_.formation.add_statistics(tree);
    for (IssueUnit& unit : issue_units_)
        unit.policy().add_statistics(tree);
    frame_.memory.add_statistics(tree);
}

// The parts of a cycle run from the end of the pipeline to its beginning: what a part frees is free in the same cycle
// for the part before it.
inline void ScoreboardedCore::back_end(Cycle now) {
    issued_ = false;
    if (frame_.memory.next() <= now)
        take_answers(now);
    if (!came_back_.empty())
        come_back_all(came_back_, now);
    if (wheel_.next() <= now)
        wheel_.run(now, [&](LatencyWheel::Item item) { due(item, now); });
    if (memory_stage_.next() <= now)
        load_store(now);
}

inline void ScoreboardedCore::time_passes(Cycle now) {
    if (frame_.formation.wake <= now) {
        frame_.formation.tick(now);
        states_.mark_all();
    }
    if (scheduler_events_.tick(now))
        states_.mark_all();
}

template <bool kPlain>
inline void ScoreboardedCore::front_end(Cycle now) {
    for (FrontEnd& front : fronts_)
        front.deliver<kPlain>(now, [&](UnitId unit) { states_.fetched(unit); });
    states_.look_at_units();
    scheduler_events_.pass_eligible();
    if (units_die_ && sub_groups_.tables_are_busy())
        counted_ = issue_units_.size();
    else
        issue_all<kPlain>(now);
    for (FrontEnd& front : fronts_) {
        const UnitId misses = front.fetch<kPlain>(now);
        if (frame_.timeline != nullptr && misses != kNoUnit)
            frame_.timeline->units.waits(misses, probe::Activity::Instructions, now);
    }
}

// Simulates cycles from `now` on, up to `until` or the end of a block; moves `now`.
void ScoreboardedCore::simulate(Cycle& now, Cycle until) {
    if (!issued_) // the reason for the last skip may be over
        now = skip(now, until);
    while (now < until && !frame_.block_ended) {
        const bool went_on = issued_; // in the cycle before: so the front end has to do with its unit
        back_end(now);
        const bool is_quiet = !went_on && !frame_.block_ended && now < scheduler_events_.wake() && !frame_.trace;
        if (is_quiet && !next_.front_end_is_due(now)) {
            for (IssueUnit& unit : issue_units_) // issue units do not depend on what the back end did in this cycle
                stalls_.look_at_load_store(unit);
            now = skip(now + 1, until);
            continue;
        }
        time_passes(now);
        plain_ ? front_end<true>(now) : front_end<false>(now);
        if (frame_.trace)
            trace_.cycle(now, aside_);
        frame_.clock = ++now;
        ++frame_.contexts.stats.cycles;
        counted_ = 0; // the cycle and its slots count
        if (!issued_)
            now = skip(now, until);
    }
}

Cycle ScoreboardedCore::run(Cycle now, Cycle until) {
    if (states_.prefetches())
        states_.prefetch();
    try {
        run_to(now, until, [&](Cycle stop) { simulate(now, stop); });
    } catch (const exec::Fault&) { // neither the cycle nor its slots count
        for (std::size_t n = 0, s = first_; n < counted_; ++n, s = after(s))
            stalls_.take_back(issue_units_[s]);
        throw;
    }
    wake_ = std::max(frame_.clock, std::min(next_.inside(frame_.clock), frame_.memory.next()));
    return now;
}

// Takes the answers that memory delivers by `now`. True when anything can continue because of them. Most lines are one
// of several that an instruction waits for, and change nothing.
bool ScoreboardedCore::take_answers(Cycle now) {
    bool goes_on = false;
    while (frame_.memory.next() <= now) {
        const mem::Reply reply = frame_.memory.take();
        const auto fronts = static_cast<unsigned>(fronts_.size());
        if (reply.requester == mem::Requester::Instruction) {
            if (instruction_l1_ != nullptr)
                instruction_l1_->fill(reply.id, now);
            else
                fronts_[FrontEnd::front_end_of(reply.id, fronts)].fill(reply.id);
            goes_on = true;
        } else if (load_store_.answer(reply, now, came_back_)) {
            memory_stage_.try_again(now);
            goes_on = true;
        }
        if (TmaUnit* const tma = load_store_.tma(); tma != nullptr) [[unlikely]] {
            if (reply.requester == mem::Requester::Credit)
                tma->retry();
            goes_on |= wake_tma(now);
        }
        if (reply.requester == mem::Requester::Credit) {
            for (FrontEnd& front : fronts_)
                front.retry();
            if (instruction_l1_ != nullptr)
                instruction_l1_->retry(now);
            goes_on = true;
        }
        if (frame_.timeline != nullptr)
            frame_.record_fill(now, [&](UnitId unit) { return states_.front(unit).waits(unit); });
    }
    return goes_on || !came_back_.empty();
}

// The data of a copy are there. Returns the row whose waits for groups of copies may have ended; kNoRow: none.
RowId ScoreboardedCore::end_copy(FlightId f) {
    if (copies_)
        copies_->end(f);
    RowId came = copy_groups_ != nullptr ? copy_groups_->end(f) : CopyGroups::kNoRow;
    if (bulk_stores_ != nullptr && came == CopyGroups::kNoRow)
        came = bulk_stores_->end(f);
    return came;
}

// The flight ends, or its next PCs count, or both: a flight that commits late comes here up to twice.
void ScoreboardedCore::finish(FlightId f, Cycle now) {
    Flight& flight = frame_.flights[f];
    InFlight::State& state = in_flight_[f];
    if (state.tests_phase) [[unlikely]]
        if (const Cycle at = phase_tests_->goes_on(flight, now); at != kNever)
            return wheel_.put(f, at, now);
    if (write_ports_ && waits_for_write_port(f, now)) [[unlikely]]
        return;
    if (state.commits_late) {
        if (gives_row_back(flight) && flight.lines_left == 0 && state.aside_since == kNever &&
            load_store_.wait_for_stores(flight)) {
            put_aside(flight, now);
            states_.drain_after_transfer(flight.group.unit);
            return;
        }
        state.commits_late = false;
        states_.goes_on(flight, state.at_memory || state.aside_since != kNever);
        commit(flight, now);
    }
    RowId came = CopyGroups::kNoRow;
    if (state.at_memory) {
        if (state.copies) [[unlikely]]
            came = end_copy(f);
        load_store_.written(f, now);
        frame_.formation.returned(flight, now);
        // The unit may just have merged with another.
        if (division_.is_on() && !units_die_ && !frame_.unit_lives(flight)) {
            states_.forget_the_dead();
            states_.evaluate_row(flight.group.part[0].row);
        }
    }
    close(f);
    if (state.writes())
        states_.release(flight, *state.op);
    if (came != CopyGroups::kNoRow) [[unlikely]]
        states_.copy_came(came);
    if (state.memory_stalls != 0)
        stalls_.attribute(f, load_store_.level(f));
}

HEDDLE_CORE(ScoreboardedCore, "scoreboard",
            "sub-cores with one scheduler each; instructions of a unit overlap as far as the scoreboard permits",
            "PRO I, IV");

} // namespace heddle::sm
