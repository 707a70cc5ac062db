#include "mem/cache/replacement.h"

#include "config/parameter.h"

namespace heddle::mem {

Replacements& replacements() {
    static Replacements registry("replacement policy");
    return registry;
}

namespace {

// Makes the names valid values of settings whose range says "replacement".
const bool heddle_choices = [] {
    config::register_choices("replacement", [] { return replacements().names(); });
    return true;
}();

} // namespace
} // namespace heddle::mem
