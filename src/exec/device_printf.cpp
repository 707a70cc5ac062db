#include "exec/device_printf.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <vector>

#include <fmt/format.h>

namespace heddle::exec {
namespace {

constexpr int kWidest = 1 << 16; // most characters of a field: bounds the memory that a wrong width takes

// A conversion: % flags width .precision size letter.
struct Conversion {
    std::string flags;
    int width = -1, precision = -1; // -1: none
    unsigned bytes = 4;             // of an integer in the argument list, where integers of 1 and 2 bytes have 4
    char letter = 0;
};

class Printer {
public:
    Printer(std::string_view format, const PrintSource& source) : rest_(format), source_(source) {}

    PrintResult run() {
        while (!rest_.empty()) {
            const std::size_t plain = std::min(rest_.find('%'), rest_.size());
            out_.text += rest_.substr(0, plain);
            rest_.remove_prefix(plain);
            if (!rest_.empty())
                convert();
        }
        return std::move(out_);
    }

private:
    bool skip(std::string_view word) {
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    std::uint64_t next(unsigned bytes) {
        ++out_.arguments;
        return source_.next(bytes);
    }
    // A number, or * for the next argument.
    int number() {
        if (skip("*"))
            return std::clamp(static_cast<int>(next(4)), -kWidest, kWidest);
        int n = 0;
        for (; !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; rest_.remove_prefix(1))
            n = std::min(n * 10 + (rest_[0] - '0'), kWidest);
        return n;
    }
    void read_size(Conversion& c) {
        if (skip("hh"))
            c.bytes = 1;
        else if (skip("h"))
            c.bytes = 2;
        else if (skip("ll") || skip("l") || skip("j") || skip("z") || skip("t") || skip("L"))
            c.bytes = 8;
    }

    void convert() {
        const std::string_view begin = rest_;
        rest_.remove_prefix(1);
        if (skip("%")) {
            out_.text += '%';
            return;
        }
        Conversion c;
        for (; !rest_.empty() && std::string_view("-+ #0").find(rest_[0]) != std::string_view::npos;
             rest_.remove_prefix(1))
            c.flags += rest_[0];
        c.width = number();
        if (c.width < 0) { // as the flag -
            c.flags += '-';
            c.width = -c.width;
        }
        if (skip("."))
            c.precision = std::max(number(), -1);
        read_size(c);
        c.letter = rest_.empty() ? '\0' : rest_[0];
        if (!rest_.empty())
            rest_.remove_prefix(1);
        if (!write(c))
            out_.text += begin.substr(0, begin.size() - rest_.size());
    }

    bool write(const Conversion& c) {
        switch (c.letter) {
        case 'd':
        case 'i':
            put(c, "ll", static_cast<long long>(signed_value(c)));
            return true;
        case 'u':
        case 'o':
        case 'x':
        case 'X':
            put(c, "ll", static_cast<unsigned long long>(unsigned_value(c)));
            return true;
        case 'c':
            put(c, "", static_cast<int>(next(4)));
            return true;
        case 'e':
        case 'E':
        case 'f':
        case 'F':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            put(c, "", std::bit_cast<double>(next(8)));
            return true;
        case 's':
            put(c, "", source_.text(next(8)).c_str());
            return true;
        case 'p':
            put(c, "", reinterpret_cast<void*>(next(8)));
            return true;
        case 'n':
            static_cast<void>(next(8));
            return true;
        default:
            return false;
        }
    }

    std::int64_t signed_value(const Conversion& c) {
        const std::uint64_t value = next(std::max(c.bytes, 4U));
        switch (c.bytes) {
        case 1:
            return static_cast<std::int8_t>(value);
        case 2:
            return static_cast<std::int16_t>(value);
        case 4:
            return static_cast<std::int32_t>(value);
        default:
            return static_cast<std::int64_t>(value);
        }
    }
    std::uint64_t unsigned_value(const Conversion& c) {
        const std::uint64_t value = next(std::max(c.bytes, 4U));
        return c.bytes == 8 ? value : value & ((std::uint64_t{1} << (8 * c.bytes)) - 1);
    }

    // The C library formats the argument, by a format made of the fields above.
    template <class T>
    void put(const Conversion& c, const char* size, T value) {
        const std::string width = c.width > 0 ? fmt::format("{}", c.width) : std::string();
        const std::string precision = c.precision >= 0 ? fmt::format(".{}", c.precision) : std::string();
        const std::string format = fmt::format("%{}{}{}{}{}", c.flags, width, precision, size, c.letter);
        const int length = std::snprintf(nullptr, 0, format.c_str(), value);
        std::vector<char> text(static_cast<std::size_t>(std::max(length, 0)) + 1);
        std::snprintf(text.data(), text.size(), format.c_str(), value);
        out_.text.append(text.data(), text.size() - 1);
    }

    std::string_view rest_;
    const PrintSource& source_;
    PrintResult out_;
};

} // namespace

PrintResult print(std::string_view format, const PrintSource& source) {
    return Printer(format, source).run();
}

} // namespace heddle::exec
