#include "sched/scheduler.h"

namespace heddle::sched {

Schedulers& schedulers() {
    static Schedulers registry("scheduler");
    return registry;
}

namespace {

// Makes the names valid values of settings whose range says "scheduler".
const bool heddle_choices = [] {
    config::register_choices("scheduler", [] { return schedulers().names(); });
    return true;
}();

} // namespace
} // namespace heddle::sched
