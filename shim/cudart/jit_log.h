// What a program wants to be told of a compilation of PTX: its messages, their size and the time it took. The numbers
// of the options of the runtime (cudaJitOption) and of the driver (CUjit_option) are the same.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace heddle::cudart {

class JitLog {
public:
    JitLog() = default;
    // The program's options and values, which have to live as long as the log. A value is a pointer, or a number in its
    // low bytes.
    template <class Option>
    JitLog(const Option* options, void** values, unsigned count) {
        for (unsigned i = 0; i < count && options != nullptr && values != nullptr; ++i)
            take(static_cast<int>(options[i]), values[i]);
    }

    // A message about an error.
    void add(std::string_view message);
    // Fills the program's buffers and sets the size of what is in them, without the null byte at the end: what was
    // added so far. heddle has nothing to tell but errors.
    void write() const;

private:
    struct Buffer {
        void** text = nullptr; // null: the program has no such buffer
        void** bytes = nullptr;
        std::size_t room = 0;
    };
    void take(int option, void*& value);
    static void fill(const Buffer& buffer, std::string_view text);

    Buffer information_, errors_;
    void** milliseconds_ = nullptr;
    std::string messages_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
};

} // namespace heddle::cudart
