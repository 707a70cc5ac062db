#include "sched/scheduler.h"

#include "config/choices.h"
#include "sched/guard.h"

namespace heddle::sched {

Schedulers& schedulers() {
    return config::choices<Schedulers>("scheduler", guard);
}

} // namespace heddle::sched
