#include "experiment/queries.h"

#include <algorithm>
#include <sqlite3.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/source.h"
#include "base/suggest.h"
#include "config/parameter.h"

namespace heddle::experiment {

using Json = nlohmann::json;

namespace {

class OpenStatement {
public:
    OpenStatement(sqlite3* database, const std::string& sql) {
        code_ = sqlite3_prepare_v2(database, sql.c_str(), static_cast<int>(sql.size()), &statement_, &tail_);
    }
    ~OpenStatement() {
        sqlite3_finalize(statement_);
    }
    OpenStatement(const OpenStatement&) = delete;
    OpenStatement& operator=(const OpenStatement&) = delete;

    [[nodiscard]] bool prepared() const {
        return code_ == SQLITE_OK;
    }
    [[nodiscard]] sqlite3_stmt* get() const {
        return statement_;
    }
    // What follows the first statement.
    [[nodiscard]] std::string_view tail() const {
        return tail_ == nullptr ? "" : tail_;
    }
    [[nodiscard]] QueryCell cell(int column) const {
        switch (sqlite3_column_type(statement_, column)) {
        case SQLITE_NULL:
            return {};
        case SQLITE_INTEGER:
            return std::int64_t{sqlite3_column_int64(statement_, column)};
        case SQLITE_FLOAT:
            return sqlite3_column_double(statement_, column);
        case SQLITE_BLOB:
            return fmt::format("({} bytes)", sqlite3_column_bytes(statement_, column));
        default:
            return std::string(reinterpret_cast<const char*>(sqlite3_column_text(statement_, column)),
                               static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
        }
    }

private:
    sqlite3_stmt* statement_ = nullptr;
    const char* tail_ = nullptr;
    int code_ = SQLITE_OK;
};

std::string text_of_argument(sqlite3_value* value) {
    const unsigned char* const text = sqlite3_value_text(value);
    return text == nullptr ? std::string() : reinterpret_cast<const char*>(text);
}

std::filesystem::path existing(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::exists(path, error))
        throw UserError(
            fmt::format("{}: there is no such store; `heddle reproduce` makes it (DIR/runs.sqlite of its -o "
                        "DIR, or its --store FILE)",
                        path.string()));
    return path;
}

bool is_blank(std::string_view text) {
    return text.find_first_not_of(" \t\r\n;") == std::string_view::npos;
}

} // namespace

Queries::Queries(const std::filesystem::path& store) : store_(existing(store), Store::Mode::read) {
    make_view();
    add_functions();
    refuse_changes();
}

Queries::~Queries() = default;

void Queries::execute(const std::string& sql) {
    if (sqlite3_exec(store_.database(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
        throw UserError(sqlite3_errmsg(store_.database()));
}

// A view of this connection: the file does not change. Stores of earlier revisions have no descriptions, and may have
// fewer columns.
void Queries::make_view() {
    std::string description, join, others;
    const bool described = !run("SELECT 1 FROM main.sqlite_master WHERE name = 'descriptions'").rows.empty();
    for (const char* const column : {"experiment", "program", "arguments", "machine", "setting", "point", "seed"})
        description += fmt::format("{} AS {}, ", described ? fmt::format("d.{}", column) : "NULL", column);
    if (described)
        join = "LEFT JOIN main.descriptions d ON d.key = r.key";
    const std::vector<std::string> listed{"key", "version", "label", "failure", "seconds", "finished", "result"};
    for (const auto& row : run("SELECT name FROM pragma_table_info('runs')").rows)
        if (const std::string& name = std::get<std::string>(row.front());
            std::find(listed.begin(), listed.end(), name) == listed.end())
            others += fmt::format(", r.\"{}\"", name);
    execute(fmt::format("CREATE TEMP VIEW runs AS SELECT r.rowid AS run, r.key, r.version, r.label, {}"
                        "CASE r.failure WHEN '' THEN 'complete' ELSE 'failed' END AS status, r.failure, r.seconds, "
                        "r.finished{} FROM main.runs r {}",
                        description, others, join));
}

template <void (Queries::*function)(sqlite3_context*, Queries::Arguments)>
void Queries::call(sqlite3_context* context, int, Arguments arguments) {
    try {
        (static_cast<Queries*>(sqlite3_user_data(context))->*function)(context, arguments);
    } catch (const std::exception& e) {
        sqlite3_result_error(context, e.what(), -1);
    }
}

void Queries::add_functions() {
    const auto add = [&](const char* name, int arguments, void (*function)(sqlite3_context*, int, Arguments)) {
        sqlite3_create_function_v2(store_.database(), name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC, this,
                                   function, nullptr, nullptr, nullptr);
    };
    add("value", 2, &call<&Queries::value_of>);
    add("parameter", 2, &call<&Queries::parameter_of>);
    add("document", 1, &call<&Queries::document_of>);
}

void Queries::refuse_changes() {
    const auto decide = [](void* self, int action, const char*, const char*, const char*, const char*) {
        const bool reads =
            action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE;
        if (!reads)
            static_cast<Queries*>(self)->refused_ = true;
        return reads ? SQLITE_OK : SQLITE_DENY;
    };
    sqlite3_set_authorizer(store_.database(), decide, this);
}

// With SQLite's message, or in plain words where the statement is more than a SELECT. Some are refused only when they
// run (VACUUM), and a view never comes to the authorizer.
void Queries::fail() const {
    const std::string message = sqlite3_errmsg(store_.database());
    if (refused_ || message.starts_with("cannot modify"))
        throw UserError("a query only reads: it is a SELECT, and cannot change the store");
    throw UserError(message);
}

QueryTable Queries::run(const std::string& sql) {
    refused_ = false;
    const OpenStatement statement(store_.database(), sql);
    if (!statement.prepared())
        fail();
    if (statement.get() == nullptr)
        throw UserError("the query is empty; it is a SELECT, as in \"SELECT label, status FROM runs\"");
    if (!is_blank(statement.tail()))
        throw UserError(fmt::format("a query is one statement; what follows it: '{}'", statement.tail()));
    QueryTable out;
    const int columns = sqlite3_column_count(statement.get());
    for (int c = 0; c < columns; ++c)
        out.columns.emplace_back(sqlite3_column_name(statement.get(), c));
    int code = SQLITE_OK;
    while ((code = sqlite3_step(statement.get())) == SQLITE_ROW) {
        std::vector<QueryCell>& row = out.rows.emplace_back();
        for (int c = 0; c < columns; ++c)
            row.push_back(statement.cell(c));
    }
    if (code != SQLITE_DONE)
        fail();
    return out;
}

// Several functions of a row read one result: it is kept until another is read.
const Json* Queries::document(std::int64_t run) {
    if (run != run_) {
        run_ = run;
        document_.reset();
        if (const std::string text = store_.result_of_row(run); !text.empty()) {
            document_ = std::make_unique<Json>(Json::parse(text, nullptr, false));
            if (document_->is_discarded()) {
                run_ = -1;
                throw UserError(fmt::format("the stored result of run {} is damaged; --rerun replaces it", run));
            }
        }
    }
    return document_.get();
}

// value(run, FORMULA)
void Queries::value_of(sqlite3_context* context, Arguments arguments) {
    const std::string text = text_of_argument(arguments[1]);
    const auto at = formulas_.find(text);
    const Formula& formula =
        at != formulas_.end()
            ? at->second
            : formulas_.emplace(text, Formula(text, fmt::format("value(run, '{}')", text), {1, 1})).first->second;
    if (const Json* const of = document(sqlite3_value_int64(arguments[0])))
        sqlite3_result_double(context, formula.evaluate(*of));
}

// parameter(run, KEY)
void Queries::parameter_of(sqlite3_context* context, Arguments arguments) {
    const std::string key = text_of_argument(arguments[1]);
    if (config::find_parameter(key) == nullptr)
        throw UserError(fmt::format("there is no parameter '{}'{}", key,
                                    did_you_mean(key, config::parameter_keys(key.substr(0, key.rfind('.'))))));
    const Json* const of = document(sqlite3_value_int64(arguments[0]));
    if (of == nullptr || !of->contains("config") || !(*of)["config"].contains(key))
        return;
    const Json& value = (*of)["config"][key].at("value");
    if (value.is_string())
        sqlite3_result_text(context, value.get_ref<const std::string&>().c_str(), -1, SQLITE_TRANSIENT);
    else if (value.is_number_float())
        sqlite3_result_double(context, value.get<double>());
    else
        sqlite3_result_int64(context, value.is_boolean() ? value.get<bool>() : value.get<std::int64_t>());
}

// document(run)
void Queries::document_of(sqlite3_context* context, Arguments arguments) {
    const std::string text = store_.result_of_row(sqlite3_value_int64(arguments[0]));
    if (!text.empty())
        sqlite3_result_text(context, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

} // namespace heddle::experiment
