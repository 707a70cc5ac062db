#include "mem/dram/scheduler.h"

#include "config/choices.h"

namespace heddle::mem {

DramSchedulers& dram_schedulers() {
    return config::choices<DramSchedulers>("dram_scheduler");
}

} // namespace heddle::mem
