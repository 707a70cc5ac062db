#include "native/registers/allocate.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "native/flow/liveness.h"
#include "native/registers/demand.h"
#include "native/registers/granted.h"
#include "native/registers/rematerialize.h"
#include "native/target.h"

namespace heddle::native {

namespace {

constexpr std::uint32_t kNone = 0xffffffffU;

class Schedule { // the times at which a register is taken
public:
    [[nodiscard]] bool is_free(const std::vector<Span>& wanted) const {
        for (const Span& s : wanted) {
            const auto next = taken_.lower_bound(s.from);
            if (next != taken_.end() && next->first < s.to)
                return false;
            if (next != taken_.begin() && std::prev(next)->second > s.from)
                return false;
        }
        return true;
    }
    void take(const std::vector<Span>& wanted) {
        for (const Span& s : wanted)
            taken_[s.from] = s.to;
    }
    [[nodiscard]] bool begins_in(const Span& span) const {
        const auto next = taken_.lower_bound(span.from);
        return next != taken_.end() && next->first < span.to;
    }
    void free(const std::vector<Span>& held) {
        for (const Span& s : held)
            taken_.erase(s.from);
    }

private:
    std::map<std::uint32_t, std::uint32_t> taken_; // from -> to
};

// Which virtual register is given a place first.
enum class Order : std::uint8_t { ByDefinition, WideFirst };

class Allocation {
public:
    Allocation(Function& function, const RegisterLimits& limits, Order order)
        : order_(order), function_(function), limits_(limits), parts_(function), spans_(live_spans(function, parts_)),
          unread_(unread_spans(function, parts_, spans_)), rematerializable_(rematerializable(function)),
          number_(function.virtuals.size(), kNone), readers_(function.virtuals.size()),
          accesses_(function.virtuals.size(), 0) {
        for (const std::uint32_t b : function.order)
            for (const Instruction& i : function.blocks[b].code) {
                each_read(i, [&](const Operand& o) {
                    ++accesses_[o.number];
                    readers_[o.number].push_back(&i);
                });
                each_write(i, [&](const Operand& o) { ++accesses_[o.number]; });
            }
        files_[0].resize(limits.vector - std::min(limits.vector, kUnnamedRegisters));
        rests_.resize(files_[0].size());
        if (files_[0].size() > kStackRegister)
            files_[0][kStackRegister].take({{0, kNone}});
        keep_to_granted();
        files_[1].resize(limits.predicates);
        files_[2].resize(limits.uniform);
        files_[3].resize(limits.predicates);
    }

    void run() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t v = 0; v < number_.size(); ++v)
            if (first(v) != kNone)
                order.push_back(v);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            if (order_ == Order::WideFirst && width(a) != width(b))
                return width(a) > width(b);
            return first(a) != first(b) ? first(a) < first(b)
                                        : function_.virtuals[a].width > function_.virtuals[b].width;
        });
        for (const std::uint32_t v : order)
            while (!place(v)) {
                const std::optional<std::uint32_t> w = victim(v);
                if (!w) {
                    has_no_place_ = v;
                    return;
                }
                spilled_.push_back(*w);
                if (*w == v)
                    break;
                take_back(*w);
            }
        std::stable_sort(spilled_.begin(), spilled_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return first(a) < first(b); });
    }
    // Spilling does not help.
    [[nodiscard]] bool is_impossible() const {
        return has_no_place_ != kNone;
    }
    [[nodiscard]] std::string complaint() const {
        return fmt::format("function '{}' needs more than {} registers at one instruction", function_.name,
                           file(has_no_place_) == 0 ? limits_.vector : limits_.predicates);
    }
    // The virtual registers to spill, in the order of the code; none: all have places.
    [[nodiscard]] const std::vector<std::uint32_t>& spilled() const {
        return spilled_;
    }
    // Registers that are moved to local memory and back.
    [[nodiscard]] unsigned cost() const {
        unsigned out = 0;
        for (const std::uint32_t v : spilled_)
            out += definition_of(v) == nullptr ? width(v) : 0;
        return out;
    }

    // Where the value of a register that has no place can be computed again: beside registers that are alive anyway.
    [[nodiscard]] const Instruction* definition_of(std::uint32_t v) const {
        return rematerialized_.contains(v) ? rematerializable_[v] : nullptr;
    }

    void rename() {
        const std::uint32_t most_at_routines = registers_at_routines(function_, parts_, spans_);
        for (const std::uint32_t b : function_.order)
            for (Instruction& i : function_.blocks[b].code) {
                for (Operand& o : i.dst)
                    rename(o);
                for (Operand& o : i.src)
                    rename(o);
                rename(i.guard);
            }
        const std::uint32_t taken = std::max(high_[0], kStackRegister + 1) + kUnnamedRegisters;
        function_.registers = std::max(taken, std::min(most_at_routines, limits_.vector));
        function_.predicates = high_[1];
        function_.uniform_registers = high_[2];
        function_.uniform_predicates = high_[3];
    }

