// Results of runs, kept from one `heddle reproduce` to the next: an SQLite database with a row for each run. Each row
// is a separate transaction, so earlier rows stay readable when a process is killed or the disk is full.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;

namespace heddle::experiment {

struct StoredRun {
    std::string key;     // Run::key
    std::string version; // of the simulator
    std::string failure; // the reason of the failure; empty: the run is complete
    std::string label;   // for people who look into the database
    double seconds = 0;  // that it took
    std::string result;  // RESULT.json; empty where it failed before there was one

    [[nodiscard]] bool failed() const {
        return !failure.empty();
    }
};

// What a run is, for people who look for it: names as in the figures.
struct RunDescription {
    std::string key, experiment, program;
    std::vector<std::string> arguments;
    std::string machine, setting, point;
    std::optional<std::uint64_t> seed;
};

class Store {
public:
    enum class Mode { write, read };
    // Mode::write creates a missing file. Throws UserError: the file cannot be written, or is no such database.
    Store(const std::filesystem::path&, Mode);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    // Of this version; of the version that was stored last when `version` is empty.
    [[nodiscard]] std::optional<StoredRun> find(const std::string& key, const std::string& version) const;
    // Whether a run of this version is stored (of any, when `version` is empty), and why it failed: without its result.
    [[nodiscard]] std::optional<std::string> failure(const std::string& key, const std::string& version) const;
    // The run's time in any version.
    [[nodiscard]] std::optional<double> seconds(const std::string& key) const;
    // Replaces the result with this key and version. Throws UserError when the result cannot be written.
    void put(const StoredRun&);
    // Replaces the descriptions of these runs, whether they are stored already or not.
    void describe(const std::vector<RunDescription>&);

    // For queries: the database; the result of a row, empty where there is none.
    [[nodiscard]] sqlite3* database() const {
        return database_;
    }
    [[nodiscard]] std::string result_of_row(std::int64_t row) const;

private:
    class Statement;
    void execute(const char* sql) const;
    void prepare_schema(Mode);
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;
    sqlite3* database_ = nullptr;
};

} // namespace heddle::experiment
