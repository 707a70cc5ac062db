#include "exec/executor.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "exec/async_copy.h"
#include "exec/barrier.h"
#include "exec/bulk_copy.h"
#include "exec/control.h"
#include "exec/fault_report.h"
#include "exec/frame.h"
#include "exec/global_memory.h"
#include "exec/lane_exchange.h"
#include "exec/launch_state.h"
#include "exec/load_store.h"
#include "exec/matrix.h"
#include "exec/observer.h"
#include "exec/space_queries.h"
#include "exec/special_registers.h"
#include "exec/step_execution.h"
#include "exec/straight_lines.h"
#include "exec/surface_access.h"
#include "exec/system_calls.h"
#include "exec/texture_access.h"
#include "exec/texture_objects.h"
#include "exec/texture_queries.h"
#include "exec/warp_sync.h"

namespace heddle::exec {

using ir::Kind;
using ir::MicroOp;
using warp::Group;
using warp::Outcome;

// An executor is its state, and a part for each kind of instruction. Parts refer to the state; it lies in the object
// itself, so that the path of register-to-register operations follows no pointer to it.
struct Executor::Impl {
    Impl(MemoryImage& image, std::uint32_t sm, Effects effects)
        : sm(sm), global(image, effects == Effects::Windowed), special_registers(state, sm) {}

    const std::uint32_t sm;

    LaunchState state;
    StepExecution steps{state};
    StraightLines lines{state, steps};
    GlobalMemory global;
    FaultReporter faults{state, global.image};

    LoadStore load_store{state, global, faults};
    ControlFlow control{state, faults};
    SpecialRegisters special_registers;
    Barriers barriers{state, faults};
    LaneExchange exchange{state};
    MatrixUnit matrices{state, faults};
    AsyncCopies copies{state, faults};
    WarpSync warp_sync{state, exchange, matrices};
    TextureObjects objects{state, global.image, faults};
    TextureAccess textures{state, objects, global, faults};
    SurfaceAccess surfaces{state, objects, global, faults};
    TextureQueries queries{state, objects};
    SpaceQueries spaces{state, global.image};
    BulkCopies bulk{state, global, faults};
    SystemCalls system_calls{state, global.image, faults};
    std::array<warp::Part, kMaxParts> guarded; // of an operation, by frame: not more than threads
    std::unique_ptr<Observer> observer;        // null: nothing is checked

