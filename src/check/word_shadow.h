// Histories of the words of the device's memory, made when they are first accessed.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "base/types.h"
#include "check/history.h"

namespace heddle::check {

class WordShadow {
public:
    // The word that holds an address.
    [[nodiscard]] Histories::Word& at(Address address);
    void clear();

private:
    static constexpr Address kPage = 4096; // bytes
    using Page = std::vector<Histories::Word>;

    std::unordered_map<Address, Page> pages_; // by number
    Address last_ = ~Address{0};              // looked up last
    Page* last_page_ = nullptr;
};

} // namespace heddle::check
