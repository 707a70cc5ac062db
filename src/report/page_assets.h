// The page's own style and script, from src/report/page/: they are part of the program.
#pragma once

#include <string_view>

namespace heddle::report::assets {

extern const std::string_view page_css, dark_css, colours_js, charts_js, bars_js, lines_js, maps_js, tables_js, page_js,
    source_css, source_js;

} // namespace heddle::report::assets