    void compute(const Group& group, const MicroOp& op, Outcome& outcome);
    // compute() for threads with false guards, and for rows of two frames. Not inline, as pass(): execute() would save
    // registers for their loops on the path of every instruction.
    [[gnu::noinline]] void compute_under_guard(const Group& group, const MicroOp& op, Outcome& outcome);
    // An instruction without an effect on registers and memory.
    [[gnu::noinline]] void pass(const Group& group, const MicroOp& op, Outcome& outcome) const;
    void special(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome);
    // An instruction that is no operation on registers.
    void execute(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access);
    // Threads have waited, each at its instruction: what follows that in its line.
    void go_on(std::span<const warp::Waiting> waited) {
        for (const warp::Waiting& w : waited)
            if (steps.has(w.pc))
                steps.behind(w.pc, {&w.part, 1});
    }
    // An instruction with steps.
    [[gnu::noinline]] void execute_steps(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome,
                                         Access& access);
    // An instruction that is no operation on registers, with a log for the checker.
    [[gnu::noinline]] void execute_observed(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome,
                                            Access& access);
};

inline void Executor::Impl::compute(const Group& group, const MicroOp& op, Outcome& outcome) {
    if (op.guard != ir::kNowhere || state.halves() != 1)
        return compute_under_guard(group, op, outcome);
    outcome.executed = group.threads;
    lines.execute(group);
}

void Executor::Impl::compute_under_guard(const Group& group, const MicroOp& op, Outcome& outcome) {
    if (steps.has(group.pc)) [[unlikely]]
        steps.before(group.pc, parts_of(group));
    unsigned n = 0;
    outcome.executed = state.for_each_segment(parts_of(group), op, [&](const Segment& s) {
        guarded[n++] = {static_cast<RowId>(s.row * state.halves() + s.half), s.mask};
    });
    if (n != 0)
        state.code().bound(group.pc).vector(op, state.frames(), {guarded.data(), n});
}

void Executor::Impl::pass(const Group& group, const MicroOp& op, Outcome& outcome) const {
    outcome.executed = state.for_each_segment(parts_of(group), op, [](const Segment&) {});
}

inline void Executor::Impl::special(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome) {
    switch (op.opcode) {
    case ir::Opcode::MovSpecial:
        return special_registers.read(group, op, now, outcome);
    case ir::Opcode::Activemask:
        return warp_sync.activemask(group, op, outcome);
    case ir::Opcode::CpBulk:
        return bulk.box_bytes(group, op, outcome);
    case ir::Opcode::Txq:
    case ir::Opcode::Suq:
        return queries.query(group, op, outcome);
    case ir::Opcode::Istypep:
        return queries.is_type(group, op, outcome);
    case ir::Opcode::Isspacep:
        return spaces.lies_in_space(group, op, outcome);
    case ir::Opcode::TexLevel:
        return queries.level_of_gradients(group, op, outcome);
    case ir::Opcode::SuredAddress:
        return surfaces.addresses(group, op, outcome);
    default:
        return matrices.piece_address(group, op, outcome);
    }
}

inline void Executor::Impl::execute(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome,
                                    Access& access) {
    switch (op.kind) {
    case Kind::Alu:
        break;
    case Kind::Load:
    case Kind::Store:
        return load_store.execute(group, op, now, outcome, access);
    case Kind::Atomic:
        if (op.opcode == ir::Opcode::CpBulk)
            return bulk.store(group, op, now, outcome, access);
        return load_store.execute(group, op, now, outcome, access);
    case Kind::Texture:
        if (op.opcode == ir::Opcode::CpBulk)
            return bulk.load(group, op, outcome, access);
        return op.opcode == ir::Opcode::Suld ? surfaces.load(group, op, outcome, access)
                                             : textures.fetch(group, op, outcome, access);
    case Kind::Surface:
        return op.opcode == ir::Opcode::CpBulk ? bulk.store(group, op, now, outcome, access)
                                               : surfaces.store(group, op, now, outcome, access);
    case Kind::Special:
        return special(group, op, now, outcome);
    case Kind::Branch:
        return control.branch(group, op, outcome);
    case Kind::Call:
        return control.call(group, op, outcome);
    case Kind::System:
        return system_calls.execute(group, op, now, outcome);
    case Kind::Return:
        return control.ret(group, op, outcome);
    case Kind::Exit:
        return control.exit(group, op, outcome);
    case Kind::Barrier:
        return barriers.execute(group, op, outcome);
    case Kind::WarpSync:
        return warp_sync.execute(group, op, outcome);
    case Kind::Trap:
        return control.trap(group, op, outcome);
    case Kind::Fence:
    case Kind::Nop:
    case Kind::Indirect: // not executable: refused at launch
        return pass(group, op, outcome);
    }
}

// The results of an atomic operation come when it takes effect, those of threads that wait for others when they have
// met.
void Executor::Impl::execute_steps(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome, Access& access) {
    steps.before(group.pc, parts_of(group));
    if (observer != nullptr)
        execute_observed(group, op, now, outcome, access);
    else
        execute(group, op, now, outcome, access);
    if (op.opcode == ir::Opcode::CpAsync && op.kind == Kind::Load)
        copies.store(group, op);
    if (outcome.kind == Outcome::Kind::Barrier || outcome.kind == Outcome::Kind::WarpSync)
        return;
    if (op.kind == Kind::Atomic && access.global != 0 && global.windowed)
        steps.defer(group);
    else
        steps.behind(group.pc, parts_of(group));
}

void Executor::Impl::execute_observed(const Group& group, const MicroOp& op, Cycle now, Outcome& outcome,
                                      Access& access) {
    observer->set_time(now);
    if (op.kind != Kind::WarpSync) {
        execute(group, op, now, outcome, access);
        return observer->executed(group, outcome, access);
    }
    observer->note_members(group.pc, parts_of(group));
    execute(group, op, now, outcome, access);
    if (outcome.kind == Outcome::Kind::Next)
        observer->members_meet();
}

Executor::Executor(MemoryImage& image, std::uint32_t sm, Effects effects)
    : impl_(std::make_unique<Impl>(image, sm, effects)) {}
Executor::~Executor() = default;

void Executor::observe(check::EventLog& log) {
    impl_->observer = std::make_unique<Observer>(impl_->state, log);
    impl_->state.observe(impl_->observer.get());
}

void Executor::keep_copy_arrivals() {
    impl_->load_store.keep_copy_arrivals();
}

std::vector<CopyArrival>& Executor::copy_arrivals() {
    return impl_->load_store.copy_arrivals();
}

Observer* Executor::observer() const {
    return impl_->observer.get();
}

void Executor::bind(const ir::Program& program) {
    impl_->state.code().bind(program);
}

void Executor::share_tables_of(const Executor& first) {
    impl_->state.code().share_tables_of(first.impl_->state.code());
}

std::string Executor::unsupported(const ir::Kernel& kernel) const {
    return impl_->state.code().unsupported(kernel);
}

void Executor::begin(const Launch& launch) {
    impl_->global.log.clear();
    impl_->state.begin(launch, impl_->global.image);
    impl_->lines.begin();
    impl_->steps.begin();
    impl_->load_store.begin();
    impl_->warp_sync.begin();
}

void Executor::start_block(unsigned slot, Dim3 ctaid, RowId first_row) {
    impl_->state.start_block(slot, ctaid, first_row, impl_->sm);
    if (impl_->observer != nullptr)
        impl_->observer->starts_block(ctaid);
}

void Executor::execute(const Group& group, Cycle now, Outcome& outcome, Access& access) {
    Impl& x = *impl_;
    const MicroOp& op = x.state.code().op(group.pc);
    access.count = 0;
    access.ascends = false;
    outcome.kind = Outcome::Kind::Next;
    outcome.diverges_at_return = false;
    outcome.depth_change = 0;
    if (op.kind == Kind::Alu) // the host predicts a branch better than a jump to one of many places
        return x.compute(group, op, outcome);
    if (x.steps.has(group.pc)) [[unlikely]]
        return x.execute_steps(group, op, now, outcome, access);
    if (x.observer != nullptr) [[unlikely]]
        return x.execute_observed(group, op, now, outcome, access);
    x.execute(group, op, now, outcome, access);
}

bool Executor::should_prefetch() const {
    return impl_->state.code().row_prefetch().is_on();
}

void Executor::prefetch(Pc pc, RowId row) const {
    impl_->state.code().row_prefetch().prefetch(pc, impl_->state.frame(row, 0));
}

LaneMask Executor::guard(Pc pc, RowId row, LaneMask lanes) const {
    const LaunchState& state = impl_->state;
    const MicroOp& op = state.code().op(pc);
    LaneMask bits = state.guard_bits(op, state.frame(row, 0));
    if (state.halves() == 2)
        bits |= LaneMask{state.guard_bits(op, state.frame(row, 1))} << kVectorLanes;
    return bits & lanes;
}

Executor::BarrierUse Executor::barrier_use(const Group& group) const {
    return impl_->barriers.use(group);
}

void Executor::execute_barrier_reduction(std::span<const warp::Waiting> waiting) {
    impl_->barriers.reduce(waiting);
    impl_->go_on(waiting);
}

bool Executor::rendezvous_complete(Pc pc, std::span<const warp::Part> parked) const {
    return impl_->warp_sync.rendezvous_complete(pc, parked);
}

void Executor::execute_rendezvous(Pc pc, std::span<const warp::Part> parked) {
    if (impl_->observer != nullptr)
        impl_->observer->note_members(pc, parked);
    impl_->warp_sync.execute_rendezvous(pc, parked);
    if (impl_->steps.has(pc))
        impl_->steps.behind(pc, parked);
    if (impl_->observer != nullptr)
        impl_->observer->members_meet();
}

bool Executor::can_meet(Pc a, Pc b) const {
    return impl_->warp_sync.can_meet(a, b);
}

std::set<std::uint32_t> Executor::member_masks(std::span<const warp::Waiting> waiting) const {
    return impl_->warp_sync.masks_of(waiting);
}

bool Executor::meet_by_mask(std::vector<warp::Waiting>& waiting) {
    if (!impl_->warp_sync.members_complete(waiting))
        return false;
    if (impl_->observer != nullptr)
        for (const warp::Waiting& w : waiting)
            impl_->observer->note_members(w.pc, {&w.part, 1});
    impl_->warp_sync.execute_members();
    impl_->go_on(waiting);
    if (impl_->observer != nullptr)
        impl_->observer->members_meet();
    return true;
}

unsigned Executor::warps_that_meet(Pc pc) const {
    return impl_->state.code().op(pc).is_of_warpgroup() ? kWarpgroup / kPtxWarp : 1;
}

std::span<const RowState> Executor::rows() const {
    return impl_->state.rows();
}

LaneMask Executor::live(RowId row) const {
    return impl_->state.row(row).live;
}

std::string Executor::describe_thread(RowId row, unsigned lane) const {
    return impl_->faults.describe_thread(row, lane);
}

unsigned Executor::block_slot(RowId row) const {
    return impl_->state.row(row).slot;
}

Cluster* Executor::cluster(unsigned slot) const {
    return impl_->state.cluster(slot);
}

ClusterTable* Executor::clusters() const {
    return impl_->state.launch().clusters;
}

unsigned Executor::sm() const {
    return impl_->sm;
}

unsigned Executor::halves() const {
    return impl_->state.halves();
}

std::span<std::byte> Executor::frame(RowId row, unsigned half) {
    const LaunchState& state = impl_->state;
    const ir::Kernel& kernel = *state.launch().kernel;
    return {state.frame(row, half), frame_bytes(kernel.slots, kernel.predicates)};
}

std::vector<Overrun> Executor::take_overruns() {
    std::vector<Overrun> out = impl_->load_store.take_overruns();
    std::ranges::move(impl_->bulk.take_overruns(), std::back_inserter(out));
    std::ranges::sort(out, {}, &Overrun::pc);
    return out;
}

std::vector<Printed> Executor::take_printed() {
    return impl_->system_calls.take_printed();
}

void apply_window(std::span<Executor* const> sms) {
    WindowLog* first = nullptr;
    WindowLog** end = &first;
    bool steps_follow = false;
    for (Executor* sm : sms) {
        WindowLog& log = sm->impl_->global.log;
        if (log.empty())
            continue;
        *end = &log;
        end = &log.next;
        steps_follow |= sm->impl_->steps.are_deferred();
    }
    *end = nullptr;
    WindowLog::apply(first);
    if (steps_follow) [[unlikely]]
        for (Executor* sm : sms)
            sm->impl_->steps.finish();
}

} // namespace heddle::exec
