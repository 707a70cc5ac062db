"use strict";
// Colours of a page and of its charts. Series are told apart without colour too: bars by patterns and by their order,
// which the legend keeps, lines by their points and dashes.
const heddle = {};

heddle.colours = (() => {
    // Light and dark hues alternate, so that neighbours differ in a print without colour.
    const series = {
        light: ["#3b528b", "#d9b64a", "#2f9e8f", "#c8566b", "#74b9e0", "#7b2d5b", "#97a832", "#a763b8", "#1f6e3a"],
        dark: ["#7f96d8", "#e8cd7a", "#43b5a4", "#e0788b", "#9ad3f2", "#b9609a", "#b8c95a", "#c791d6", "#63b37e"],
    };
    // From few to many.
    const ramps = {
        light: ["#e4edf3", "#b9d3df", "#86b5c9", "#5493b0", "#2f6c92", "#1d4670", "#13234a"],
        dark: ["#1e2a36", "#234a63", "#2b6c8c", "#3f91ae", "#67b5c6", "#9dd6d9", "#dff5ee"],
    };
    const quiet = { light: ["#b9bec6", "#8b929c"], dark: ["#4a525d", "#6b7480"] };

    const is_dark = () => matchMedia(document.getElementById("dark").media).matches;
    const theme = () => (is_dark() ? "dark" : "light");
    const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

    function mixed(a, b, t) {
        const channel = (hex, at) => parseInt(hex.slice(at, at + 2), 16);
        const mix = (at) => Math.round(channel(a, at) + (channel(b, at) - channel(a, at)) * t);
        return `rgb(${mix(1)}, ${mix(3)}, ${mix(5)})`;
    }

    // Of a share of the greatest, 0 to 1.
    function ramp(share) {
        const steps = ramps[theme()];
        const at = Math.min(Math.max(share, 0), 1) * (steps.length - 1);
        const low = Math.min(Math.floor(at), steps.length - 2);
        return mixed(steps[low], steps[low + 1], at - low);
    }

    // Ranges of lanes, "W1-4" to "W29-32", have an order that a ramp shows; slots without any lane stand back.
    const is_range = (name) => /^W[1-9]\d*(-\d+)?$/.test(name);
    const is_idle = (name) => ["W0", "stall", "idle"].includes(name);

    // What each of these series is drawn with: {colour, pattern}. Neighbours differ in both; series of one colour differ in
    // the pattern.
    function of_series(names) {
        const palette = series[theme()];
        const ranges = names.filter(is_range);
        const plain = names.filter((name) => !is_range(name) && !(ranges.length && is_idle(name)));
        return names.map((name) => {
            if (is_range(name)) {
                const at = ranges.indexOf(name);
                return { colour: ramp(ranges.length < 2 ? 0.6 : 0.15 + (0.85 * at) / (ranges.length - 1)), pattern: 0 };
            }
            if (ranges.length && is_idle(name)) return { colour: quiet[theme()][name === "stall" ? 1 : 0], pattern: 0 };
            const at = plain.indexOf(name);
            return { colour: palette[at % palette.length], pattern: (at + 3 * Math.floor(at / palette.length)) % tiles.length };
        });
    }

    // Lines and dots in a square of 8 by 8, which continue in the next one.
    const slope = (from, to) => (pen) => {
        for (const shift of [-8, 0, 8]) {
            pen.moveTo(shift - 1, from);
            pen.lineTo(shift + 9, to);
        }
    };
    const level = (pen) => [2, 6].forEach((y) => { pen.moveTo(0, y); pen.lineTo(8, y); });
    const upright = (pen) => [2, 6].forEach((x) => { pen.moveTo(x, 0); pen.lineTo(x, 8); });
    const dots = (pen) => [[2, 2], [6, 6]].forEach(([x, y]) => { pen.moveTo(x - 0.9, y); pen.lineTo(x + 0.9, y); });
    const both = (one, other) => (pen) => { one(pen); other(pen); };
    const tiles = [null, slope(9, -1), dots, slope(-1, 9), level, both(slope(9, -1), slope(-1, 9)), upright,
                   both(level, upright)];

    // What a canvas fills bars with.
    function fill({ colour, pattern }) {
        if (tiles[pattern] === null) return colour;
        const tile = document.createElement("canvas");
        tile.width = tile.height = 8;
        const pen = tile.getContext("2d");
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 8, 8);
        pen.strokeStyle = variable("--paper");
        pen.globalAlpha = 0.7;
        pen.lineWidth = 1.2;
        pen.beginPath();
        tiles[pattern](pen);
        pen.stroke();
        return pen.createPattern(tile, "repeat");
    }

    return { theme, is_dark, variable, ramp, of_series, is_range, fill };
})();
