#include "native/flow/coalesce.h"

#include <algorithm>

#include "native/flow/liveness.h"

namespace heddle::native {

namespace {

bool overlap(const std::vector<Span>& a, const std::vector<Span>& b) {
    std::size_t j = 0;
    for (const Span& s : a) {
        while (j < b.size() && b[j].to <= s.from)
            ++j;
        if (j < b.size() && b[j].from < s.to)
            return true;
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
    if (i.op == Op::Mov)
        return i.src[0].is_register(File::Vector) && i.dst[0].is_register(File::Vector) && !i.src[0].minus &&
               !i.src[0].inverted && !i.src[0].absolute;
    return i.op == Op::Plop3 && i.mods.imm == 0xf0 && i.src[0].is_register(File::Predicate) && !i.src[0].inverted &&
           i.src[1].is(Operand::Kind::True) && i.src[2].is(Operand::Kind::True);
}

class Coalescer {
public:
    explicit Coalescer(Function& function)
        : function_(function), parts_(function), spans_(live_spans(function, parts_)) {
        for (std::uint32_t v = 0; v < function.virtuals.size(); ++v)
            place_.push_back({v, 0});
    }

    void run() {
        for (const std::uint32_t b : function_.order)
            for (const Instruction& i : function_.blocks[b].code)
                if (is_copy(i))
                    join(i.dst[0], i.src[0]);
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
    };

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
        for (std::uint32_t k = 0; k < small; ++k)
            if (overlap(spans_[parts_.begin[x.root] + offset + k], spans_[parts_.begin[y.root] + k]))
                return;
        for (std::uint32_t k = 0; k < small; ++k) {
            auto& mine = spans_[parts_.begin[x.root] + offset + k];
            mine = joined(mine, spans_[parts_.begin[y.root] + k]);
        }
        place_[y.root] = {x.root, offset};
    }

    Function& function_;
    const Parts parts_;
    std::vector<std::vector<Span>> spans_;
    std::vector<Location> place_;
};

} // namespace

void coalesce(Function& function) {
    Coalescer(function).run();
}

} // namespace heddle::native
