#include "formation/formation.h"

#include "config/choices.h"

namespace heddle::formation {

Formations& formations() {
    return config::choices<Formations>("formation");
}

} // namespace heddle::formation
