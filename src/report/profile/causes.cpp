#include "report/profile/causes.h"

#include <algorithm>

#include "probe/slot.h"

namespace heddle::report {

bool is_cause(std::string_view code) {
    return code != probe::kSlots.front().name &&
           std::any_of(probe::kSlots.begin(), probe::kSlots.end(), [&](const auto& slot) { return slot.name == code; });
}

std::string_view cause_words(std::string_view code) {
    for (const probe::SlotInfo& slot : probe::kSlots)
        if (slot.name == code)
            return slot.meaning;
    return code;
}

} // namespace heddle::report
