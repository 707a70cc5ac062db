"use strict";
// Draws the charts, again whenever the theme changes, and makes them, their legends and the tables work.
heddle.page = (() => {
    const figures = JSON.parse(document.getElementById("figures").textContent);
    const dark = document.getElementById("dark");
    const spoken = document.getElementById("spoken");
    const charts = new Map(); // by figure
    const hidden = new Map(figures.map((figure) => [figure, new Set()])); // names of series that are switched off

    function svg(name, attributes) {
        const out = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
        return out;
    }
    const marks = {
        circle: "M13 6m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", rect: "M10 3h6v6h-6z", triangle: "M13 2l4 7h-8z",
        rectRot: "M13 1.5l4.5 4.5l-4.5 4.5l-4.5-4.5z", star: "M9 6h8M13 2v8M10 3l6 6M16 3l-6 6",
        crossRot: "M9 2l8 8M17 2l-8 8",
    };
    // A patch of a bar, as wide as it is in the chart.
    function patch(look) {
        const out = document.createElement("canvas");
        out.width = 26;
        out.height = 12;
        out.setAttribute("aria-hidden", "true");
        const pen = out.getContext("2d");
        pen.fillStyle = heddle.colours.fill(look);
        pen.fillRect(4, 0, 20, 12);
        return out;
    }
    function swatch(figure, at, look) {
        if (!["lines", "bands"].includes(figure.kind)) return patch(look);
        const out = svg("svg", { viewBox: "0 0 26 12", width: 26, height: 12, "aria-hidden": "true" });
        const { point, dash } = figure.kind === "lines" ? heddle.lines.look(figure, at)
            : { point: heddle.charts.points[at % heddle.charts.points.length], dash: null };
        if (dash !== null)
            out.append(svg("path", { d: "M0 6h26", stroke: look.colour, "stroke-width": 2, "stroke-dasharray": dash.join(" "),
                                     fill: "none" }));
        if (point !== null) out.append(svg("path", { d: marks[point], fill: look.colour, stroke: look.colour }));
        return out;
    }
    // A sign of the chart with its meaning.
    function explained(sign, meaning) {
        const out = document.createElement("span");
        out.className = "sign";
        const mark = document.createElement("span");
        mark.className = sign === "×" ? "cross" : "";
        mark.textContent = sign;
        out.append(mark, ` ${meaning}`);
        return out;
    }

    function toggle(figure, name, button) {
        const off = hidden.get(figure);
        if (!off.delete(name)) off.add(name);
        button.setAttribute("aria-pressed", String(!off.has(name)));
        show_chosen(figure);
    }
    function show_chosen(figure) {
        const chart = charts.get(figure);
        chart.data.datasets.forEach((set, i) => chart.setDatasetVisibility(i, !hidden.get(figure).has(set.label)));
        chart.update("none");
    }

    function legend(figure) {
        const out = document.createElement("div");
        out.className = "legend";
        const names = heddle.charts.legend_names(figure);
        const looks = heddle.colours.of_series(names);
        names.forEach((name, at) => {
            const button = document.createElement("button");
            button.type = "button";
            button.title = "show or hide";
            button.setAttribute("aria-pressed", String(!hidden.get(figure).has(name)));
            button.append(swatch(figure, at, looks[at]), name);
            button.addEventListener("click", () => toggle(figure, name, button));
            out.append(button);
        });
        if (heddle.charts.published(figure).length) out.append(explained("◆", "published in the paper"));
        if (heddle.charts.has_crosses(figure)) out.append(explained("×", "no value"));
        if (figure.kind === "heat_map") out.append(...scale(figure));
        return out;
    }
    // Which colour is how many.
    function scale(figure) {
        const bar = document.createElement("span");
        bar.className = "ramp";
        const steps = [0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => heddle.colours.ramp(share));
        bar.style.backgroundImage = `linear-gradient(to right, ${steps.join(", ")})`;
        return ["0", bar, heddle.charts.with_unit(heddle.charts.greatest(figure), figure.unit)];
    }

    function draw(figure) {
        charts.get(figure)?.destroy();
        const element = document.getElementById(figure.id);
        const canvas = element.querySelector("canvas");
        const { height, width } = heddle.charts.size(figure);
        const plot = canvas.parentElement;
        plot.style.height = `${height}px`;
        plot.style.minWidth = `${width}px`;
        charts.set(figure, new Chart(canvas, heddle.charts.kinds[figure.kind](figure)));
        show_chosen(figure);
        const frame = plot.parentElement;
        if (frame.nextElementSibling.className === "legend") frame.nextElementSibling.remove();
        frame.after(legend(figure));
    }
    function draw_all() {
        const body = getComputedStyle(document.body);
        Chart.defaults.font.family = body.fontFamily;
        Chart.defaults.font.size = 12;
        Chart.defaults.color = heddle.colours.variable("--soft");
        figures.forEach(draw);
    }

    // The arrow keys go from value to value and show, and say, what hovering shows.
    function walk(figure, event) {
        const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        const chart = charts.get(figure);
        const sets = chart.data.datasets;
        const at = chart.heddle_at ?? { index: step[0] < 0 ? 0 : -1, row: 0 };
        const length = sets[0]?.data.length ?? 0;
        if (length === 0) return;
        at.index = (at.index + step[0] + length) % length;
        at.row = (at.row + step[1] + sets.length) % sets.length;
        at.index = Math.max(at.index, 0);
        chart.heddle_at = at;
        const shown = sets.map((_, datasetIndex) => ({ datasetIndex, index: at.index }))
            .filter(({ datasetIndex }) => chart.isDatasetVisible(datasetIndex));
        const active = figure.kind === "heat_map" ? [{ datasetIndex: at.row, index: at.index }] : shown;
        if (active.length === 0) return;
        const { x, y } = chart.getDatasetMeta(active[0].datasetIndex).data[at.index].tooltipPosition();
        chart.setActiveElements(active);
        chart.tooltip.setActiveElements(active, { x, y });
        chart.update("none");
        spoken.textContent = [...chart.tooltip.title, ...chart.tooltip.body.flatMap((part) => part.lines)].join("; ");
    }
    function rest(figure) {
        const chart = charts.get(figure);
        chart.setActiveElements([]);
        chart.tooltip.setActiveElements([], { x: 0, y: 0 });
        chart.update("none");
    }

    const system = matchMedia("(prefers-color-scheme: dark)");
    function name_theme(button) {
        button.textContent = heddle.colours.is_dark() ? "Light" : "Dark";
        button.setAttribute("aria-label", `Switch to ${button.textContent.toLowerCase()} colours`);
    }
    function use_theme() {
        const button = document.getElementById("theme");
        button.hidden = false;
        name_theme(button);
        button.addEventListener("click", () => {
            dark.media = heddle.colours.is_dark() ? "not all" : "screen";
            name_theme(button);
            draw_all();
        });
        system.addEventListener("change", () => {
            dark.media = "screen and (prefers-color-scheme: dark)";
            name_theme(button);
            draw_all();
        });
    }

    // Paper is white and as wide as it is: charts become pictures. Folded tables stay folded, so that a reader chooses what
    // is printed.
    let before = null;
    function to_paper() {
        if (before !== null) return;
        before = dark.media;
        dark.media = "not all";
        draw_all();
        for (const [figure, chart] of charts) {
            const picture = document.createElement("img");
            picture.className = "printed";
            picture.alt = "";
            const { width, height } = heddle.charts.size(figure);
            const is_flat = ["grouped_bars", "stacked_bars", "lines"].includes(figure.kind) && height >= 320;
            chart.resize(Math.max(760, width), is_flat ? 0.75 * height : height);
            picture.src = chart.toBase64Image();
            chart.canvas.parentElement.parentElement.append(picture);
        }
    }
    function from_paper() {
        if (before === null) return;
        dark.media = before;
        before = null;
        for (const picture of document.querySelectorAll("img.printed")) picture.remove();
        draw_all();
    }

    document.querySelectorAll("table.sortable").forEach(heddle.tables.make_sortable);
    use_theme();
    draw_all();
    for (const figure of figures) {
        const canvas = document.getElementById(figure.id).querySelector("canvas");
        canvas.addEventListener("keydown", (event) => walk(figure, event));
        canvas.addEventListener("blur", () => rest(figure));
    }
    addEventListener("beforeprint", to_paper);
    addEventListener("afterprint", from_paper);

    return { charts };
})();
