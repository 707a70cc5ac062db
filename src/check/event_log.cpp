#include "check/event_log.h"

namespace heddle::check {

Event& EventLog::add(Event::Kind kind, Pc pc) {
    Event& e = events_.emplace_back();
    e.kind = kind;
    e.pc = pc;
    e.cycle = now_;
    e.first_thread = threads_.size();
    e.first_address = addresses_.size();
    e.first_value = values_.size();
    return e;
}

void EventLog::clear() {
    events_.clear();
    threads_.clear();
    addresses_.clear();
    values_.clear();
}

} // namespace heddle::check
