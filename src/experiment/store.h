// Results of runs, kept from one `heddle reproduce` to the next: an SQLite database with a row for each run. Each row
// is a separate transaction, so earlier rows stay readable when a process is killed or the disk is full.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/claims.h"
#include "experiment/results.h"

struct sqlite3;

namespace heddle::experiment {

// What a run is, for people who look for it: names as in the figures.
struct RunDescription {
    std::string key, experiment, program;
    std::vector<std::string> arguments;
    std::string machine, setting, point;
    std::optional<std::uint64_t> seed;
};

class Store : public Results {
public:
    enum class Mode { write, read };
    // Mode::write creates a missing file. Throws UserError: the file cannot be written, or is no such database.
    Store(const std::filesystem::path&, Mode);
    ~Store() override;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    [[nodiscard]] std::optional<StoredRun> find(const std::string& key, const std::string& version) const override;
    void put(const StoredRun&) override;
    // Among all processes that write to this store.
    [[nodiscard]] bool claim(const std::string& key) override;
    void release(const std::string& key) override;

    // What the run took last, in any version.
    [[nodiscard]] std::optional<Cost> cost(const std::string& key) const;
    // Whether a run of this version is stored (of any, when `version` is empty), and why it failed: without its result.
    [[nodiscard]] std::optional<std::string> failure(const std::string& key, const std::string& version) const;
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
    [[nodiscard]] int schema() const;
    [[noreturn]] void fail(int code) const;

    std::filesystem::path path_;
    sqlite3* database_ = nullptr;
    bool has_memory_ = true;       // false: a store of layout 1, opened to read
    std::optional<Claims> claims_; // when it may write
};

} // namespace heddle::experiment
