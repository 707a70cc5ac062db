// All counters in one tree. Their values at a moment: stats/snapshot.h.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stats/statistic.h"

namespace heddle::stats {

class Layout;
class Snapshot;
struct Field;

class Tree {
public:
    Tree();
    ~Tree();
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    // `counters` must outlive the tree. Throws std::logic_error when the section exists already.
    template <class S>
    void add(const std::string& section, const S& counters) {
        for (const Statistic<S>& s : S::statistics())
            std::visit([&](auto member) { add_source(section, s.name, s.unit, counters.*member); }, s.member);
        for (const Formula& f : formulas_of<S>())
            add_ratio(section, f);
        close_section(section);
    }

    // Another component of an existing section: its counts are added. Throws std::logic_error when there is no such
    // section.
    template <class S>
    void add_also(const std::string& section, const S& counters) {
        for (const Statistic<S>& s : S::statistics())
            std::visit([&](auto member) { also(section, s.name, counters.*member); }, s.member);
    }

    // One of several components of a kind: the section is the sum over them.
    template <class S>
    void add_one_of(const std::string& section, const S& counters) {
        if (has(section))
            add_also(section, counters);
        else
            add(section, counters);
    }

    [[nodiscard]] Snapshot snapshot() const;

private:
    [[nodiscard]] bool has(std::string_view section) const;
    struct Source { // the counters or histograms whose sum a field is; both empty for a ratio
        std::vector<const std::uint64_t*> counters;
        std::vector<const Histogram*> histograms;
    };

    void add_source(const std::string& section, std::string_view name, std::string_view unit,
                    const std::uint64_t& from);
    void add_source(const std::string& section, std::string_view name, std::string_view unit, const Histogram& from);
    void add_ratio(const std::string& section, const Formula&);
    void also(const std::string& section, std::string_view name, const std::uint64_t& from);
    void also(const std::string& section, std::string_view name, const Histogram& from);
    [[nodiscard]] Source& source_of(const std::string& section, std::string_view name);
    void close_section(const std::string& section);
    // Whether a snapshot can have the layout of the last one.
    [[nodiscard]] bool keeps_layout() const;

    std::vector<std::string> sections_;
    std::vector<Field> fields_;
    std::vector<Field> pending_; // of the section being added
    std::vector<Source> sources_;
    mutable std::shared_ptr<const Layout> layout_; // of the last snapshot; null: there was none with these fields
};

} // namespace heddle::stats
