#include "sm/load_store/division.h"

#include <utility>

namespace heddle::sm {
namespace {

// Keeps the flight's threads in `lanes` (by part). The data of all of them are there, or they all wait.
void keep(warp::Flight& flight, const std::array<LaneMask, kMaxParts>& lanes) {
    warp::Group& group = flight.group;
    const unsigned parts = std::exchange(group.parts, std::uint16_t{0});
    group.threads = 0;
    for (unsigned p = 0; p < parts; ++p) {
        if (lanes[p] == 0)
            continue;
        group.part[group.parts++] = {group.part[p].row, lanes[p]};
        group.threads = static_cast<std::uint16_t>(group.threads + count_lanes(lanes[p]));
    }
}

} // namespace

Division::Division(const config::Machine& machine, Frame& frame, LoadStoreUnit& unit)
    : frame_(frame), unit_(unit), on_(frame.formation.needs().runs_ahead) {
    if (on_)
        unit_.watch_divergence(frame.formation, machine.get<ViewsConfig>(),
                               static_cast<unsigned>(frame.contexts.config.width));
}

void Division::divide(warp::Flight& behind, warp::Flight& ahead) {
    const warp::FlightId id = ahead.id;
    ahead = behind;
    ahead.id = id;
    ahead.lines_left = 0;
    ahead.waits_long = false;
    keep(ahead, behind.hit);
    for (unsigned p = 0; p < behind.group.parts; ++p)
        behind.hit[p] = behind.group.part[p].lanes & ~behind.hit[p];
    keep(behind, behind.hit);
    behind.hit.fill(0);
    unit_.divide(ahead, behind);
    frame_.formation.divided(ahead, behind);
    if (const formation::Guard* const guard = frame_.contexts.guard())
        guard->check_divided(ahead.group, frame_.units);
    if (ahead.group.unit == behind.group.unit)
        return;
    ahead.generation = frame_.units.generation[ahead.group.unit];
    frame_.progress[ahead.group.unit] = 0;
}

} // namespace heddle::sm
