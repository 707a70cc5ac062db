#include "native/flow/reconvergence.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "ir/analysis/dominators.h"
#include "ir/analysis/loops.h"
#include "ir/analysis/postdom.h"
#include "native/flow/clean.h"

namespace heddle::native {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

class Placement {
public:
    Placement(Function& function, unsigned most) : function_(function), most_(most) {
        const std::size_t n = function.blocks.size();
        graph_.successors.resize(n);
        graph_.leaves = function.ends();
        predecessors_.resize(n);
        for (const std::uint32_t b : function.order) {
            graph_.successors[b] = function.successors(b);
            for (const std::uint32_t s : graph_.successors[b])
                predecessors_[s].push_back(b);
        }
        meet_ = ir::immediate_postdominators(graph_);
        loops_ = ir::find_loops(graph_);
        idom_ = ir::immediate_dominators(ir::postorder(graph_.successors, function.order.front()), predecessors_);
    }

    void run() {
        std::map<std::uint32_t, std::vector<std::uint32_t>> branches; // by meeting block, in text order
        for (const std::uint32_t b : function_.order)
            if (parts_lanes(b) && meet_[b] != ir::kLeaves && meet_[b] != b && !is_end(meet_[b]))
                branches[meet_[b]].push_back(b);
        for (auto& [meeting, list] : branches)
            place(meeting, list);
        number();
        yield();
        insert();
    }

private:
    struct Barrier {
        std::uint32_t meeting = 0;
        std::vector<std::uint32_t> begins; // blocks at whose end, in front of the branch, BSSY stands
        std::vector<std::uint32_t> region; // blocks between BSSY and BSYNC
        std::uint8_t number = 0;
    };

    [[nodiscard]] bool parts_lanes(std::uint32_t b) const {
        const auto& code = function_.blocks[b].code;
        return !code.empty() && code.back().op == Op::Bra && code.back().is_guarded() &&
               (code.back().mods.flags & ir::kUniform) == 0 && code.back().guard.kind == Operand::Kind::Register;
    }

    // Whether threads only end in `block`. They do not wait for each other there: the others may come to a barrier of
    // the block before, which counts the threads that have not ended.
    [[nodiscard]] bool is_end(std::uint32_t block) const {
        return function_.only_ends(end_of_jump(function_, block));
    }

    // Whether `block` lies in the loop with this header.
    [[nodiscard]] bool in_loop(std::uint32_t block, std::uint32_t header) const {
        for (std::uint32_t h = loops_.innermost[block]; h != ir::kNoLoop; h = loops_.around[h])
            if (h == header)
                return true;
        return false;
    }

    // The outermost loop around `block` that `meeting` lies outside of; kNoLoop: none.
    [[nodiscard]] std::uint32_t left_loop(std::uint32_t block, std::uint32_t meeting) const {
        std::uint32_t outermost = ir::kNoLoop;
        for (std::uint32_t h = loops_.innermost[block]; h != ir::kNoLoop; h = loops_.around[h])
            if (!in_loop(meeting, h))
                outermost = h;
        return outermost;
    }

    [[nodiscard]] bool dominates(std::uint32_t a, std::uint32_t b) const {
        while (b != a && idom_[b] != b && idom_[b] != ir::kNoNode)
            b = idom_[b];
        return a == b;
    }

    void place(std::uint32_t meeting, const std::vector<std::uint32_t>& branches) {
        Barrier barrier{meeting, {}, {}, 0};
        const auto add = [&](std::uint32_t b) {
            for (const std::uint32_t other : barrier.begins)
                if (dominates(other, b) && loops_.innermost[other] == loops_.innermost[b])
                    return;
            barrier.begins.push_back(b);
        };
        std::set<std::uint32_t> spinning; // headers of loops from which threads come to the meeting block
        for (const std::uint32_t b : branches)
            if (const std::uint32_t loop = left_loop(b, meeting); loop != ir::kNoLoop && spins(loop, b))
                spinning.insert(loop);
        for (const std::uint32_t b : branches) {
            if (reaches(b, spinning, meeting)) // what the loop waits for may lie behind the meeting block
                continue;
            const std::uint32_t loop = left_loop(b, meeting);
            if (loop == ir::kNoLoop) {
                add(b);
                continue;
            }
            const std::vector<std::uint32_t> before = predecessors_[loop]; // grows
            for (const std::uint32_t p : before)
                if (!in_loop(p, loop))
                    add(edge(p, loop));
        }
        if (!barrier.begins.empty())
            barriers_.push_back(std::move(barrier));
    }

