#include "jit_log.h"

#include <algorithm>
#include <cstring>

namespace heddle::cudart {
namespace {

enum Option { kWallTime = 2, kInformation, kInformationBytes, kErrors, kErrorBytes };

} // namespace

void JitLog::take(int option, void*& value) {
    const auto take_size = [&](Buffer& buffer) {
        buffer.bytes = &value;
        buffer.room = reinterpret_cast<std::size_t>(value) & 0xffff'ffff; // an unsigned int
    };
    switch (option) {
    case kWallTime:
        milliseconds_ = &value;
        break;
    case kInformation:
        information_.text = &value;
        break;
    case kInformationBytes:
        take_size(information_);
        break;
    case kErrors:
        errors_.text = &value;
        break;
    case kErrorBytes:
        take_size(errors_);
        break;
    default:
        break; // of a code generator
    }
}

void JitLog::add(std::string_view message) {
    messages_ += message;
    if (!message.ends_with('\n'))
        messages_ += '\n';
}

void JitLog::fill(const Buffer& buffer, std::string_view text) {
    std::size_t filled = 0;
    if (buffer.text != nullptr && *buffer.text != nullptr && buffer.room != 0) {
        filled = std::min(text.size(), buffer.room - 1);
        auto* const to = static_cast<char*>(*buffer.text);
        std::copy_n(text.data(), filled, to);
        to[filled] = 0;
    }
    if (buffer.bytes != nullptr)
        *buffer.bytes = reinterpret_cast<void*>(filled);
}

void JitLog::write() const {
    fill(information_, {});
    fill(errors_, messages_);
    if (milliseconds_ == nullptr)
        return;
    const std::chrono::duration<float, std::milli> passed = std::chrono::steady_clock::now() - begun_;
    const float time = passed.count();
    std::memcpy(milliseconds_, &time, sizeof time);
}

} // namespace heddle::cudart
