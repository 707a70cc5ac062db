// SQL over stored results: each run is a row of the view `runs`, and functions read its RESULT.json (docs/results.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "experiment/formula.h"
#include "experiment/store.h"

struct sqlite3_context;
struct sqlite3_value;

namespace heddle::experiment {

using QueryCell = std::variant<std::monostate, std::int64_t, double, std::string>;

struct QueryTable {
    std::vector<std::string> columns;
    std::vector<std::vector<QueryCell>> rows;
};

class Queries {
public:
    // Throws UserError: there is no such store.
    explicit Queries(const std::filesystem::path& store);
    ~Queries();
    Queries(const Queries&) = delete;
    Queries& operator=(const Queries&) = delete;

    // One SELECT. Throws UserError: with SQLite's message, or because the statement would change the store.
    [[nodiscard]] QueryTable run(const std::string& sql);
    // The RESULT.json of a run, by its column `run`; null where it failed before there was one.
    [[nodiscard]] const nlohmann::json* document(std::int64_t run);

private:
    using Arguments = sqlite3_value**;
    void make_view();
    void add_functions();
    void refuse_changes();
    void execute(const std::string& sql);
    [[noreturn]] void fail() const;
    void value_of(sqlite3_context*, Arguments);
    void parameter_of(sqlite3_context*, Arguments);
    void document_of(sqlite3_context*, Arguments);
    template <void (Queries::*function)(sqlite3_context*, Arguments)>
    static void call(sqlite3_context*, int, Arguments);

    Store store_;
    std::map<std::string, Formula> formulas_; // by text
    std::int64_t run_ = -1;                   // of document_
    std::unique_ptr<nlohmann::json> document_;
    bool refused_ = false; // the present statement would change something
};

} // namespace heddle::experiment
