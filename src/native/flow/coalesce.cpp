#include "native/flow/coalesce.h"

#include <algorithm>

#include "native/flow/liveness.h"

namespace heddle::native {

namespace {

// Whether two registers hold values at one time outside the spans `same`, in which both hold the same one.
bool overlap(const std::vector<Span>& a, const std::vector<Span>& b, const std::vector<Span>& same) {
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() && y != b.end()) {
        const std::uint32_t from = std::max(x->from, y->from);
        const std::uint32_t to = std::min(x->to, y->to);
        const auto holds = [&](const Span& s) { return from >= s.from && to <= s.to; };
        if (from < to && std::none_of(same.begin(), same.end(), holds))
            return true;
        if (x->to < y->to)
            ++x;
        else
            ++y;
    }
    return false;
}

std::vector<Span> joined(const std::vector<Span>& a, const std::vector<Span>& b) {
    std::vector<Span> all(a);
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end(), [](const Span& x, const Span& y) { return x.from < y.from; });
    std::vector<Span> out;
    for (const Span& s : all)
        if (!out.empty() && s.from <= out.back().to)
            out.back().to = std::max(out.back().to, s.to);
        else
            out.push_back(s);
    return out;
}

bool is_copy(const Instruction& i) {
    if (i.is_guarded())
        return false;
    const Op op = vector_form(i.op);
    const bool same_file = i.src[0].is(Operand::Kind::Register) && i.src[0].file == i.dst[0].file;
    if (op == Op::Mov)
        return same_file && !i.src[0].minus && !i.src[0].inverted && !i.src[0].absolute;
    return op == Op::Plop3 && same_file && i.mods.imm == 0xf0 && !i.src[0].inverted &&
           i.src[1].is(Operand::Kind::True) && i.src[2].is(Operand::Kind::True);
}

class Coalescer {
public:
    explicit Coalescer(Function& function)
        : function_(function), parts_(function), spans_(live_spans(function, parts_)),
          copies_of_(function.virtuals.size()) {
        for (std::uint32_t v = 0; v < function.virtuals.size(); ++v)
            place_.push_back({v, 0});
    }

    void run() {
        std::uint32_t begin = 0; // of the block, in the text
        for (const std::uint32_t b : function_.order) {
            const auto& code = function_.blocks[b].code;
            for (std::uint32_t n = 0; n < code.size(); ++n)
                if (is_copy(code[n]))
                    copies_.push_back({b, n, begin});
            begin += static_cast<std::uint32_t>(code.size());
        }
        for (std::uint32_t c = 0; c < copies_.size(); ++c)
            for (const Operand& o : {instruction(copies_[c]).dst[0], instruction(copies_[c]).src[0]})
                copies_of_[o.number].push_back(c);
        for (const Copy& c : copies_)
            join(instruction(c).dst[0], instruction(c).src[0]);
        for (const std::uint32_t b : function_.order) {
            auto& code = function_.blocks[b].code;
            for (Instruction& i : code) {
                for (Operand& o : i.dst)
                    rename(o);
                for (Operand& o : i.src)
                    rename(o);
                rename(i.guard);
            }
            std::erase_if(code, [](const Instruction& i) {
                return is_copy(i) && i.dst[0].number == i.src[0].number && i.dst[0].part == i.src[0].part;
            });
        }
    }

private:
    struct Location {
        std::uint32_t root = 0;
        std::uint32_t part = 0; // of the root, where the register begins
        bool operator==(const Location&) const = default;
    };

    struct Copy {
        std::uint32_t block = 0;
        std::uint32_t number = 0; // in its block
        std::uint32_t begin = 0;  // of the block, in the text
    };
    [[nodiscard]] const Instruction& instruction(const Copy& c) const {
        return function_.blocks[c.block].code[c.number];
    }

    Location find(std::uint32_t v) {
        Location at = place_[v];
        if (at.root == v)
            return at;
        const Location above = find(at.root);
        place_[v] = {above.root, above.part + at.part};
        return place_[v];
    }

    void rename(Operand& o) {
        if (o.kind != Operand::Kind::Register)
            return;
        const Location at = find(o.number);
        o.number = at.root;
        o.part = static_cast<std::uint8_t>(o.part + at.part);
    }

    [[nodiscard]] std::uint8_t width(std::uint32_t v) const {
        return function_.virtuals[v].width;
    }

    [[nodiscard]] Location location(const Operand& o) {
        const Location at = find(o.number);
        return {at.root, at.part + o.part};
    }
    [[nodiscard]] bool is_in(const Operand& o, Location part) {
        const Location first = location(o);
        return first.root == part.root && part.part >= first.part && part.part < first.part + o.count;
    }

    // From a copy on, as long as no instruction of its block writes one of its registers, both hold one value.
    [[nodiscard]] Span same_from(const Copy& copy, Location a, Location b) {
        const auto& code = function_.blocks[copy.block].code;
        std::uint32_t end = copy.number + 1;
        for (bool writes = false; end < code.size() && !writes; end += writes ? 0 : 1)
            each_write(code[end], [&](const Operand& o) { writes = writes || is_in(o, a) || is_in(o, b); });
        // The instruction that writes one reads both before.
        return {2 * (copy.begin + copy.number) + 1, 2 * (copy.begin + end) + (end < code.size() ? 1 : 0)};
    }
    // Behind all copies between two registers, parts of virtual ones.
    [[nodiscard]] std::vector<Span> same(Location a, Location b) {
        const std::vector<std::uint32_t>&of_a = copies_of_[a.root], &of_b = copies_of_[b.root];
        std::vector<Span> out;
        for (const std::uint32_t n : of_a.size() < of_b.size() ? of_a : of_b) {
            const Copy& c = copies_[n];
            const Location to = location(instruction(c).dst[0]), from = location(instruction(c).src[0]);
            if ((to == a && from == b) || (to == b && from == a))
                out.push_back(same_from(c, a, b));
        }
        return out;
    }

    void join(const Operand& a, const Operand& b) {
        Location x = find(a.number);
        Location y = find(b.number);
        x.part += a.part;
        y.part += b.part;
        if (x.root == y.root)
            return;
        if (width(x.root) < width(y.root))
            std::swap(x, y);
        if (x.part < y.part)
            return;
        const std::uint32_t offset = x.part - y.part; // of y's root in x's
        const std::uint8_t small = width(y.root);
        if (offset + small > width(x.root) || offset % small != 0)
            return;
        for (std::uint32_t k = 0; k < small; ++k) {
            const auto& mine = spans_[parts_.begin[x.root] + offset + k];
            const auto& other = spans_[parts_.begin[y.root] + k];
            if (overlap(mine, other, {}) && overlap(mine, other, same({x.root, offset + k}, {y.root, k})))
                return;
        }
        for (std::uint32_t k = 0; k < small; ++k) {
            auto& mine = spans_[parts_.begin[x.root] + offset + k];
            mine = joined(mine, spans_[parts_.begin[y.root] + k]);
        }
        place_[y.root] = {x.root, offset};
        auto& all = copies_of_[x.root];
        all.insert(all.end(), copies_of_[y.root].begin(), copies_of_[y.root].end());
    }

    Function& function_;
    const Parts parts_;
    std::vector<std::vector<Span>> spans_;
    std::vector<Location> place_;
    std::vector<Copy> copies_;
    std::vector<std::vector<std::uint32_t>> copies_of_; // by root: numbers of the copies of its registers
};

} // namespace

void coalesce(Function& function) {
    Coalescer(function).run();
}

} // namespace heddle::native
