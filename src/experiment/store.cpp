#include "experiment/store.h"

#include <cstring>
#include <sqlite3.h>
#include <zstd.h>

#include <fmt/format.h>

#include "base/source.h"
#include "experiment/unpack.h"

namespace heddle::experiment {

namespace fs = std::filesystem;

namespace {

constexpr int kSchema = 2;                // PRAGMA user_version; 1 had no column `megabytes`
constexpr int kWaitMilliseconds = 60'000; // wait for another process that writes

std::string compressed(const std::string& text) {
    std::string out(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 6);
    if (ZSTD_isError(size) != 0)
        throw UserError(fmt::format("a result cannot be compressed: {}", ZSTD_getErrorName(size)));
    out.resize(size);
    return out;
}

std::string decompressed(std::string_view bytes, const fs::path& path) {
    if (auto text = unpack(bytes))
        return *std::move(text);
    throw UserError(fmt::format("{}: a stored result is damaged; --rerun replaces it", path.string()));
}

// Words with spaces between them, in quotes where a shell would want them.
std::string shell_words(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        const bool plain = !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[]{}()<>|&;#~!") == std::string::npos;
        out += out.empty() ? "" : " ";
        if (plain) {
            out += word;
            continue;
        }
        out += '\'';
        for (const char c : word)
            out += c == '\'' ? std::string("'\\''") : std::string(1, c);
        out += '\'';
    }
    return out;
}

} // namespace

// A prepared statement; parameters are bound in order.
class Store::Statement {
public:
    Statement(const Store& store, const char* sql) : store_(store) {
        if (const int code = sqlite3_prepare_v2(store.database_, sql, -1, &statement_, nullptr); code != SQLITE_OK)
            store.fail(code);
    }
    ~Statement() {
        sqlite3_finalize(statement_);
    }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void bind(const std::string& text) {
        check(sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
    }
    void bind(double number) {
        check(sqlite3_bind_double(statement_, ++bound_, number));
    }
    void bind(std::int64_t number) {
        check(sqlite3_bind_int64(statement_, ++bound_, number));
    }
    void bind_null() {
        check(sqlite3_bind_null(statement_, ++bound_));
    }
    // Ready for other values.
    void reset() {
        check(sqlite3_reset(statement_));
        bound_ = 0;
    }
    void bind_blob(const std::string& bytes) {
        check(sqlite3_bind_blob64(statement_, ++bound_, bytes.data(), bytes.size(), SQLITE_TRANSIENT));
    }
    // Whether there is a row.
    bool step() {
        const int code = sqlite3_step(statement_);
        if (code != SQLITE_ROW && code != SQLITE_DONE)
            store_.fail(code);
        return code == SQLITE_ROW;
    }
    [[nodiscard]] std::string text(int column) const {
        const void* const bytes = sqlite3_column_blob(statement_, column);
        const int size = sqlite3_column_bytes(statement_, column);
        return bytes == nullptr ? std::string()
                                : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
    }
    [[nodiscard]] double number(int column) const {
        return sqlite3_column_double(statement_, column);
    }

private:
    void check(int code) const {
        if (code != SQLITE_OK)
            store_.fail(code);
    }

    const Store& store_;
    sqlite3_stmt* statement_ = nullptr;
    int bound_ = 0;
};

// SQLite's message, with the system's where that is more precise: "disk I/O error" may be a full disk.
void Store::fail(int code) const {
    std::string why = database_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(database_);
    const int system = database_ == nullptr ? 0 : sqlite3_system_errno(database_);
    const int kind = code & 0xff;
    if (system != 0 && (kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN))
        why += fmt::format(" ({})", std::strerror(system));
    if (kind == SQLITE_NOTADB || kind == SQLITE_CORRUPT)
        why += "; move it away to begin anew";
    if (kind == SQLITE_FULL || kind == SQLITE_IOERR)
        why += "; what was stored before is kept";
    throw UserError(fmt::format("{}: {}", path_.string(), why));
}

Store::Store(const fs::path& path, Mode mode) : path_(path) {
    const int flags = mode == Mode::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    try {
        if (const int code = sqlite3_open_v2(path.c_str(), &database_, flags, nullptr); code != SQLITE_OK)
            fail(code);
        sqlite3_busy_timeout(database_, kWaitMilliseconds);
        prepare_schema(mode);
    } catch (...) {
        sqlite3_close(database_);
        throw;
    }
}

Store::~Store() {
    sqlite3_close(database_);
}

void Store::execute(const char* sql) const {
    if (const int code = sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); code != SQLITE_OK)
        fail(code);
}

int Store::schema() const {
    Statement query(*this, "PRAGMA user_version");
    const int version = query.step() ? static_cast<int>(query.number(0)) : 0;
    if (version > kSchema)
        throw UserError(fmt::format("{}: of another version of heddle (layout {}, not {}); move it away to begin anew",
                                    path_.string(), version, kSchema));
    return version;
}

