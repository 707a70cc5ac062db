#include "common/command_line.h"

#include <cstdio>
#include <cstdlib>

#include <CLI/CLI.hpp>

namespace workload {

namespace {

constexpr std::uint64_t kMostThreads = 1u << 24;
constexpr const char* kTiles = "tiles";
constexpr const char* kTurns = "turns";

std::string default_text(std::uint64_t amount) {
    if (amount == 0)
        return "one for every item";
    return amount == kDeviceThreads ? "as many as the device holds" : std::to_string(amount);
}

} // namespace

struct CommandLine::Parser {
    explicit Parser(const char* program, const char* summary) : app(summary, program) {
        // Experiments add arguments to those that a program has already.
        app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    }

    CLI::App app;
    Options options;
    std::string deal; ///< empty: what the suite has
};

CommandLine::CommandLine(const char* program, const char* summary, std::vector<Suite> suites)
    : parser_(std::make_unique<Parser>(program, summary)), suites_(std::move(suites)) {
    parser_->options.suite = suites_.front().name;
    parser_->app.add_flag("--quick", parser_->options.quick, "a small input, for tests");
    if (suites_.size() > 1) {
        std::vector<std::string> names;
        for (const Suite& suite : suites_)
            names.emplace_back(suite.name);
        parser_->app.add_option("--suite", parser_->options.suite, "the paper whose input is run")
            ->check(CLI::IsMember(names))
            ->capture_default_str();
    }
}

CommandLine::~CommandLine() = default;

template <typename Text>
std::string CommandLine::defaults(Text text_of) const {
    std::string text = "; default: ";
    for (const Suite& suite : suites_) {
        if (&suite != &suites_.front())
            text += ", ";
        if (suites_.size() > 1)
            text += std::string(suite.name) + " ";
        text += text_of(suite);
    }
    return text;
}

std::string CommandLine::defaults(std::uint64_t Amount::*field) const {
    return defaults([field](const Suite& suite) {
        const std::uint64_t value = suite.paper.*field;
        const std::uint64_t quick = suite.quick.*field;
        return default_text(value) + (quick != value ? " (quick " + default_text(quick) + ")" : "");
    });
}

CommandLine& CommandLine::size(const char* meaning, std::uint64_t least, std::uint64_t most) {
    parser_->app.add_option("--size", parser_->options.amount.size, meaning + defaults(&Amount::size))
        ->check(CLI::Range(least, most).description(""));
    return *this;
}

CommandLine& CommandLine::threads() {
    parser_->app
        .add_option("--threads", parser_->options.amount.threads,
                    "threads of the whole grid, rounded up to whole blocks; they share the input" +
                        defaults(&Amount::threads))
        ->check(CLI::Range(std::uint64_t{1}, kMostThreads).description(""));
    return *this;
}

CommandLine& CommandLine::block(unsigned preferred) {
    parser_->app
        .add_option("--block", parser_->options.block,
                    "threads of a block; default: " + std::to_string(preferred) +
                        ", or the most the device takes where that is less")
        ->check(CLI::Range(1u, 1024u).description(""));
    return *this;
}

CommandLine& CommandLine::seed() {
    parser_->app.add_option("--seed", parser_->options.seed, "seed of the input generator")->capture_default_str();
    return *this;
}

CommandLine& CommandLine::iterations(const char* meaning) {
    parser_->app
        .add_option("--iterations", parser_->options.amount.iterations, meaning + defaults(&Amount::iterations))
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000}).description(""));
    return *this;
}

CommandLine& CommandLine::deal() {
    const auto name_of = [](const Suite& suite) { return std::string(suite.deal == Deal::Tiles ? kTiles : kTurns); };
    parser_->app
        .add_option(
            "--deal", parser_->deal,
            "how a kernel's items are dealt to threads: tiles, a contiguous piece each, or turns, one after the "
            "other" +
                defaults(name_of))
        ->check(CLI::IsMember({kTiles, kTurns}));
    return *this;
}

CommandLine& CommandLine::flag(const char* name, bool& value, const char* meaning) {
    parser_->app.add_flag(name, value, meaning);
    return *this;
}

CommandLine& CommandLine::text(const char* name, std::string& value, const char* meaning) {
    parser_->app.add_option(name, value, meaning);
    return *this;
}

CommandLine& CommandLine::number(const char* name, std::uint64_t& value, std::uint64_t least, std::uint64_t most,
                                 const char* meaning) {
    parser_->app.add_option(name, value, meaning)->check(CLI::Range(least, most).description(""));
    return *this;
}

Options CommandLine::parse(int argc, char** argv) {
    CLI::App& app = parser_->app;
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        std::fputs(app.help().c_str(), stdout);
        std::exit(EXIT_SUCCESS);
    } catch (const CLI::ParseError& error) {
        std::fprintf(stderr, "%s: error: %s\n%s --help lists the options\n", app.get_name().c_str(), error.what(),
                     app.get_name().c_str());
        std::exit(EXIT_FAILURE);
    }

    Options options = parser_->options;
    for (const Suite& suite : suites_) {
        if (options.suite != suite.name)
            continue;
        const Amount& amount = options.quick ? suite.quick : suite.paper;
        const auto given = [&](const char* name) {
            const CLI::Option* option = app.get_option_no_throw(name);
            return option != nullptr && option->count() != 0;
        };
        if (!given("--size"))
            options.amount.size = amount.size;
        if (!given("--threads"))
            options.amount.threads = amount.threads;
        if (!given("--iterations"))
            options.amount.iterations = amount.iterations;
        options.deal = suite.deal;
        if (!parser_->deal.empty())
            options.deal = parser_->deal == kTiles ? Deal::Tiles : Deal::Turns;
    }
    return options;
}

} // namespace workload
