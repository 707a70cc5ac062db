#include "batch/engine.h"

namespace heddle::batch {

Engines& engines() {
    static Engines registry("engine");
    return registry;
}

} // namespace heddle::batch