// The default journal, not a write-ahead log: a database in a folder that cannot be written can still be read.
void Store::prepare_schema(Mode mode) {
    if (mode == Mode::read) {
        const int version = schema();
        if (version == 0)
            throw UserError(fmt::format("{}: holds no results of heddle", path_.string()));
        has_memory_ = version > 1;
        return;
    }
    // Also if the tables exist: a folder that cannot be written is reported before anything runs.
    execute("BEGIN IMMEDIATE;"
            "CREATE TABLE IF NOT EXISTS runs (key TEXT NOT NULL, version TEXT NOT NULL, failure TEXT NOT NULL,"
            " label TEXT NOT NULL, seconds REAL NOT NULL, finished TEXT NOT NULL, result BLOB NOT NULL,"
            " megabytes REAL NOT NULL DEFAULT 0, PRIMARY KEY (key, version))");
    execute("CREATE TABLE IF NOT EXISTS descriptions (key TEXT NOT NULL PRIMARY KEY, experiment TEXT NOT NULL,"
            " program TEXT NOT NULL, arguments TEXT NOT NULL, machine TEXT NOT NULL, setting TEXT NOT NULL,"
            " point TEXT NOT NULL, seed INTEGER)");
    if (schema() == 1)
        execute("ALTER TABLE runs ADD COLUMN megabytes REAL NOT NULL DEFAULT 0");
    execute("PRAGMA user_version = 2; COMMIT");
    claims_.emplace(path_.string() + "-claims");
}

std::optional<StoredRun> Store::find(const std::string& key, const std::string& version) const {
    const std::string columns =
        fmt::format("SELECT version, failure, label, seconds, result, {} FROM runs", has_memory_ ? "megabytes" : "0");
    Statement query(*this, (columns + (version.empty() ? " WHERE key = ? ORDER BY finished DESC, rowid DESC"
                                                       : " WHERE key = ? AND version = ?"))
                               .c_str());
    query.bind(key);
    if (!version.empty())
        query.bind(version);
    if (!query.step())
        return std::nullopt;
    StoredRun out{key, query.text(0), query.text(1), query.text(2), query.number(3), query.text(4), query.number(5)};
    if (!out.result.empty())
        out.result = decompressed(out.result, path_);
    return out;
}

std::optional<std::string> Store::failure(const std::string& key, const std::string& version) const {
    Statement query(*this, version.empty() ? "SELECT failure FROM runs WHERE key = ? ORDER BY finished DESC, rowid DESC"
                                           : "SELECT failure FROM runs WHERE key = ? AND version = ?");
    query.bind(key);
    if (!version.empty())
        query.bind(version);
    return query.step() ? std::optional(query.text(0)) : std::nullopt;
}

std::string Store::result_of_row(std::int64_t row) const {
    Statement query(*this, "SELECT result FROM main.runs WHERE rowid = ?");
    query.bind(row);
    const std::string bytes = query.step() ? query.text(0) : std::string();
    return bytes.empty() ? bytes : decompressed(bytes, path_);
}

std::optional<Cost> Store::cost(const std::string& key) const {
    Statement query(*this, has_memory_ ? "SELECT seconds, megabytes FROM runs WHERE key = ? ORDER BY finished DESC"
                                       : "SELECT seconds, 0 FROM runs WHERE key = ? ORDER BY finished DESC");
    query.bind(key);
    return query.step() ? std::optional(Cost{query.number(0), query.number(1)}) : std::nullopt;
}

bool Store::claim(const std::string& key) {
    const Claims::Answer answer = claims_->claim(key);
    if (answer == Claims::Answer::no_locks)
        throw UserError(
            fmt::format("{}: the file system has no locks; keep the store on a disk of this computer", path_.string()));
    return answer == Claims::Answer::held;
}

void Store::release(const std::string& key) {
    claims_->release(key);
}

void Store::put(const StoredRun& run) {
    Statement insert(*this, "INSERT OR REPLACE INTO runs (key, version, failure, label, seconds, finished, result,"
                            " megabytes) VALUES (?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), ?, ?)");
    insert.bind(run.key);
    insert.bind(run.version);
    insert.bind(run.failure);
    insert.bind(run.label);
    insert.bind(run.seconds);
    insert.bind_blob(run.result.empty() ? std::string() : compressed(run.result));
    insert.bind(run.megabytes);
    (void)insert.step();
}

// One transaction: a sweep has thousands of runs.
void Store::describe(const std::vector<RunDescription>& all) {
    execute("BEGIN IMMEDIATE");
    {
        Statement insert(*this, "INSERT OR REPLACE INTO descriptions (key, experiment, program, arguments, machine,"
                                " setting, point, seed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        for (const RunDescription& one : all) {
            for (const std::string* text : {&one.key, &one.experiment, &one.program})
                insert.bind(*text);
            insert.bind(shell_words(one.arguments));
            for (const std::string* text : {&one.machine, &one.setting, &one.point})
                insert.bind(*text);
            if (one.seed)
                insert.bind(static_cast<std::int64_t>(*one.seed));
            else
                insert.bind_null();
            (void)insert.step();
            insert.reset();
        }
    }
    execute("COMMIT");
}

} // namespace heddle::experiment
