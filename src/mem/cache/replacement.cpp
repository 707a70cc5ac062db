#include "mem/cache/replacement.h"

#include "config/choices.h"

namespace heddle::mem {

Replacements& replacements() {
    return config::choices<Replacements>("replacement policy", "replacement");
}

} // namespace heddle::mem
