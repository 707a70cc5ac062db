#include "mem/cache/replacement.h"

#include "config/choices.h"
#include "mem/cache/guard.h"

namespace heddle::mem {

Replacements& replacements() {
    return config::choices<Replacements>("replacement policy", "replacement", guard);
}

} // namespace heddle::mem
