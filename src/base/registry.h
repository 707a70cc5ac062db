// Policies chosen by name: schedulers, formations and whatever else comes in several kinds. Each implementation
// registers itself in its own source file, so that adding one edits no list.
//
//   using Schedulers = Registry<Scheduler, const Share&>;
//   Schedulers& schedulers() { static Schedulers registry("scheduler"); return registry; }
//   #define HEDDLE_SCHEDULER(Class, ...) HEDDLE_REGISTERED(schedulers(), Class, __VA_ARGS__)
//   HEDDLE_SCHEDULER(RoundRobin, "rr", "round-robin over the ready units", "LWM11 2.1");
//
// A registry whose names are values of a setting: config/choices.h.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/registration.h"
#include "base/source.h"
#include "base/suggest.h"

namespace heddle {

template <class T, class... Args>
class Registry {
public:
    using Factory = std::unique_ptr<T> (*)(Args...);
    struct Entry {
        std::string name;
        std::string meaning; // one line
        std::string source;  // "LWM11 2.1", "assumed: ..."
        Factory factory;
        std::string plugin{}; // that it came with; empty: it is part of heddle
    };
    // Puts a policy of a plug-in into one that checks its answers; `who` names it in messages. Heddle's own policies
    // are held against their contracts by tests, and have no check in a simulation.
    using Guard = std::unique_ptr<T> (*)(std::unique_ptr<T> policy, std::string who, Args...);

    // `kind` names what is registered in messages: "scheduler". Without a guard answers need no check.
    explicit Registry(std::string kind, Guard guard = nullptr) : kind_(std::move(kind)), guard_(guard) {}

    // Refused (refuse_registration) when the name is taken: two files of the program, or of plug-ins, claim it.
    void add(Entry entry) {
        const std::string name = entry.name;
        entry.plugin = registering_plugin();
        if (const auto [at, is_new] = entries_.try_emplace(name, std::move(entry)); !is_new)
            refuse_registration("there is a " + kind_ + " '" + name + "' already, in " + place_of(at->second.plugin) +
                                "; give yours another name");
    }

    // The same for a class whose constructor takes Args.
    template <class Class>
    bool add(std::string name, std::string meaning, std::string source) {
        add(entry<Class>(std::move(name), std::move(meaning), std::move(source)));
        return true;
    }
    template <class Class>
    [[nodiscard]] static Entry entry(std::string name, std::string meaning, std::string source) {
        return {std::move(name), std::move(meaning), std::move(source), [](Args... args) -> std::unique_ptr<T> {
                    return std::make_unique<Class>(std::forward<Args>(args)...);
                }};
    }

    // Throws UserError that lists the valid names when there is none of this name, and when its factory makes nothing.
    [[nodiscard]] std::unique_ptr<T> make(std::string_view name, Args... args) const {
        const Entry& entry = find(name);
        std::unique_ptr<T> made = make(entry, args...);
        if (made == nullptr)
            throw UserError("the factory of the " + kind_ + " '" + std::string(name) + "' returns no object");
        if (guard_ == nullptr || entry.plugin.empty())
            return made;
        return guard_(std::move(made), "the " + kind_ + " '" + entry.name + "' of " + place_of(entry.plugin), args...);
    }
    [[nodiscard]] const Entry& find(std::string_view name) const {
        const auto at = entries_.find(name);
        if (at == entries_.end())
            throw UserError("unknown " + kind_ + " '" + std::string(name) + "'; valid: " + comma_list(names()));
        return at->second;
    }
    [[nodiscard]] bool contains(std::string_view name) const {
        return entries_.contains(name);
    }

    [[nodiscard]] const std::string& kind() const {
        return kind_;
    }
    // Sorted.
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const auto& [name, entry] : entries_)
            out.push_back(name);
        return out;
    }
    // By name, sorted.
    [[nodiscard]] const std::map<std::string, Entry, std::less<>>& entries() const {
        return entries_;
    }

private:
    // A plug-in may throw anything.
    [[nodiscard]] std::unique_ptr<T> make(const Entry& entry, Args... args) const {
        try {
            return entry.factory(args...);
        } catch (const UserError&) {
            throw;
        } catch (const std::exception& thrown) {
            if (entry.plugin.empty())
                throw;
            throw UserError("the " + kind_ + " '" + entry.name + "' of " + place_of(entry.plugin) +
                            " cannot be made: " + thrown.what());
        }
    }

    std::string kind_;
    Guard guard_;
    std::map<std::string, Entry, std::less<>> entries_;
};

} // namespace heddle

// Registers a class when the program starts: HEDDLE_REGISTERED(registry, Class, "name", "meaning", "source");
#define HEDDLE_REGISTERED(registry, Class, ...)                                                                        \
    [[maybe_unused]] const bool heddle_registered_##Class = (registry).template add<Class>(__VA_ARGS__)
