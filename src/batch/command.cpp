#include "batch/command.h"

#include <algorithm>
#include <cctype>
#include <future>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/process/args.hpp>
#include <boost/process/async.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <fmt/format.h>

namespace heddle::batch {

namespace process = boost::process;

constexpr const char* kEnv = "/usr/bin/env"; // looks the command up in PATH; status 127: there is none

std::string CommandResult::complaint() const {
    std::string text = errors.empty() ? output : errors;
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.pop_back();
    return text.substr(text.rfind('\n') + 1); // npos + 1 is 0
}

CommandResult run_command(const std::vector<std::string>& words) {
    boost::asio::io_context io;
    std::future<std::string> output, errors;
    std::error_code error;
    process::child child(
        process::exe = kEnv, process::args = words, process::std_in<process::null, process::std_out> output,
        process::std_err > errors, io, error,
        process::extend::on_exec_setup = [](auto&) { (void)setpgid(0, 0); }); // Ctrl-C is not for it
    if (error)
        return {127, "", fmt::format("{}: {}", kEnv, error.message())};
    io.run();
    child.wait(error);
    return {child.exit_code(), output.get(), errors.get()};
}

std::string quoted(const std::string& word) {
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("%+,-./:=@_").find(c) < 11;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain))
        return word;
    std::string out = "'";
    for (const char c : word)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string quoted(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words)
        out += (out.empty() ? "" : " ") + quoted(word);
    return out;
}

} // namespace heddle::batch
