// Writes the page of tests/unit/report/sample_page.h for tests that look at it with a browser.
#include <cstdio>
#include <exception>

#include "unit/report/sample_page.h"

int main() {
    try {
        std::fputs(
            heddle::report::to_html(heddle::report::test::sample_page(), heddle::report::chart_library()).c_str(),
            stdout);
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
