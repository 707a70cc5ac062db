// Results of runs, and where they are kept: the store of one computer (store.h), or a folder that the computers of a
// cluster share (result_folder.h).
#pragma once

#include <optional>
#include <string>

namespace heddle::experiment {

// What a run takes of the host; 0 where it is not known.
struct Cost {
    double seconds = 0;
    double megabytes = 0; // of memory, at its peak
};

struct StoredRun {
    std::string key;      // Run::key
    std::string version;  // of the simulator
    std::string failure;  // the reason of the failure; empty: the run is complete
    std::string label;    // for people who look into the database
    double seconds = 0;   // that it took
    std::string result;   // RESULT.json; empty where it failed before there was one
    double megabytes = 0; // of memory, at its peak

    [[nodiscard]] bool failed() const {
        return !failure.empty();
    }
};

class Results {
public:
    Results() = default;
    virtual ~Results() = default;
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;

    // Of this version; of the version that was stored last when `version` is empty.
    [[nodiscard]] virtual std::optional<StoredRun> find(const std::string& key, const std::string& version) const = 0;
    // Replaces the result with this key and version. Throws UserError when the result cannot be written.
    virtual void put(const StoredRun&) = 0;
    // A run whose process something outside has killed, most often for want of memory: `failure` says so.
    virtual void put_killed(const StoredRun& run) {
        put(run);
    }
    // A run that was interrupted before its end.
    virtual void put_interrupted(const StoredRun&) {}

    // Whether this process may make the run; otherwise another process makes it now. A claim ends with `release`, or
    // with the process.
    [[nodiscard]] virtual bool claim(const std::string& /*key*/) {
        return true;
    }
    virtual void release(const std::string& /*key*/) {}
};

} // namespace heddle::experiment
