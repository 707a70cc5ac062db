// When each component of the memory system has work next. A component has one alarm that counts, the earliest that was
// set since it ran last.
#pragma once

#include <vector>

#include "base/event_wheel.h"

namespace heddle::mem {

class Alarms {
public:
    // Components have numbers below `components`.
    explicit Alarms(unsigned components) : wheel_(components), due_(components, kNever) {}

    // A component has work in cycle `at`, which is not before that of the last run(); kNever changes nothing. A later
    // cycle than that of the component's alarm changes nothing, and the component does not run for it.
    void set(unsigned component, Cycle at) {
        if (at >= due_[component])
            return;
        due_[component] = at;
        wheel_.set(component, at);
    }
    // The cycle of the next alarm, or one before it when the alarm is far ahead; kNever when no alarm is set.
    [[nodiscard]] Cycle next() const {
        return wheel_.next();
    }
    // Goes on to cycle `now` = next() and calls run_component(component) for the components with an alarm for it, in
    // ascending order. Alarms that are set for `now` itself meanwhile are for components of higher numbers, which run
    // in this call.
    template <class F>
    void run(Cycle now, F&& run_component) {
        wheel_.run(now, [&](unsigned component) {
            if (const Cycle alarm = due_[component]; alarm > now) { // beyond the wheel's span, or has run already
                if (alarm != kNever)
                    wheel_.set(component, alarm);
                return;
            }
            due_[component] = kNever;
            run_component(component);
        });
    }

private:
    EventWheel wheel_;
    std::vector<Cycle> due_; // by component: its alarm
};

} // namespace heddle::mem
