// heddle query and heddle export: stored results by SQL, and as one table for other programs.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/output_file.h"
#include "command.h"
#include "experiment/flat_table.h"
#include "experiment/queries.h"
#include "output_files.h"
#include "report/csv.h"
#include "report/table.h"

namespace heddle::cli {

namespace {

namespace fs = std::filesystem;
using experiment::QueryCell;
using experiment::QueryTable;

constexpr const char* kStore = "results/runs.sqlite"; // where `heddle reproduce` stores by default

constexpr const char* kQueryHelp =
    "View `runs`, a row for each stored run: run, key, version, label, experiment, program, arguments, machine, "
    "setting, "
    "point, seed, status (complete, failed), failure, seconds, finished.\n"
    "Functions: value(run, 'totals.cycles') evaluates a formula over RESULT.json, parameter(run, 'dcache.size') is a "
    "parameter of the machine, document(run) is RESULT.json itself.\n\n"
    "  heddle query \"SELECT program, setting, value(run, 'totals.ipc') AS ipc FROM runs WHERE status = "
    "'complete'\"\n\n"
    "docs/results.md has more examples.";

struct QueryOptions {
    std::string sql, store = kStore;
    bool csv = false, json = false;
};

struct ExportOptions {
    std::string store = kStore, file;
};

// In full precision; empty where there is no value.
std::string exact(const QueryCell& cell) {
    return std::visit(
        [](const auto& value) -> std::string {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                return "";
            else
                return fmt::format("{}", value);
        },
        cell);
}

// A line of a table: whole numbers whole, others to six digits.
std::string readable(const QueryCell& cell) {
    if (const double* const real = std::get_if<double>(&cell)) {
        const bool whole = std::abs(*real) < 1e15 && *real == std::floor(*real);
        return whole                    ? fmt::format("{:.0f}", *real)
               : std::abs(*real) >= 1e5 ? fmt::format("{:.1f}", *real)
                                        : fmt::format("{:.6g}", *real);
    }
    std::string out = exact(cell);
    for (char& c : out)
        c = c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    return out;
}

std::string text_table(const QueryTable& table) {
    report::Table out;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        bool words = false;
        for (const std::vector<QueryCell>& row : table.rows)
            words = words || std::holds_alternative<std::string>(row[c]);
        out.column(table.columns[c], words ? report::Table::Align::Left : report::Table::Align::Right);
    }
    for (const std::vector<QueryCell>& row : table.rows) {
        std::vector<std::string> cells;
        for (const QueryCell& cell : row)
            cells.push_back(readable(cell));
        out.row(std::move(cells));
    }
    return out.render();
}

std::string csv(const QueryTable& table) {
    std::string out = report::csv_line(table.columns);
    for (const std::vector<QueryCell>& row : table.rows) {
        std::vector<std::string> fields;
        for (const QueryCell& cell : row)
            fields.push_back(exact(cell));
        out += report::csv_line(fields);
    }
    return out;
}

// A list of objects, an object a line.
std::string json(const QueryTable& table) {
    using Json = nlohmann::ordered_json;
    std::string out;
    for (const std::vector<QueryCell>& row : table.rows) {
        Json object = Json::object();
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (object.contains(table.columns[c]))
                throw UserError(fmt::format("two columns are called '{}'; name one of them by AS", table.columns[c]));
            object[table.columns[c]] = std::visit(
                [](const auto& value) {
                    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
                        return Json(nullptr);
                    else
                        return Json(value);
                },
                row[c]);
        }
        out += (out.empty() ? "" : ",\n") + object.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    return out.empty() ? "[]\n" : "[\n" + out + "\n]\n";
}

void query(const QueryOptions& options) {
    experiment::Queries queries(options.store);
    const QueryTable table = queries.run(options.sql);
    fmt::print("{}", options.csv ? csv(table) : options.json ? json(table) : text_table(table));
}

void export_all(const ExportOptions& options) {
    const std::string suffix = fs::path(options.file).extension().string();
    if (suffix != ".csv")
        throw UsageError(
            fmt::format("{}: the table is written as CSV, to a name that ends in .csv; other formats can be "
                        "made of it: pandas.read_csv(\"runs.csv\").to_parquet(\"runs.parquet\")",
                        options.file));
    experiment::Queries queries(options.store);
    const QueryTable table = experiment::flat_table(queries);
    write_file(prepare_result_file(options.file), csv(table));
    fmt::print("{}: {} runs, {} columns\n", options.file, table.rows.size(), table.columns.size());
}

CLI::Option* add_store(CLI::App& command, std::string& to) {
    return command.add_option("--store", to, "the stored results: runs.sqlite of heddle reproduce")
        ->type_name("FILE")
        ->capture_default_str();
}

} // namespace

void add_query(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("query", "Reads stored results by SQL: heddle query \"SELECT ... FROM runs\"");
    command->footer(kQueryHelp);
    const auto options = std::make_shared<QueryOptions>();
    command->add_option("SQL", options->sql, "one SELECT statement of SQLite")->required();
    add_store(*command, options->store);
    auto* const as_csv = command->add_flag("--csv", options->csv, "print comma-separated values");
    command->add_flag("--json", options->json, "print a list of JSON objects")->excludes(as_csv);
    command->callback([options, &status] {
        query(*options);
        status = 0;
    });
}

void add_export(CLI::App& app, int& status) {
    auto* command = app.add_subcommand("export", "Writes all stored results as one table, a row a run");
    const auto options = std::make_shared<ExportOptions>();
    add_store(*command, options->store);
    command->add_option("-o,--output", options->file, "the table, as comma-separated values")
        ->type_name("FILE.csv")
        ->required();
    command->callback([options, &status] {
        export_all(*options);
        status = 0;
    });
}

} // namespace heddle::cli
