#include <gtest/gtest.h>

#include "base/divider.h"

namespace heddle {
namespace {

constexpr std::uint64_t kEnd = std::uint64_t{1} << 63; // of what may be divided

// Around multiples of the divisor, where a quotient that is off by one shows.
void expect_divides(std::uint64_t divisor) {
    const Divider divider(divisor);
    for (const std::uint64_t most : {std::uint64_t{1}, std::uint64_t{1000}, kEnd / divisor})
        for (const std::uint64_t multiple : {most * divisor, (most + 1) / 2 * divisor})
            for (std::uint64_t n = multiple < 2 ? 0 : multiple - 2; n < multiple + 3 && n < kEnd; ++n) {
                EXPECT_EQ(divider.quotient(n), n / divisor) << n << " / " << divisor;
                EXPECT_EQ(divider.remainder(n), n % divisor) << n << " / " << divisor;
            }
    EXPECT_EQ(divider.quotient(kEnd - 1), (kEnd - 1) / divisor);
}

TEST(Divider, DividesAsTheHostDoes) {
    for (std::uint64_t divisor = 1; divisor < 300; ++divisor)
        expect_divides(divisor);
    for (unsigned bit = 0; bit < 63; ++bit)
        for (const std::uint64_t beside : {0U, 1U})
            expect_divides((std::uint64_t{1} << bit) + beside);
    for (const std::uint64_t divisor : {std::uint64_t{924000}, std::uint64_t{1000003}, kEnd - 1, ~std::uint64_t{0}})
        expect_divides(divisor);
}

} // namespace
} // namespace heddle