private:
    // Registers beyond those at launch are taken where a thread has not been given them.
    void keep_to_granted() {
        if (limits_.at_launch >= limits_.vector)
            return;
        const std::vector<unsigned> granted = granted_registers(function_, limits_.at_launch);
        for (std::uint32_t r = 0; r < files_[0].size(); ++r)
            for (std::uint32_t n = 0; n < granted.size(); ++n)
                if (granted[n] <= r + kUnnamedRegisters)
                    files_[0][r].take({{2 * n, 2 * n + 2}});
    }

    [[nodiscard]] unsigned width(std::uint32_t v) const {
        return function_.virtuals[v].width;
    }
    [[nodiscard]] std::size_t file(std::uint32_t v) const {
        return static_cast<std::size_t>(function_.virtuals[v].file);
    }

    [[nodiscard]] std::uint32_t first(std::uint32_t v) const {
        std::uint32_t out = kNone;
        for (std::uint32_t p = parts_.begin[v]; p < parts_.begin[v + 1]; ++p)
            if (!spans_[p].empty())
                out = std::min(out, spans_[p].front().from);
        return out;
    }

    [[nodiscard]] bool fits(std::uint32_t v, std::uint32_t base) const {
        const auto& file_of = files_.at(file(v));
        if (base + width(v) > file_of.size())
            return false;
        for (std::uint32_t k = 0; k < width(v); ++k)
            if (!file_of[base + k].is_free(spans_[parts_.begin[v] + k]))
                return false;
        return true;
    }

    // Sources of the readers that lie in the bank of a register with this number.
    [[nodiscard]] unsigned crowd(std::uint32_t v, std::uint32_t base) const {
        unsigned out = 0;
        for (const Instruction* i : readers_[v])
            for (const Operand& o : i->src)
                if (o.is_register(File::Vector) && o.number != v && number_[o.number] != kNone &&
                    (number_[o.number] + o.part) % 2 == base % 2)
                    ++out;
        return out;
    }

    // Whether no span begins, and so nothing is written, while an access may not have read the registers from `base`
    // on.
    [[nodiscard]] bool is_read_there(std::uint32_t v, std::uint32_t base) const {
        const auto is_apart = [&](std::uint32_t part, std::uint32_t number) {
            return std::all_of(spans_[part].begin(), spans_[part].end(),
                               [&](const Span& s) {
                                   return rests_[number].is_free({{s.from, s.from + 1}});
                               }) &&
                   std::none_of(unread_[part].begin(), unread_[part].end(),
                                [&](const Span& s) { return files_[0][number].begins_in(s); });
        };
        for (std::uint32_t k = 0; k < width(v); ++k)
            if (!is_apart(parts_.begin[v] + k, base + k))
                return false;
        return true;
    }

    // The first place that is free, or one near it in a bank that is less crowded.
    template <typename Fits>
    [[nodiscard]] std::uint32_t find(std::uint32_t v, std::size_t end, Fits fits_at) const {
        const std::size_t f = file(v);
        const unsigned step = width(v);
        std::uint32_t chosen = kNone;
        for (std::uint32_t base = 0; base + step <= end; base += step) {
            if (!fits_at(base))
                continue;
            if (chosen == kNone)
                chosen = base;
            else if (base + step <= high_.at(f) && base % 2 != chosen % 2 && crowd(v, base) < crowd(v, chosen))
                chosen = base;
            if (step > 1 || f != 0 || base >= high_.at(f) || base > chosen + 8)
                break;
        }
        return chosen;
    }

    bool place(std::uint32_t v) {
        const std::size_t f = file(v);
        std::uint32_t chosen = kNone;
        if (f == 0)
            chosen = find(v, std::min<std::size_t>(files_[0].size(), limits_.spare),
                          [&](std::uint32_t base) { return fits(v, base) && is_read_there(v, base); });
        if (chosen == kNone)
            chosen = find(v, files_.at(f).size(), [&](std::uint32_t base) { return fits(v, base); });
        if (chosen == kNone)
            return false;
        for (std::uint32_t k = 0; k < width(v); ++k) {
            files_.at(f)[chosen + k].take(spans_[parts_.begin[v] + k]);
            if (f == 0)
                rests_[chosen + k].take(unread_[parts_.begin[v] + k]);
        }
        number_[v] = chosen;
        high_.at(f) = std::max(high_.at(f), chosen + width(v));
        return true;
    }

    void take_back(std::uint32_t v) {
        for (std::uint32_t k = 0; k < width(v); ++k) {
            files_.at(file(v))[number_[v] + k].free(spans_[parts_.begin[v] + k]);
            if (file(v) == 0)
                rests_[number_[v] + k].free(unread_[parts_.begin[v] + k]);
        }
        number_[v] = kNone;
    }

    [[nodiscard]] std::uint64_t length(std::uint32_t v) const {
        std::uint64_t out = 0;
        for (std::uint32_t p = parts_.begin[v]; p < parts_.begin[v + 1]; ++p)
            for (const Span& s : spans_[p])
                out += s.to - s.from;
        return out;
    }

    // Whether the register need not be alive at a time, because those from which it is computed are.
    [[nodiscard]] bool can_do_without(std::uint32_t v, std::uint32_t at) const {
        if (rematerializable_[v] == nullptr)
            return false;
        const auto& sources = rematerializable_[v]->src;
        return std::all_of(sources.begin(), sources.end(), [&](const Operand& o) {
            return o.kind != Operand::Kind::Register || is_alive(o.number, at, parts_, spans_);
        });
    }

    // Of the registers that are alive where `v` begins, the one that is alive longest per access; before others one
    // that can be computed again. None: those that are alive there live as shortly as they can.
    [[nodiscard]] std::optional<std::uint32_t> victim(std::uint32_t v) {
        if (file(v) >= static_cast<std::size_t>(File::Uniform))
            throw UniformOverflow();
        constexpr double kPreferred = 8; // an issue slot in place of an access to memory
        const std::uint32_t at = first(v);
        std::uint32_t best = v;
        double best_cost = -1;
        bool best_again = false;
        for (std::uint32_t w = 0; w < number_.size(); ++w) {
            if (file(w) != file(v) || (w != v && number_[w] == kNone))
                continue;
            const std::uint64_t size = length(w);
            if ((w != v && !is_alive(w, at, parts_, spans_)) ||
                size <= 8) // the life of a spilled register between its load and its read
                continue;
            const bool again = can_do_without(w, at);
            const double cost = (again ? kPreferred : 1) * static_cast<double>(size) / (1 + accesses_[w]);
            if (cost > best_cost) {
                best_cost = cost;
                best = w;
                best_again = again;
            }
        }
        if (best_cost < 0)
            return std::nullopt;
        if (best_again)
            rematerialized_.insert(best);
        return best;
    }

    void rename(Operand& o) const {
        if (o.kind != Operand::Kind::Register)
            return;
        o.number = number_[o.number] + o.part;
        o.part = 0;
    }

    const Order order_;
    Function& function_;
    const RegisterLimits& limits_;
    std::vector<std::uint32_t> spilled_;
    std::uint32_t has_no_place_ = kNone;
    const Parts parts_;
    const std::vector<std::vector<Span>> spans_, unread_;    // by part
    const std::vector<const Instruction*> rematerializable_; // by virtual register
    std::set<std::uint32_t> rematerialized_;                 // of those that have no places
    std::vector<std::uint32_t> number_;                      // by virtual register
    std::vector<std::vector<const Instruction*>> readers_;
    std::vector<std::uint32_t> accesses_;
    std::array<std::vector<Schedule>, 4> files_;
    std::vector<Schedule> rests_; // by vector register: as unread_ has it
    std::array<std::uint32_t, 4> high_{};
};

