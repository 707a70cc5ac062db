#include "stats/snapshot.h"

#include <algorithm>

namespace heddle::stats {

Layout::Layout(std::shared_ptr<const Fields> fields, std::span<const std::size_t> sizes)
    : fields_(std::move(fields)), begins_{0}, terms_(fields_->size()) {
    for (const std::size_t size : sizes)
        begins_.push_back(begins_.back() + size);
    const auto places = [this](const std::vector<std::string>& names) {
        std::vector<std::size_t> out;
        for (const std::string& name : names)
            out.push_back(begin(find(name)));
        return out;
    };
    for (std::size_t i = 0; i < fields_->size(); ++i)
        terms_[i] = {places((*fields_)[i].numerator), places((*fields_)[i].denominator)};
}

std::size_t Layout::find(std::string_view name) const {
    const auto at = std::find_if(fields_->begin(), fields_->end(), [&](const Field& f) { return f.name == name; });
    return static_cast<std::size_t>(at - fields_->begin());
}

Snapshot::Snapshot()
    : layout_(std::make_shared<const Layout>(std::make_shared<const Fields>(), std::span<const std::size_t>())) {}

std::uint64_t Snapshot::counter(std::string_view name) const {
    const std::size_t i = layout_->find(name);
    return i != fields().size() && fields()[i].kind == Kind::Counter ? values(i)[0] : 0;
}

Histogram Snapshot::histogram(std::string_view name) const {
    const std::size_t i = layout_->find(name);
    if (i == fields().size() || fields()[i].kind != Kind::Histogram)
        return {};
    return {values(i).begin(), values(i).end()};
}

std::optional<double> Snapshot::ratio(std::size_t field) const {
    const auto sum = [this](const std::vector<std::size_t>& places) {
        std::uint64_t out = 0;
        for (const std::size_t place : places)
            out += values_[place];
        return static_cast<double>(out);
    };
    const Layout::Terms& terms = layout_->terms(field);
    const double denominator = sum(terms.denominator);
    return denominator == 0 ? std::nullopt : std::optional(sum(terms.numerator) / denominator);
}

std::optional<double> Snapshot::ratio(std::string_view name) const {
    const std::size_t i = layout_->find(name);
    return i != fields().size() && fields()[i].kind == Kind::Ratio ? ratio(i) : std::nullopt;
}

std::vector<std::uint64_t> Snapshot::values_by(const Layout& layout) const {
    std::vector<std::uint64_t> out(layout.values());
    for (std::size_t to = 0; to < layout.fields()->size(); ++to) {
        const std::size_t from = layout_->find((*layout.fields())[to].name);
        if (from == fields().size())
            continue;
        const std::span<const std::uint64_t> own = values(from);
        std::copy_n(own.begin(), std::min(own.size(), layout.size(to)),
                    out.begin() + static_cast<std::ptrdiff_t>(layout.begin(to)));
    }
    return out;
}

Snapshot Snapshot::operator-(const Snapshot& earlier) const {
    Snapshot out = *this;
    const auto subtract = [&](const std::vector<std::uint64_t>& before) {
        for (std::size_t i = 0; i < before.size(); ++i)
            out.values_[i] -= before[i];
    };
    if (earlier.layout_ == layout_)
        subtract(earlier.values_);
    else
        subtract(earlier.values_by(*layout_));
    return out;
}

Snapshot& Snapshot::operator+=(const Snapshot& other) {
    if (fields().empty()) // the usual case: a sum that begins empty
        return *this = other;
    if (layout_ != other.layout_) {
        auto both = std::make_shared<Fields>(fields());
        for (const Field& field : other.fields())
            if (layout_->find(field.name) == fields().size())
                both->push_back(field);
        if (both->size() == other.fields().size())
            *both = other.fields();
        std::vector<std::size_t> sizes;
        for (const Field& field : *both) {
            const std::size_t own = layout_->find(field.name), others = other.layout_->find(field.name);
            sizes.push_back(std::max(own == fields().size() ? 0 : layout_->size(own),
                                     others == other.fields().size() ? 0 : other.layout_->size(others)));
        }
        const auto layout = std::make_shared<const Layout>(std::move(both), sizes);
        *this = Snapshot(layout, values_by(*layout));
        return *this += Snapshot(layout, other.values_by(*layout));
    }
    for (std::size_t i = 0; i < values_.size(); ++i)
        values_[i] += other.values_[i];
    return *this;
}

} // namespace heddle::stats
