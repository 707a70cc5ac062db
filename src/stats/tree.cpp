#include "stats/tree.h"

#include <algorithm>

namespace heddle::stats {

namespace {

// The terms of a sum as dotted names.
std::vector<std::string> dotted_terms(const std::string& section, std::string_view sum) {
    std::vector<std::string> out;
    for (const std::string_view term : terms_of(sum))
        out.push_back(section + "." + std::string(term));
    return out;
}

void add_to(Histogram& to, const Histogram& from) {
    if (to.size() < from.size())
        to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
        to[i] += from[i];
}

void subtract_from(Histogram& to, const Histogram& earlier) {
    for (std::size_t i = 0; i < std::min(to.size(), earlier.size()); ++i)
        to[i] -= earlier[i];
}

} // namespace

const Field* Snapshot::find(std::string_view name, std::size_t* index) const {
    const auto at = std::find_if(fields_->begin(), fields_->end(), [&](const Field& f) { return f.name == name; });
    if (at == fields_->end())
        return nullptr;
    *index = static_cast<std::size_t>(at - fields_->begin());
    return &*at;
}

std::uint64_t Snapshot::counter(std::string_view name) const {
    std::size_t i = 0;
    const Field* const field = find(name, &i);
    return field != nullptr && field->kind == Kind::Counter ? values_[i][0] : 0;
}

const Histogram& Snapshot::histogram(std::string_view name) const {
    static const Histogram none;
    std::size_t i = 0;
    const Field* const field = find(name, &i);
    return field != nullptr && field->kind == Kind::Histogram ? values_[i] : none;
}

std::optional<double> Snapshot::ratio(const Field& field) const {
    const auto sum = [this](const std::vector<std::string>& names) {
        std::uint64_t out = 0;
        for (const std::string& name : names)
            out += counter(name);
        return static_cast<double>(out);
    };
    const double denominator = sum(field.denominator);
    return denominator == 0 ? std::nullopt : std::optional(sum(field.numerator) / denominator);
}

std::optional<double> Snapshot::ratio(std::string_view name) const {
    std::size_t i = 0;
    const Field* const field = find(name, &i);
    return field != nullptr && field->kind == Kind::Ratio ? ratio(*field) : std::nullopt;
}

// The same values under another list of names: names that are new there are 0, names that it lacks are lost.
void Snapshot::bring_to(std::shared_ptr<const Fields> fields) {
    std::vector<Histogram> values;
    for (const Field& field : *fields) {
        std::size_t i = 0;
        if (find(field.name, &i) != nullptr)
            values.push_back(std::move(values_[i]));
        else
            values.emplace_back(field.kind == Kind::Counter ? 1 : 0);
    }
    fields_ = std::move(fields);
    values_ = std::move(values);
}

Snapshot Snapshot::operator-(const Snapshot& earlier) const {
    Snapshot before = earlier;
    if (before.fields_ != fields_)
        before.bring_to(fields_);
    Snapshot out = *this;
    for (std::size_t i = 0; i < out.values_.size(); ++i)
        subtract_from(out.values_[i], before.values_[i]);
    return out;
}

Snapshot& Snapshot::operator+=(const Snapshot& other) {
    if (fields_ == other.fields_) {
        for (std::size_t i = 0; i < values_.size(); ++i)
            add_to(values_[i], other.values_[i]);
        return *this;
    }
    auto both = std::make_shared<Fields>(*fields_);
    for (const Field& field : *other.fields_) {
        std::size_t i = 0;
        if (find(field.name, &i) == nullptr)
            both->push_back(field);
    }
    Snapshot addend = other;
    if (both->size() == other.fields_->size()) { // the usual case: a sum that begins empty
        bring_to(other.fields_);
    } else {
        bring_to(both);
        addend.bring_to(both);
    }
    for (std::size_t i = 0; i < values_.size(); ++i)
        add_to(values_[i], addend.values_[i]);
    return *this;
}

void Tree::add_source(const std::string& section, std::string_view name, std::string_view unit,
                      const std::uint64_t& from) {
    pending_.push_back({section + "." + std::string(name), std::string(unit), Kind::Counter, {}, {}});
    sources_.push_back({{&from}, {}});
}

void Tree::add_source(const std::string& section, std::string_view name, std::string_view unit, const Histogram& from) {
    pending_.push_back({section + "." + std::string(name), std::string(unit), Kind::Histogram, {}, {}});
    sources_.push_back({{}, {&from}});
}

void Tree::add_ratio(const std::string& section, const Formula& f) {
    Field field{section + "." + std::string(f.name), "", Kind::Ratio, dotted_terms(section, f.numerator),
                dotted_terms(section, f.denominator)};
    for (const auto* side : {&field.numerator, &field.denominator})
        for (const std::string& name : *side)
            if (std::none_of(pending_.begin(), pending_.end(),
                             [&](const Field& f2) { return f2.name == name && f2.kind == Kind::Counter; }))
                throw std::logic_error("formula " + field.name + ": there is no counter " + name);
    pending_.push_back(std::move(field));
    sources_.emplace_back();
}

Tree::Source& Tree::source_of(const std::string& section, std::string_view name) {
    const std::string dotted = section + "." + std::string(name);
    for (std::size_t i = 0; i < fields_->size(); ++i)
        if ((*fields_)[i].name == dotted)
            return sources_[i];
    throw std::logic_error("there are no statistics " + dotted + " to add to");
}

void Tree::also(const std::string& section, std::string_view name, const std::uint64_t& from) {
    source_of(section, name).counters.push_back(&from);
}

void Tree::also(const std::string& section, std::string_view name, const Histogram& from) {
    source_of(section, name).histograms.push_back(&from);
}

bool Tree::has(std::string_view section) const {
    return std::find(sections_.begin(), sections_.end(), section) != sections_.end();
}

void Tree::close_section(const std::string& section) {
    if (has(section))
        throw std::logic_error("statistics of '" + section + "' are added twice");
    sections_.push_back(section);
    auto all = std::make_shared<Snapshot::Fields>(*fields_);
    std::move(pending_.begin(), pending_.end(), std::back_inserter(*all));
    pending_.clear();
    fields_ = std::move(all);
}

Snapshot Tree::snapshot() const {
    Snapshot out;
    out.fields_ = fields_;
    out.values_.reserve(sources_.size());
    for (const Source& source : sources_) {
        Histogram& value = out.values_.emplace_back();
        if (!source.counters.empty())
            value.push_back(0);
        for (const std::uint64_t* counter : source.counters)
            value[0] += *counter;
        for (const Histogram* histogram : source.histograms)
            add_to(value, *histogram);
    }
    return out;
}

} // namespace heddle::stats
