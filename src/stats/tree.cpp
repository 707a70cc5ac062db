#include "stats/tree.h"

#include <algorithm>
#include <iterator>

#include "stats/snapshot.h"

namespace heddle::stats {

namespace {

// The terms of a sum as dotted names.
std::vector<std::string> dotted_terms(const std::string& section, std::string_view sum) {
    std::vector<std::string> out;
    for (const std::string_view term : terms_of(sum))
        out.push_back(section + "." + std::string(term));
    return out;
}

std::size_t longest(const std::vector<const Histogram*>& histograms) {
    std::size_t out = 0;
    for (const Histogram* histogram : histograms)
        out = std::max(out, histogram->size());
    return out;
}

} // namespace

Tree::Tree() = default;
Tree::~Tree() = default;

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
    for (std::size_t i = 0; i < fields_.size(); ++i)
        if (fields_[i].name == dotted)
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
    std::move(pending_.begin(), pending_.end(), std::back_inserter(fields_));
    pending_.clear();
    layout_ = nullptr;
}

bool Tree::keeps_layout() const {
    if (layout_ == nullptr)
        return false;
    for (std::size_t i = 0; i < sources_.size(); ++i)
        if (fields_[i].kind == Kind::Histogram && longest(sources_[i].histograms) != layout_->size(i))
            return false;
    return true;
}

Snapshot Tree::snapshot() const {
    if (!keeps_layout()) {
        std::vector<std::size_t> sizes;
        for (const Source& source : sources_)
            sizes.push_back(source.counters.empty() ? longest(source.histograms) : 1);
        layout_ = std::make_shared<const Layout>(std::make_shared<const Layout::Fields>(fields_), sizes);
    }
    std::vector<std::uint64_t> values(layout_->values());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        std::uint64_t* const to = values.data() + layout_->begin(i);
        std::uint64_t sum = 0;
        for (const std::uint64_t* counter : sources_[i].counters)
            sum += *counter;
        if (!sources_[i].counters.empty())
            *to = sum;
        for (const Histogram* histogram : sources_[i].histograms)
            for (std::size_t bucket = 0; bucket < histogram->size(); ++bucket)
                to[bucket] += (*histogram)[bucket];
    }
    return {layout_, std::move(values)};
}

} // namespace heddle::stats
