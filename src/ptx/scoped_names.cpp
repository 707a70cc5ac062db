#include "ptx/scoped_names.h"

namespace heddle::ptx {

namespace {

constexpr std::size_t kMostDigits = 7; // of a register's number: lists are shorter than 10 million

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Calls f(base, number) for each way to read `name` as a base and a decimal number behind it.
template <class F>
void for_each_split(std::string_view name, F&& f) {
    std::uint32_t number = 0;
    std::uint32_t power = 1;
    for (std::size_t digits = 1; digits <= kMostDigits && digits < name.size(); ++digits) {
        const std::size_t at = name.size() - digits;
        if (!is_digit(name[at]))
            return;
        number += power * static_cast<std::uint32_t>(name[at] - '0');
        power *= 10;
        if (digits == 1 || name[at] != '0')
            f(name.substr(0, at), number);
    }
}

} // namespace

void ScopedNames::open() {
    open_.emplace_back(++last_scope_, undo_.size());
}

void ScopedNames::close() {
    for (std::size_t i = undo_.size(); i > open_.back().second; --i)
        names_[undo_[i - 1].first] = undo_[i - 1].second;
    undo_.resize(open_.back().second);
    open_.pop_back();
}

std::optional<Position> ScopedNames::declare(std::string_view name, std::uint32_t count, Position where) {
    return count == 0 ? declare_plain(name, where) : declare_list(name, count, where);
}

ScopedNames::Entry& ScopedNames::change(std::string_view name) {
    Entry& entry = names_[name];
    if (open_.size() > 1)
        undo_.emplace_back(name, entry);
    return entry;
}

std::optional<Position> ScopedNames::declare_plain(std::string_view name, Position where) {
    const std::uint32_t scope = open_.back().first;
    std::optional<Position> earlier;
    Entry& entry = change(name);
    if (entry.plain_scope == scope)
        earlier = entry.plain;
    entry.plain_scope = scope;
    entry.plain = where;
    for_each_split(name, [&](std::string_view base, std::uint32_t number) {
        Entry& list = change(base);
        if (list.list_scope == scope && number < list.list_count && !earlier)
            earlier = list.list;
        if (list.member_scope == scope && list.member_smallest <= number)
            return;
        list.member_scope = scope;
        list.member_smallest = number;
        list.member = where;
    });
    return earlier;
}

std::optional<Position> ScopedNames::declare_list(std::string_view base, std::uint32_t count, Position where) {
    const std::uint32_t scope = open_.back().first;
    std::optional<Position> earlier;
    Entry& entry = change(base);
    if (entry.list_scope == scope)
        earlier = entry.list;
    else if (entry.member_scope == scope && entry.member_smallest < count)
        earlier = entry.member;
    entry.list_scope = scope;
    entry.list_count = count;
    entry.list = where;
    return earlier;
}

} // namespace heddle::ptx
