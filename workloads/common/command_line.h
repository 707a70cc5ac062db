// The options all workloads share. Host code only; it runs before the first call of the CUDA runtime, so that --help
// and a wrong option need no device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace workload {

/// Amount::threads: as many as the device holds at once, whatever it is.
constexpr std::uint64_t kDeviceThreads = ~std::uint64_t{0};

/// How much work a run does. `size` counts what the program's --help says; `threads` is the total over all blocks,
/// 0: one for every item, or kDeviceThreads.
struct Amount {
    std::uint64_t size;
    std::uint64_t threads;
    std::uint64_t iterations;
};

/// Which items of a parallel loop a thread takes: one contiguous piece, or every so many'th.
enum class Deal { Turns, Tiles };

/// The input of one suite (lwm, dwf, maws, pro, micro), and the small one that --quick selects.
struct Suite {
    const char* name;
    Amount paper;
    Amount quick;
    Deal deal = Deal::Turns;
};

/// What the command line asked for, with the suite's amounts where it was silent.
struct Options {
    Amount amount{};
    unsigned block = 0; ///< threads of a block; 0: choose from the device
    std::uint64_t seed = 1;
    std::string suite;
    Deal deal = Deal::Turns;
    bool quick = false;
};

class CommandLine {
public:
    /// The first of `suites` is the default one. Offers --help, --quick and, with several suites, --suite.
    CommandLine(const char* program, const char* summary, std::vector<Suite> suites);
    ~CommandLine();

    /// Each offers one option of the same name; an option that a program does not offer is an error of its user.
    CommandLine& size(const char* meaning, std::uint64_t least, std::uint64_t most);
    CommandLine& threads();
    CommandLine& block(unsigned preferred = 256); ///< what the program gives block_threads()
    CommandLine& seed();
    CommandLine& iterations(const char* meaning);
    CommandLine& deal();

    /// Options of one program. `value` must live until parse() and keeps what it has when the option is absent.
    CommandLine& flag(const char* name, bool& value, const char* meaning);
    CommandLine& text(const char* name, std::string& value, const char* meaning);
    CommandLine& number(const char* name, std::uint64_t& value, std::uint64_t least, std::uint64_t most,
                        const char* meaning);

    /// Prints the help and exits with 0, or says what is wrong and exits with 1, where the arguments ask for it.
    Options parse(int argc, char** argv);

private:
    /// "; default: 1024 (quick 32)", or "; default: lwm 1024, dwf one for every item".
    template <typename Text>
    std::string defaults(Text text_of) const;
    std::string defaults(std::uint64_t Amount::*field) const;

    struct Parser;
    std::unique_ptr<Parser> parser_;
    std::vector<Suite> suites_;
};

} // namespace workload