    // Whether a way leads from `from` to one of the blocks and does not pass `meeting`.
    [[nodiscard]] bool reaches(std::uint32_t from, const std::set<std::uint32_t>& blocks, std::uint32_t meeting) const {
        if (blocks.empty())
            return false;
        std::set<std::uint32_t> seen{meeting};
        std::vector<std::uint32_t> work{from};
        while (!work.empty()) {
            const std::uint32_t b = work.back();
            work.pop_back();
            for (const std::uint32_t s : graph_.successors[b])
                if (seen.insert(s).second) {
                    if (blocks.contains(s))
                        return true;
                    work.push_back(s);
                }
        }
        return false;
    }

    // Whether the loop may go on until another thread has written something: the guard of the branch at the end of
    // `block` comes from a load of such values in the loop, or, with `objects`, from a test of a barrier object.
    [[nodiscard]] bool spins(std::uint32_t header, std::uint32_t block, bool objects = true) const {
        std::set<std::pair<File, std::uint32_t>> shared; // registers
        const auto is_shared = [&](const Operand& o) {
            return o.is(Operand::Kind::Register) && shared.contains({o.file, o.number});
        };
        bool in_local_memory = false; // such a value, which a called function may give back there
        const auto reads = [&](const Instruction& i) {
            return reads_shared_state(i) || (objects && i.op == Op::Syncs) || is_shared(i.guard) ||
                   (in_local_memory && (i.op == Op::Ldl || i.op == Op::Ld)) ||
                   std::any_of(i.src.begin(), i.src.end(), is_shared);
        };
        std::vector<std::uint32_t> loop;
        std::copy_if(function_.order.begin(), function_.order.end(), std::back_inserter(loop),
                     [&](std::uint32_t b) { return in_loop(b, header); });
        bool grew = true;
        while (grew) {
            grew = false;
            for (const std::uint32_t b : loop)
                for (const Instruction& i : function_.blocks[b].code) {
                    if (!reads(i))
                        continue;
                    if (i.op == Op::Stl || i.op == Op::St)
                        grew = !std::exchange(in_local_memory, true) || grew;
                    for (const Operand& o : i.dst)
                        if (o.is(Operand::Kind::Register))
                            grew = shared.insert({o.file, o.number}).second || grew;
                }
        }
        return is_shared(function_.blocks[block].code.back().guard);
    }
    [[nodiscard]] static bool reads_shared_state(const Instruction& i) {
        const bool is_load = i.op == Op::Ldg || i.op == Op::Ld || i.op == Op::Lds;
        return i.op == Op::Atom || (is_load && (i.mods.flags & (ir::kVolatile | ir::kStrong)) != 0);
    }

    // A block on an edge, of its own where the source has other successors.
    std::uint32_t edge(std::uint32_t from, std::uint32_t to) {
        if (graph_.successors[from].size() == 1)
            return from;
        if (const auto found = edges_.find({from, to}); found != edges_.end())
            return found->second;
        const auto fresh = static_cast<std::uint32_t>(function_.blocks.size());
        function_.blocks.push_back({{}, to});
        Block& source = function_.blocks[from];
        for (Instruction& i : source.code)
            if (i.op == Op::Bra && i.target == to)
                i.target = fresh;
        const bool falls = source.next == to;
        if (falls)
            source.next = fresh;
        const auto at = std::find(function_.order.begin(), function_.order.end(), falls ? to : kNone);
        function_.order.insert(at, fresh);
        loops_.innermost.push_back(loops_.innermost[from]);
        loops_.around.push_back(ir::kNoLoop);
        idom_.push_back(from);
        edges_[{from, to}] = fresh;
        return fresh;
    }

