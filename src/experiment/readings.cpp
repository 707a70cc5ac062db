#include "experiment/readings.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "experiment/published.h"
#include "report/csv.h"
#include "report/figure_text.h"

namespace heddle::experiment {

namespace {

using report::Figure;
using report::FigureKind;
using report::Series;

const Alternative& alternative_of(const Experiment& experiment, const Choice& choice) {
    return experiment.readings[choice.reading].alternatives[choice.alternative];
}

// Letters, digits, '-' and '.' of a name, as an id needs them.
std::string id_of(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '-');
    return text;
}

void apply(const Alternative& alternative, Program& program) {
    if (!alternative.programs.empty() &&
        std::find(alternative.programs.begin(), alternative.programs.end(), program.name) == alternative.programs.end())
        return;
    program.arguments.insert(program.arguments.end(), alternative.arguments.begin(), alternative.arguments.end());
    if (!alternative.variant.empty() && program.is_workload())
        program.variant = alternative.variant == "usual" ? "" : alternative.variant;
}

void apply(const Alternative& alternative, Experiment& experiment) {
    for (Setting& setting : experiment.settings)
        setting.settings.insert(setting.settings.begin() + static_cast<std::ptrdiff_t>(experiment.common),
                                alternative.settings.begin(), alternative.settings.end());
    experiment.common += alternative.settings.size();
    for (Program& program : experiment.programs)
        apply(alternative, program);
    for (MeanColumn& mean : experiment.means)
        mean.mean = alternative.mean.value_or(mean.mean);
}

// How far a value is from the default's, relative to the greater of the two.
double move_of(const Band& band, const Band::Moved& moved) {
    if (!band.row.value || !moved.value)
        return 0;
    const double size = std::max(std::abs(*band.row.value), std::abs(*moved.value));
    return size == 0 ? 0 : std::abs(*moved.value - *band.row.value) / size;
}

std::string title_of(const report::PublishedRow& row) {
    return row.versus.empty() ? fmt::format("{}, {}", row.quantity, row.subject)
                              : fmt::format("{}, {}, {}", row.quantity, row.subject, row.versus);
}

Figure make_figure(const Experiment& experiment, const std::string& id, const std::string& title) {
    Figure out;
    out.id = experiment.id + "-" + id;
    out.title = experiment.title + ": " + title;
    out.kind = FigureKind::bands;
    for (const char* name : {"lowest", "highest", "here", "published"})
        out.series.push_back({name, "", {}, {}});
    return out;
}

void add_category(Figure& figure, const std::string& name, const std::vector<std::optional<double>>& values) {
    figure.categories.push_back(name);
    for (std::size_t i = 0; i < values.size(); ++i)
        figure.series[i].values.push_back(values[i]);
}

std::optional<double> extreme(const Band& band, bool highest) {
    std::optional<double> out = band.row.value;
    for (const Band::Moved& moved : band.moved)
        if (moved.value && (!out || (highest ? *moved.value > *out : *moved.value < *out)))
            out = moved.value;
    return out;
}

// What the single choices do to one value.
Figure tornado(const Experiment& experiment, const Band& band) {
    Figure out = make_figure(experiment, "tornado", "what each reading does to " + title_of(band.row));
    out.unit = band.row.unit;
    out.category = "reading";
    std::vector<const Band::Moved*> singles;
    for (const Band::Moved& moved : band.moved)
        if (moved.choices.size() == 1 && moved.value)
            singles.push_back(&moved);
    std::stable_sort(singles.begin(), singles.end(), [&](const Band::Moved* a, const Band::Moved* b) {
        return std::abs(*a->value - *band.row.value) > std::abs(*b->value - *band.row.value);
    });
    for (const Band::Moved* moved : singles)
        add_category(out, name_of(experiment, moved->choices),
                     {std::min(*moved->value, *band.row.value), std::max(*moved->value, *band.row.value),
                      band.row.value, band.published()});
    return out;
}

// How many published values lie in their bands, and what moves each value most.
std::vector<std::string> findings(const Experiment& experiment, const std::vector<Band>& bands) {
    std::size_t inside = 0, all = 0;
    std::vector<std::string> out;
    for (const Band& band : bands) {
        all += band.inside().empty() ? 0 : 1;
        inside += band.inside() == "yes" ? 1 : 0;
        if (const Band::Moved* const most = band.strongest())
            out.push_back(fmt::format("{}: {} makes {} of {}.", title_of(band.row), name_of(experiment, most->choices),
                                      report::figure_number(*most->value), report::figure_number(*band.row.value)));
    }
    out.insert(out.begin(), fmt::format("{} of {} published values lie in the bands.", inside, all));
    return out;
}

std::vector<std::string> explanations(const Experiment& experiment) {
    std::vector<std::string> out;
    for (const Reading& reading : experiment.readings) {
        std::string text = fmt::format("{}. {} Default: {}, because {}", reading.id, reading.silent, reading.standard,
                                       reading.because);
        for (const Alternative& alternative : reading.alternatives)
            text += fmt::format(" Or: {}, because {}", alternative.name, alternative.why);
        out.push_back(std::move(text));
    }
    return out;
}

} // namespace

