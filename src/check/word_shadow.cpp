#include "check/word_shadow.h"

namespace heddle::check {

Histories::Word& WordShadow::at(Address address) {
    const Address number = address / kPage;
    if (number != last_) {
        Page& page = pages_[number];
        if (page.empty())
            page.resize(kPage / 4);
        last_ = number;
        last_page_ = &page;
    }
    return (*last_page_)[address % kPage / 4];
}

void WordShadow::clear() {
    pages_.clear();
    last_ = ~Address{0};
}

} // namespace heddle::check
