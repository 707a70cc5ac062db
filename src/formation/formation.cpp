#include "formation/formation.h"

namespace heddle::formation {

Formations& formations() {
    static Formations registry("formation");
    return registry;
}

namespace {

// Makes the names valid values of settings whose range says "formation".
const bool heddle_choices = [] {
    config::register_choices("formation", [] { return formations().names(); });
    return true;
}();

} // namespace
} // namespace heddle::formation
