#include "sched/scheduler.h"

#include "config/choices.h"

namespace heddle::sched {

Schedulers& schedulers() {
    return config::choices<Schedulers>("scheduler");
}

} // namespace heddle::sched
