// The names that a function's nested scopes declare: finds a second declaration in a scope.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"

namespace heddle::ptx {

class ScopedNames {
public:
    ScopedNames() {
        open();
    }

    void open();
    void close();

    // Declares a name in the innermost scope; the place of an earlier declaration in that scope if
    // there is one. `count` above 0: the registers name0 .. name(count-1), which conflict with plain
    // names such as name3.
    std::optional<Position> declare(std::string_view name, std::uint32_t count, Position where);

private:
    struct Entry {                     // each part belongs to a scope; scope 0: unset
        std::uint32_t plain_scope = 0; // the name itself
        std::uint32_t list_scope = 0;  // the name as the base of a register list
        std::uint32_t list_count = 0;
        std::uint32_t member_scope = 0; // plain names that are this one with a number behind
        std::uint32_t member_smallest = 0;
        Position plain;
        Position list;
        Position member;
    };

    Entry& change(std::string_view name);
    std::optional<Position> declare_plain(std::string_view name, Position where);
    std::optional<Position> declare_list(std::string_view base, std::uint32_t count, Position where);

    std::unordered_map<std::string_view, Entry> names_;
    std::vector<std::pair<std::string_view, Entry>> undo_;    // entries that inner scopes have replaced
    std::vector<std::pair<std::uint32_t, std::size_t>> open_; // scope, size of undo_ at its start
    std::uint32_t last_scope_ = 0;
};

} // namespace heddle::ptx
