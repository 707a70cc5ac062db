#include "native/registers/allocate.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <stdexcept>

#include <fmt/format.h>

#include "native/flow/liveness.h"
#include "native/registers/demand.h"
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

class Allocation {
public:
    Allocation(Function& function, const RegisterLimits& limits)
        : function_(function), limits_(limits), parts_(function), spans_(live_spans(function, parts_)),
          unread_(unread_spans(function, parts_, spans_)), number_(function.virtuals.size(), kNone),
          readers_(function.virtuals.size()), accesses_(function.virtuals.size(), 0) {
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
        files_[1].resize(limits.predicates);
        files_[2].resize(limits.uniform);
        files_[3].resize(limits.predicates);
    }

    // The virtual registers to spill; none: all have places.
    std::vector<std::uint32_t> run() {
        std::vector<std::uint32_t> order;
        for (std::uint32_t v = 0; v < number_.size(); ++v)
            if (first(v) != kNone)
                order.push_back(v);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return first(a) != first(b) ? first(a) < first(b)
                                        : function_.virtuals[a].width > function_.virtuals[b].width;
        });
        std::vector<std::uint32_t> spilled;
        for (const std::uint32_t v : order)
            while (!place(v)) {
                const std::uint32_t w = victim(v);
                spilled.push_back(w);
                if (w == v)
                    break;
                take_back(w);
            }
        return spilled;
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
        const std::uint32_t taken = high_[0] == 0 ? 0 : std::max(high_[0], kStackRegister + 1) + kUnnamedRegisters;
        function_.registers = std::max(taken, std::min(most_at_routines, limits_.vector));
        function_.predicates = high_[1];
        function_.uniform_registers = high_[2];
        function_.uniform_predicates = high_[3];
    }

private:
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

    // Of the registers that are alive where `v` begins, the one that is alive longest per access.
    [[nodiscard]] std::uint32_t victim(std::uint32_t v) const {
        if (file(v) >= static_cast<std::size_t>(File::Uniform))
            throw UniformOverflow();
        const std::uint32_t at = first(v);
        std::uint32_t best = v;
        double best_cost = -1;
        for (std::uint32_t w = 0; w < number_.size(); ++w) {
            if (file(w) != file(v) || (w != v && number_[w] == kNone))
                continue;
            bool alive = w == v;
            for (std::uint32_t p = parts_.begin[w]; p < parts_.begin[w + 1]; ++p)
                for (const Span& s : spans_[p])
                    alive = alive || (s.from <= at && at < s.to);
            const std::uint64_t size = length(w);
            if (!alive || size <= 8) // the life of a spilled register between its load and its read
                continue;
            const double cost = static_cast<double>(size) / (1 + accesses_[w]);
            if (cost > best_cost) {
                best_cost = cost;
                best = w;
            }
        }
        if (best_cost < 0)
            throw std::length_error(fmt::format("function '{}' needs more than {} registers at one instruction",
                                                function_.name, file(v) == 0 ? limits_.vector : limits_.predicates));
        return best;
    }

    void rename(Operand& o) const {
        if (o.kind != Operand::Kind::Register)
            return;
        o.number = number_[o.number] + o.part;
        o.part = 0;
    }

    Function& function_;
    const RegisterLimits& limits_;
    const Parts parts_;
    const std::vector<std::vector<Span>> spans_, unread_; // by part
    std::vector<std::uint32_t> number_;                   // by virtual register
    std::vector<std::vector<const Instruction*>> readers_;
    std::vector<std::uint32_t> accesses_;
    std::array<std::vector<Schedule>, 4> files_;
    std::vector<Schedule> rests_; // by vector register: as unread_ has it
    std::array<std::uint32_t, 4> high_{};
};

} // namespace

void allocate(Function& function, const RegisterLimits& limits) {
    constexpr int kMostRounds = 50;
    for (int round = 0; round < kMostRounds; ++round) {
        Allocation allocation(function, limits);
        const std::vector<std::uint32_t> spilled = allocation.run();
        if (spilled.empty())
            return allocation.rename();
        for (const std::uint32_t v : spilled)
            spill(function, v);
    }
    throw std::length_error(fmt::format("function '{}' does not fit {} registers", function.name, limits.vector));
}

} // namespace heddle::native