// The last registers first: one may be computed from another that goes, too.
void take_out(Function& function, const Allocation& allocation) {
    const std::vector<std::uint32_t>& spilled = allocation.spilled();
    std::vector<std::pair<std::uint32_t, Instruction>> again;
    for (const std::uint32_t v : spilled)
        if (const Instruction* const i = allocation.definition_of(v); i != nullptr)
            again.emplace_back(v, *i);
    for (auto at = again.rbegin(); at != again.rend(); ++at)
        rematerialize(function, at->first, at->second);
    std::vector<std::uint32_t> kept = spilled;
    std::erase_if(kept, [&](std::uint32_t v) { return allocation.definition_of(v) != nullptr; });
    spill(function, kept);
}

} // namespace

void allocate(Function& function, const RegisterLimits& limits) {
    constexpr int kMostRounds = 50;
    rematerialize_beyond(function, limits.vector - std::min(limits.vector, kUnnamedRegisters + 1)); // R1
    for (int round = 0; round < kMostRounds; ++round) {
        Allocation allocation(function, limits, Order::ByDefinition);
        allocation.run();
        if (allocation.is_impossible())
            throw std::length_error(allocation.complaint());
        if (allocation.spilled().empty())
            return allocation.rename();
        // Groups of registers find places where single ones leave none.
        Allocation wide_first(function, limits, Order::WideFirst);
        wide_first.run();
        const bool helps = !wide_first.is_impossible() && wide_first.cost() < allocation.cost();
        if (helps && wide_first.spilled().empty())
            return wide_first.rename();
        take_out(function, helps ? wide_first : allocation);
    }
    throw std::length_error(fmt::format("function '{}' does not fit {} registers", function.name, limits.vector));
}

} // namespace heddle::native
