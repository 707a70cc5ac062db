"use strict";
// Charts of lines over a sweep or over time.
heddle.lines = (() => {
    const { kinds, points, axis, placed_axis, configuration, deviations, diamonds, value_range, in_words } = heddle.charts;
    const dashes = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

    // Sweeps that double, or more, from each step to the next are drawn so.
    function is_geometric(x) {
        return x.length > 2 && x[0] > 0 && x.every((value, i) => i === 0 || value >= 1.9 * x[i - 1]);
    }
    // How a line is told apart without its colour. Many points on a jagged line leave no room for marks or dashes.
    function line_look(figure, at) {
        return figure.categories.length <= 40
            ? { point: points[at % points.length], dash: dashes[at % dashes.length] } : { point: null, dash: [] };
    }
    function lines(figure) {
        const numeric = figure.categories.map((c) => (c.trim() === "" ? NaN : Number(c)));
        const is_numeric = numeric.every(Number.isFinite);
        const x = is_numeric ? numeric : figure.categories.map((_, c) => c);
        const looks = heddle.colours.of_series(figure.series.map((s) => s.name));
        const few = x.length <= 40;
        const datasets = figure.series.map((s, i) => ({
            label: s.name,
            data: x.map((at, c) => ({ x: at, y: s.values[c] ?? null })),
            borderColor: looks[i].colour,
            backgroundColor: looks[i].colour,
            borderDash: line_look(figure, i).dash,
            borderWidth: few ? 2 : 1.5,
            pointStyle: line_look(figure, i).point ?? "circle",
            pointRadius: few ? 4 : 0,
            pointHoverRadius: 6,
            clip: 8,
        }));
        const geometric = is_numeric && is_geometric(numeric);
        const everywhere = few && (geometric || !is_numeric || x.length <= 16);
        const alone = Math.min(...x) === Math.max(...x); // one point stands in the middle
        const range = { min: Math.min(...x) - (alone ? 1 : 0), max: Math.max(...x) + (alone ? 1 : 0) };
        const scale = everywhere
            ? placed_axis(figure.category, x, figure.categories, range,
                { type: geometric ? "logarithmic" : "linear", grid: { drawOnChartArea: true, drawTicks: true },
                  ticks: { autoSkip: true } })
            : axis(figure.category, { type: "linear", ...range });
        return configuration("line", figure, datasets, { x: scale, y: axis(figure.unit, { beginAtZero: true, ...value_range(figure) }) }, {
            layout: { padding: { right: 14, top: 6 } },
            plugins: [deviations(figure), diamonds(figure)],
            tooltip: {
                callbacks: {
                    title: (items) => items.length ? `${figure.category} ${figure.categories[items[0].dataIndex]}` : "",
                    label: (item) => ` ${item.dataset.label}: ${in_words(figure, item)}`,
                },
            },
        });
    }

    Object.assign(kinds, { lines });
    return { look: line_look };
})();
