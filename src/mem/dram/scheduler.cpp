#include "mem/dram/scheduler.h"

#include "config/choices.h"
#include "mem/dram/guard.h"

namespace heddle::mem {

DramSchedulers& dram_schedulers() {
    return config::choices<DramSchedulers>("dram_scheduler", guard);
}

} // namespace heddle::mem
