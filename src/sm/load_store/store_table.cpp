#include "sm/load_store/store_table.h"

namespace heddle::sm {

StoreId StoreTable::open(const warp::Group& group, unsigned lines) {
    if (free_.empty()) {
        free_.push_back(static_cast<StoreId>(stores_.size()));
        stores_.emplace_back();
    }
    const StoreId id = free_.back();
    free_.pop_back();
    stores_[id].rows.clear();
    stores_[id].lines = lines;
    join(id, group);
    return id;
}

void StoreTable::join(StoreId store, const warp::Group& group) {
    for (unsigned p = 0; p < group.parts; ++p) {
        stores_[store].rows.push_back(group.part[p].row);
        ++of_row_[group.part[p].row];
    }
}

bool StoreTable::fence(const warp::Flight& flight) {
    Fence fence{flight.id, {}};
    for (unsigned p = 0; p < flight.group.parts; ++p)
        fence.rows.push_back(flight.group.part[p].row);
    if (!waits(fence.rows))
        return false;
    fences_.push_back(std::move(fence));
    return true;
}

} // namespace heddle::sm
