// A snapshot as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "stats/snapshot.h"

namespace heddle::stats {

// Objects nested by the dots of the names; ratios are numbers, null without a denominator; histograms are lists.
[[nodiscard]] nlohmann::ordered_json to_json(const Snapshot&);

// The text of to_json(), without an object for each value: a result has a snapshot of each launch.
class JsonText {
public:
    // Appends to_json(snapshot).dump().
    void append(std::string& out, const Snapshot& snapshot);

private:
    // What lies between the values of the fields depends on their names alone.
    struct Piece {
        std::string before;
        std::size_t field;
    };
    void outline(const nlohmann::ordered_json& object);

    std::shared_ptr<const Layout> layout_; // of pieces_
    std::vector<Piece> pieces_;
    std::string between_; // behind the last value so far
};

} // namespace heddle::stats
