#include "mem/dram/scheduler.h"

namespace heddle::mem {

DramSchedulers& dram_schedulers() {
    static DramSchedulers registry("dram_scheduler");
    return registry;
}

namespace {

// Makes the names valid values of settings whose range says "dram_scheduler".
const bool heddle_choices = [] {
    config::register_choices("dram_scheduler", [] { return dram_schedulers().names(); });
    return true;
}();

} // namespace
} // namespace heddle::mem