    void number() {
        // By block, as bits: numbers of barriers whose region has it, and of those that meet there.
        std::vector<std::uint32_t> within(function_.blocks.size(), 0), met(function_.blocks.size(), 0);
        for (Barrier& barrier : barriers_) {
            barrier.region = region_of(barrier);
            std::uint32_t taken = within[barrier.meeting]; // by barriers that are in use at one time with this one
            for (const std::uint32_t b : barrier.region)
                taken |= within[b] | met[b];
            barrier.number = static_cast<std::uint8_t>(std::countr_one(taken));
            if (barrier.number >= most_)
                continue;
            for (const std::uint32_t b : barrier.region)
                within[b] |= 1U << barrier.number;
            met[barrier.meeting] |= 1U << barrier.number;
            function_.barriers = std::max<std::uint32_t>(function_.barriers, barrier.number + 1U);
        }
        std::erase_if(barriers_, [&](const Barrier& b) { return b.number >= most_; });
    }

    [[nodiscard]] std::vector<std::uint32_t> region_of(const Barrier& barrier) const {
        std::vector<bool> seen(function_.blocks.size(), false);
        std::vector<std::uint32_t> region;
        std::vector<std::uint32_t> work = barrier.begins;
        while (!work.empty()) {
            const std::uint32_t b = work.back();
            work.pop_back();
            if (seen[b])
                continue;
            seen[b] = true;
            region.push_back(b);
            for (const std::uint32_t s : function_.successors(b))
                if (s != barrier.meeting)
                    work.push_back(s);
        }
        return region;
    }

    // YIELD in front of each branch that leaves a loop which spins. The barrier may be one of a caller.
    void yield() {
        for (const std::uint32_t b : function_.order) {
            auto& code = function_.blocks[b].code;
            if (code.empty() || code.back().op != Op::Bra || code.back().guard.kind != Operand::Kind::Register ||
                !may_spin(b))
                continue;
            Instruction yields;
            yields.op = Op::Yield;
            yields.origins = code.back().origins;
            code.insert(code.end() - 1, std::move(yields));
        }
    }

    // Whether the branch at the end of a block leaves a loop around it that spins. ptxas has no YIELD at tests of
    // barrier objects (sm_90).
    [[nodiscard]] bool may_spin(std::uint32_t block) const {
        for (std::uint32_t h = loops_.innermost[block]; h != ir::kNoLoop; h = loops_.around[h])
            for (const std::uint32_t s : graph_.successors[block])
                if (!in_loop(s, h) && spins(h, block, false))
                    return true;
        return false;
    }

    void insert() {
        std::stable_sort(barriers_.begin(), barriers_.end(),
                         [](const Barrier& a, const Barrier& b) { return a.region.size() > b.region.size(); });
        for (const Barrier& barrier : barriers_) {
            for (const std::uint32_t b : barrier.begins) {
                auto& code = function_.blocks[b].code;
                Instruction set;
                set.op = Op::Bssy;
                set.barrier = barrier.number;
                set.target = barrier.meeting;
                if (!code.empty())
                    set.origins = {code.back().origins.empty() ? 0 : code.back().origins.front()};
                const bool branches = !code.empty() && code.back().op == Op::Bra;
                code.insert(branches ? code.end() - 1 : code.end(), set);
            }
            for (const std::uint32_t b : barrier.region)
                for (Instruction& i : function_.blocks[b].code)
                    if (i.op == Op::Call)
                        i.barrier = std::max<std::uint8_t>(i.barrier, barrier.number + 1);
            auto& code = function_.blocks[barrier.meeting].code;
            Instruction wait;
            wait.op = Op::Bsync;
            wait.barrier = barrier.number;
            code.insert(code.begin(), wait);
        }
    }

    Function& function_;
    const unsigned most_; // barriers
    ir::FlowGraph graph_;
    std::vector<std::vector<std::uint32_t>> predecessors_;
    std::vector<std::uint32_t> meet_, idom_;
    ir::Loops loops_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> edges_;
    std::vector<Barrier> barriers_;
};

} // namespace

void place_barriers(Function& function, unsigned most) {
    Placement(function, most).run();
}

} // namespace heddle::native