Experiment with_choices(const Experiment& experiment, std::span<const Choice> choices) {
    Experiment out = experiment;
    for (const Choice& choice : choices) {
        const Alternative& alternative = alternative_of(experiment, choice);
        out.id += fmt::format("~{}={}", id_of(experiment.readings[choice.reading].id), id_of(alternative.name));
        apply(alternative, out);
    }
    out.chosen = name_of(experiment, choices);
    return out;
}

std::string name_of(const Experiment& experiment, std::span<const Choice> choices) {
    std::string out;
    for (const Choice& choice : choices)
        out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", experiment.readings[choice.reading].id,
                           alternative_of(experiment, choice).name);
    return out;
}

std::vector<Choices> single_choices(const Experiment& experiment) {
    std::vector<Choices> out;
    for (std::size_t r = 0; r < experiment.readings.size(); ++r)
        for (std::size_t a = 0; a < experiment.readings[r].alternatives.size(); ++a)
            out.push_back({{r, a}});
    return out;
}

std::optional<double> Band::published() const {
    return published_number(row.published);
}

std::optional<double> Band::lowest() const {
    return extreme(*this, false);
}

std::optional<double> Band::highest() const {
    return extreme(*this, true);
}

std::string Band::inside() const {
    const std::optional<double> low = lowest(), high = highest(), value = published();
    if (!low || !high)
        return "";
    if (value)
        return *low <= *value && *value <= *high ? "yes" : "no";
    if (row.published == "positive")
        return *high > 0 ? "yes" : "no";
    if (row.published == "negative")
        return *low < 0 ? "yes" : "no";
    return "";
}

const Band::Moved* Band::strongest() const {
    const Moved* out = nullptr;
    for (const Moved& one : moved)
        if (one.choices.size() == 1 && move_of(*this, one) > (out == nullptr ? 0 : move_of(*this, *out)))
            out = &one;
    return out;
}

std::vector<Band> bands_of(const Figure& figure, const std::vector<std::pair<Choices, Figure>>& others) {
    std::vector<Band> out;
    for (std::size_t r = 0; r < figure.published.size(); ++r) {
        if (!figure.published[r].value)
            continue;
        Band& band = out.emplace_back(Band{figure.published[r], {}});
        for (const auto& [choices, other] : others)
            band.moved.push_back({choices, other.published.at(r).value});
    }
    return out;
}

std::vector<Choices> pairs_that_matter(const std::vector<Band>& bands) {
    constexpr std::size_t kMost = 4;
    constexpr double kLeast = 0.02;
    std::vector<std::pair<double, Choice>> moves;
    if (bands.empty())
        return {};
    for (std::size_t m = 0; m < bands.front().moved.size(); ++m) {
        const Choices& choices = bands.front().moved[m].choices;
        double most = 0;
        for (const Band& band : bands)
            most = std::max(most, move_of(band, band.moved[m]));
        if (choices.size() == 1 && most >= kLeast)
            moves.emplace_back(most, choices.front());
    }
    std::stable_sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    moves.resize(std::min(moves.size(), kMost));
    std::vector<Choices> out;
    for (std::size_t i = 0; i < moves.size(); ++i)
        for (std::size_t j = i + 1; j < moves.size(); ++j)
            if (const Choice& a = moves[i].second, &b = moves[j].second; a.reading < b.reading)
                out.push_back({a, b});
            else if (b.reading < a.reading)
                out.push_back({b, a});
    return out;
}

std::vector<Figure> band_figures(const Experiment& experiment, const std::vector<Band>& bands) {
    std::vector<Figure> out;
    const auto figure_of_unit = [&](const std::string& unit) -> Figure& {
        for (Figure& figure : out)
            if (figure.unit == unit)
                return figure;
        out.push_back(make_figure(experiment, fmt::format("bands{}", out.empty() ? "" : fmt::format("-{}", out.size())),
                                  "published values and the band of readings"));
        out.back().unit = unit;
        out.back().category = "value";
        return out.back();
    };
    const Band* first = nullptr;
    for (const Band& band : bands) {
        add_category(figure_of_unit(band.row.unit), title_of(band.row),
                     {band.lowest(), band.highest(), band.row.value, band.published()});
        if (first == nullptr && band.strongest() != nullptr)
            first = &band;
    }
    if (first != nullptr)
        out.push_back(tornado(experiment, *first));
    if (out.empty())
        return out;
    out.front().remarks = findings(experiment, bands);
    const std::vector<std::string> texts = explanations(experiment);
    out.back().remarks.insert(out.back().remarks.end(), texts.begin(), texts.end());
    return out;
}

std::string bands_csv(const Experiment& experiment, const std::vector<Band>& bands) {
    std::string out = "figure,quantity,subject,versus,unit,published,choices,value\n";
    const auto line = [&](const report::PublishedRow& row, const std::string& choices, std::optional<double> value) {
        const std::string number = value ? fmt::format("{}", *value) : "";
        out += report::csv_line(
            {experiment.id, row.quantity, row.subject, row.versus, row.unit, row.published, choices, number});
    };
    for (const Band& band : bands) {
        line(band.row, "", band.row.value);
        for (const Band::Moved& moved : band.moved)
            line(band.row, name_of(experiment, moved.choices), moved.value);
    }
    return out;
}

} // namespace heddle::experiment
