// Results of runs, kept from one `heddle reproduce` to the next: an SQLite database with a row for each run. Each row
// is a separate transaction, so earlier rows stay readable when a process is killed or the disk is full.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "experiment/claims.h"
#include "experiment/results.h"

struct sqlite3;

namespace heddle::experiment {

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
