// @NAME@: a set of workloads.
#include "config/plugin.h"
#include "experiment/workload_set.h"

namespace {

using namespace heddle;

struct @TYPE@ final : experiment::WorkloadSet {
    @TYPE@() {
        // A path counts from the folder of the plug-in's file; a name without '/' is one of heddle's own workloads.
        programs = {
            {.name = "small", .run = "workloads/saxpy", .arguments = {"256"}, .seed = ""},
            {.name = "large", .run = "workloads/saxpy", .arguments = {"16384"}, .quick = {"1024"}, .seed = ""},
        };
    }
};

HEDDLE_WORKLOADS(@TYPE@, "@NAME@", "y = a x + y of two sizes", "example");

} // namespace

HEDDLE_PLUGIN("@NAME@", "the workload set @NAME@")
