#include <gmock/gmock.h>

#include "report/markdown.h"

namespace heddle::report {
namespace {

using html::markdown;

TEST(Markdown, MarksUpWhatNotesUse) {
    EXPECT_EQ(markdown("a `b<c>` d"), "a <code>b&lt;c&gt;</code> d");
    EXPECT_EQ(markdown("``a`b``"), "<code>a`b</code>");
    EXPECT_EQ(markdown("*a b*, **c**."), "<em>a b</em>, <strong>c</strong>.");
    EXPECT_EQ(markdown("**a `*` b**"), "<strong>a <code>*</code> b</strong>");
    EXPECT_EQ(markdown("\\*a\\*"), "*a*");
    EXPECT_EQ(markdown(""), "");
}

TEST(Markdown, LinksToFilesOfTheTreeNameThem) {
    EXPECT_EQ(markdown("[workloads](../../docs/workloads.md#inputs)."), "workloads (<code>docs/workloads.md</code>).");
    EXPECT_EQ(markdown("[above](#lwm11-8)"), "above");
    EXPECT_EQ(markdown("[`a`](https://example.org/?a=1&b=2)"),
              "<a href=\"https://example.org/?a=1&amp;b=2\"><code>a</code></a>");
}

TEST(Markdown, LinksRunNothing) {
    EXPECT_EQ(markdown("[a](javascript:alert)"), "a (<code>javascript:alert</code>)");
    EXPECT_EQ(markdown("[a](https://x\"onclick=\"y)"), "<a href=\"https://x&quot;onclick=&quot;y\">a</a>");
    EXPECT_EQ(markdown("<script>&"), "&lt;script&gt;&amp;");
}

TEST(Markdown, DelimitersWithoutAPartnerAreText) {
    for (const char* const text : {"a ` b", "a``b`", "3 * 4 * 5", "2*3*4", "a *b", "*", "**", "***", "* a*", "[a] (b)",
                                   "[a](b", "[a", "\\", "a\\b", "x_y_z"})
        EXPECT_EQ(markdown(text), text);
}

} // namespace
} // namespace heddle::report
