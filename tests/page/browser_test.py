"""Pages as a browser shows them: charts are drawn, tables sort, themes switch, paper shows it all, nothing is loaded.

usage: browser_test.py PAGE_SAMPLE HEDDLE; ends with status 77 where there is no Chromium.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser

# Pixels of a figure's canvas that something is drawn on.
PAINTED = """(canvas => {
    const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    let painted = 0;
    for (let at = 3; at < data.length; at += 4) painted += data[at] !== 0;
    return painted;
})"""


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-page-"))
        cls.sample = cls.folder / "sample.html"
        cls.sample.write_bytes(subprocess.run([PAGE_SAMPLE], check=True, capture_output=True).stdout)
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def setUp(self):
        self.browser.prefer("light")
        self.browser.open(self.sample)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def painted(self):
        return self.browser.run(f"[...document.querySelectorAll('.plot canvas')].map({PAINTED})")

    def column(self, table, index):
        return self.browser.run(f"[...document.querySelector('{table}').rows].map(r => r.cells[{index}].textContent)")

    def test_every_chart_is_drawn(self):
        kinds = self.browser.run("JSON.parse(document.getElementById('figures').textContent).map(f => f.kind)")
        self.assertEqual(set(kinds), {"grouped_bars", "stacked_bars", "lines", "heat_map", "spans"})
        self.assertEqual(self.browser.run("heddle.page.charts.size"), len(kinds))
        for kind, painted in zip(kinds, self.painted()):
            self.assertGreater(painted, 3000, kind)

    def test_nothing_is_loaded_and_texts_run_nothing(self):
        self.assertEqual(self.browser.requests(), [self.sample.resolve().as_uri()])
        self.assertIsNone(self.browser.run("window.broken ?? null"))
        self.assertIn("</script>", self.browser.run("document.querySelector('.facts').textContent"))

    def test_bars_are_as_high_as_their_values(self):
        """blackjack's baseline, 12.5, beside its large warps, 18.0; of kmeans, one is missing."""
        tall, taller = self.browser.run("""[0, 2].map(set => {
            const {y, base} = [...heddle.page.charts.values()][0].getDatasetMeta(set).data[0].getProps(['y', 'base']);
            return base - y; })""")
        self.assertAlmostEqual(tall / taller, 12.5 / 18.0, delta=0.005)  # half a pixel is the axis
        self.assertIsNone(self.browser.run("[...heddle.page.charts.values()][0].data.datasets[2].data[3].y"))

    def test_parts_of_a_bar_stand_on_each_other(self):
        """The third stacked bar of blackjack: 50, and ten times 5."""
        tops = self.browser.run("""(() => { const chart = [...heddle.page.charts.values()][1];
            return chart.data.datasets.map((_, set) => chart.scales.y.getValueForPixel(
                chart.getDatasetMeta(set).data[2].getProps(['y']).y)); })()""")
        for top, wanted in zip(tops, range(50, 101, 5)):
            self.assertAlmostEqual(top, wanted, places=3)

    def test_a_sweep_that_doubles_has_even_steps(self):
        x = self.browser.run("""[...heddle.page.charts.values()][3].getDatasetMeta(0).data.map(point => point.x)""")
        self.assertAlmostEqual(x[1] - x[0], x[2] - x[1], places=3)
        self.assertAlmostEqual(x[2] - x[1], x[3] - x[2], places=3)

    def test_a_point_alone_stands_in_the_middle(self):
        x, left, right = self.browser.run("""(() => { const chart = [...heddle.page.charts.values()][7];
            return [chart.getDatasetMeta(0).data[0].x, chart.chartArea.left, chart.chartArea.right]; })()""")
        self.assertAlmostEqual(x, (left + right) / 2, delta=1)

    def test_tables_sort_both_ways_and_back(self):
        table = "#bars-2 details table"  # the figure; "bars" is its section
        programs = ["blackjack", "blackscholes", "bfs", "kmeans", "matmul", "sort"]
        upwards = ["bfs", "sort", "blackjack", "blackscholes", "matmul"]  # 4.5, 16.2, 18.0, 21.3, 28.6 of large warps
        heading = f"document.querySelectorAll('{table} thead th')[3]"
        for sort, wanted in (("ascending", upwards + ["kmeans"]), ("descending", upwards[::-1] + ["kmeans"]),
                             ("none", programs)):
            self.browser.run(f"{heading}.querySelector('button').click()")
            self.assertEqual(self.browser.run(f"{heading}.getAttribute('aria-sort')"), sort)
            self.assertEqual(self.column(table, 0), ["program"] + wanted + ["mean"])  # the mean stays below

    def test_tables_sort_texts_with_numbers_in_them(self):
        self.browser.run("document.querySelectorAll('#spans details thead button')[1].click()")
        self.assertEqual(self.column("#spans details table", 1)[1:12], [f"block {n}" for n in range(11)])

    def test_hovering_shows_values(self):
        x, y = self.browser.run("""(() => { document.getElementById('bars-2').scrollIntoView();
            const chart = [...heddle.page.charts.values()][0], box = chart.canvas.getBoundingClientRect();
            const bar = chart.getDatasetMeta(1).data[4];
            return [box.x + bar.x, box.y + bar.y + 20]; })()""")
        self.browser.send("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        shown = self.browser.run("""new Promise(done => setTimeout(() => {
            const {title, body, opacity} = [...heddle.page.charts.values()][0].tooltip;
            done([opacity, title[0], body.map(part => part.lines[0].trim())]); }, 100))""")
        self.assertEqual(shown, [1, "matmul", ["baseline: 28.4 IPC", "two-level: 30.1 IPC", "large warps: 28.6 IPC",
                                               "large warps and two-level: 30.25 IPC"]])

    def test_keys_walk_through_a_chart(self):
        self.browser.run("document.querySelector('#sweep canvas').focus()")
        for _ in range(2):
            self.browser.send("Input.dispatchKeyEvent", type="keyDown", key="ArrowRight")
        self.assertEqual(self.browser.run("document.getElementById('spoken').textContent"),
                         "threads 128;  geometric mean: 1.08 speed-up;  bfs: no value")

    def test_legends_hide_series(self):
        self.browser.run("document.querySelectorAll('#bars-2 .legend button')[1].click()")
        self.assertEqual(self.browser.run("document.querySelectorAll('#bars-2 .legend button')[1].ariaPressed"), "false")
        self.assertEqual(self.browser.run("[0, 1].map(i => [...heddle.page.charts.values()][0].isDatasetVisible(i))"),
                         [True, False])

    def test_themes(self):
        paper = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.run(paper)
        self.browser.prefer("dark")
        dark = self.browser.run(f"new Promise(done => setTimeout(() => done({paper}), 100))")
        self.assertNotEqual(light, dark)
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run(paper), light)
        self.assertEqual(self.browser.run("document.getElementById('theme').textContent"), "Dark")
        self.browser.run("document.getElementById('theme').click()")
        self.assertEqual(self.browser.run(paper), dark)
        self.assertTrue(all(self.painted()))

    def test_paper_has_pictures_and_folded_tables_stay_folded(self):
        state = "[...document.querySelectorAll('details')].map(d => d.open)"
        self.assertFalse(any(self.browser.run(state)))
        self.browser.run("document.querySelector('details').open = true; dispatchEvent(new Event('beforeprint'))")
        opened = self.browser.run(state)
        self.assertEqual((opened[0], any(opened[1:])), (True, False))
        pictures = self.browser.run("""Promise.all([...document.querySelectorAll('img.printed')].map(
            async picture => { await picture.decode(); return picture.naturalWidth; }))""")
        self.assertEqual(len(pictures), self.browser.run("heddle.page.charts.size"))
        self.assertTrue(all(width >= 760 for width in pictures), pictures)
        self.browser.run("dispatchEvent(new Event('afterprint'))")
        self.assertEqual(self.browser.run("document.querySelectorAll('img.printed').length"), 0)
        self.assertTrue(all(self.painted()))

    def test_titles_stay_with_their_charts_on_paper(self):
        """A figure that fits a page is not broken; what is folded takes no room."""
        self.browser.send("Emulation.setEmulatedMedia", media="print")
        try:
            self.assertEqual(self.browser.run("""[...new Set([...document.querySelectorAll('figure')].map(
                f => getComputedStyle(f).breakInside))]"""), ["avoid"])
            self.assertEqual(self.browser.run("""[...document.querySelectorAll('details')].map(
                d => d.getBoundingClientRect().height).filter(height => height > 0).length"""), 0)
            self.assertIn("Folded tables are not printed", self.browser.run("document.querySelector('header').innerText"))
        finally:
            self.browser.send("Emulation.setEmulatedMedia", media="")

    def test_published_values_are_marked(self):
        """19.1 % over the baseline's mean of 12.4 is 14.77: on the bar of the large warps, which ends at 14.9."""
        found = self.browser.run("""(() => { const chart = [...heddle.page.charts.values()][0];
            const bar = chart.getDatasetMeta(2).data[6], y = chart.scales.y.getPixelForValue(14.77);
            const ratio = chart.currentDevicePixelRatio;
            const [r, g, b] = chart.ctx.getImageData(bar.x * ratio, y * ratio, 1, 1).data;
            return [r, g, b]; })()""")
        self.assertEqual(found, [0x20, 0x25, 0x2c])  # the ink of the light theme
        self.assertIn("◆ published in the paper", self.browser.run("document.querySelector('#bars-2 .legend').innerText"))

    def test_a_bar_alone_is_shown_as_rows_of_its_parts(self):
        values = self.browser.run("""(() => { const chart = [...heddle.page.charts.values()][8];
            return chart.getDatasetMeta(0).data.map(bar => Math.round(chart.scales.x.getValueForPixel(bar.x))); })()""")
        self.assertEqual(values, [60, 25, 15])  # the largest first
        self.assertEqual(self.browser.run("[...heddle.page.charts.values()][8].scales.y.ticks.map(t => t.label)"),
                         ["waits for DRAM (sb_dram)", "issued", "waits for arithmetic (sb_alu)"])
        self.assertEqual(self.browser.run("document.querySelectorAll('#alone .legend button').length"), 0)

    def test_bars_differ_without_colour(self):
        """Of the first eleven series no two neighbours have one pattern, and no two have one colour and one pattern."""
        looks = self.browser.run("heddle.colours.of_series([...'abcdefghijk']).map(look => [look.colour, look.pattern])")
        self.assertEqual(len(set(map(tuple, looks))), 11)
        self.assertTrue(all(a[1] != b[1] for a, b in zip(looks, looks[1:])), looks)

    def test_names_are_broken_and_not_cut(self):
        name = "cub::DeviceReduceSingleTileKernel<Policy, float*, float*, int, cuda::std::plus<void>, float, float>"
        for most in (10, 16, 30, 40):
            lines = self.browser.run(f"[heddle.charts.wrapped('{name}', {most})].flat()")
            self.assertEqual("".join(lines).replace(" ", ""), name.replace(" ", ""))
            self.assertLessEqual(max(map(len, lines)), 2 * most)

    def test_paper_has_charts_and_tables(self):
        paper = self.folder / "sample.pdf"
        self.browser.pdf(paper)
        data = paper.read_bytes()
        pictures = re.findall(rb"/Subtype\s*/Image\b", data)
        self.assertGreaterEqual(len(pictures), self.browser.run("heddle.page.charts.size"))
        self.assertGreater(sum(data.count(word) for word in (b"/Type /Page\n", b"/Type /Page ", b"/Type /Page/")), 3)

    def test_nothing_is_wider_than_a_telephone(self):
        self.browser.send("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
        try:
            self.browser.open(self.sample)
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
            self.assertTrue(all(self.painted()))
        finally:
            self.browser.send("Emulation.clearDeviceMetricsOverride")

    def test_links_lead_to_something(self):
        dangling = self.browser.run("""[...document.querySelectorAll('a[href^="#"]')]
            .filter(a => !document.getElementById(a.getAttribute('href').slice(1))).length""")
        self.assertEqual(dangling, 0)
        twice = self.browser.run("""(() => { const ids = [...document.querySelectorAll('[id]')].map(e => e.id);
            return ids.length - new Set(ids).size; })()""")
        self.assertEqual(twice, 0)

    def test_pages_of_results(self):
        """What heddle report makes of a run with a time line, of one with a heat map, and of three together."""
        (self.folder / "k.ptx").write_text(PTX)
        calls = {"pdom.json": ["--block", "256", "-t", "t.json"],
                 "lwm.json": ["--block", "256", "-s", "core.formation=lwm"],
                 "maws.json": ["--block", "64", "-m", "maws-coherent", "-s", "views.interval=50"]}
        for name, options in calls.items():
            subprocess.run([HEDDLE, "ptx", "k.ptx", "--grid", "2", "--arg", "buf:65536", "-o", name,
                            *options], cwd=self.folder, check=True, capture_output=True)
        for results in [[name] for name in calls] + [list(calls)]:
            subprocess.run([HEDDLE, "report", *results, "-o", "page.html"], cwd=self.folder, check=True)
            self.browser.open(self.folder / "page.html")
            self.assertEqual(self.browser.complaints(), [], results)
            self.assertGreater(self.browser.run("heddle.page.charts.size"), 3)
            for painted in self.painted():
                self.assertGreater(painted, 1500, results)


class SourcePage(unittest.TestCase):
    """The source of a profiled run, and of two: lines with figures, what is below them, jumps from causes."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="heddle-page-"))
        cls.browser = browser.Browser()
        cls.profiled("a", 12)
        cls.profiled("b", 13)  # with a line more above
        for page, results in (("one", ["a.json"]), ("two", ["a.json", "b.json"])):
            subprocess.run([HEDDLE, "report", *results, "-o", f"{page}.html"], cwd=cls.folder, check=True)

    @classmethod
    def profiled(cls, name, first):
        """A run of PTX whose loop is the line `first`, and its other instructions the two lines behind."""
        lines = [f"// line {n}" for n in range(1, first)] + ["    while (again) <b>load</b>();", "    store();", "}"]
        (cls.folder / "k.cu").write_text("\n".join(lines) + "\n")
        text = PTX.replace("again:\n", f"again:\n  .loc 1 {first} 1\n").replace("  st.global", f"  .loc 1 {first + 1} 1\n  st.global")
        (cls.folder / "k.ptx").write_text(text.replace("  ret;", f"  .loc 1 {first + 2} 1\n  ret;") + '.file 1 "k.cu"\n')
        subprocess.run([HEDDLE, "ptx", "k.ptx", "--grid", "2", "--block", "256", "--arg", "buf:65536", "-m", "gtx480",
                        "--profile", "-o", f"{name}.json"], cwd=cls.folder, check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder, ignore_errors=True)

    def open(self, page):
        self.browser.prefer("light")
        self.browser.open(self.folder / f"{page}.html")

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])

    def row(self, text, expression):
        """The value of an expression of `row`, the row of a listing with this source."""
        return self.browser.run(f"""(row => {expression})([...document.querySelectorAll('table[data-file] tr')]
            .find(row => row.querySelector('td.code')?.textContent.includes({text!r})))""")

    def choose(self, column):
        self.browser.run(f"""(select => {{ select.value = {column!r}; select.dispatchEvent(new Event('change')); }})
            (document.querySelector('.source select'))""")

    def test_lines_have_figures_and_texts_stay_texts(self):
        self.open("one")
        cells = self.row("while (again)", "[...row.cells].map(cell => cell.textContent)")
        costliest = self.browser.run("[...document.querySelector('.hottest tbody tr').cells].map(cell => cell.textContent)")
        self.assertEqual(costliest[:2], [cells[0], "k.cu:12"])  # the loop is nearly all of the program
        self.assertEqual(cells[1:3], ["12", "    while (again) <b>load</b>();"])
        self.assertEqual(self.browser.requests(), [(self.folder / "one.html").resolve().as_uri()])

    def test_the_figure_can_be_chosen(self):
        self.open("one")
        for column, heading, text in (("executions", "executions", None), ("lanes_per_execution", "lanes", "32.0")):
            self.choose(column)
            self.assertEqual(self.browser.run("document.querySelector('table[data-file] th.heat').textContent"), heading)
            shown = self.row("while (again)", "row.cells[0].textContent")
            if text:
                self.assertEqual(shown, text)
            else:  # the loop has 8 instructions and 28 rounds: 2 blocks of 8 warps
                self.assertEqual(shown, f"{8 * 28 * 16:,}")
        self.assertEqual(self.row("while (again)", "row.cells[0].style.getPropertyValue('--heat')"), "0.000")  # all lanes

    def test_a_line_shows_its_instructions(self):
        self.open("one")
        self.row("while (again)", "row.querySelector('th button').click()")
        below = self.row("while (again)", "row.nextElementSibling.textContent")
        self.assertIn("ld.global.u32", below)
        self.assertIn("counts: executions 3,584", below)
        self.row("while (again)", "row.querySelector('th button').click()")
        self.assertEqual(self.row("while (again)", "row.nextElementSibling.querySelector('td.code').textContent"), "    store();")

    def test_the_whole_file_on_demand(self):
        self.open("one")
        self.assertIsNone(self.row("// line 8", "row?.rowIndex ?? null"))
        self.browser.run("document.querySelector('tr.gap button').click()")
        self.assertEqual(self.row("// line 8", "row.querySelector('th').textContent"), "8")

    def test_a_cause_leads_to_its_lines(self):
        self.open("one")
        cause, place = self.browser.run("""(link => { link.click(); return [link.dataset.column, link.hash]; })
            (document.querySelector('.causes a'))""")
        self.assertEqual(self.browser.run("document.querySelector('.source select').value"), cause)
        self.assertTrue(self.browser.run(f"document.querySelector({place!r}).closest('details').open"))

    def test_two_runs_side_by_side(self):
        self.open("two")
        cells = self.row("while (again)", "[...row.cells].slice(0, 7).map(cell => cell.textContent)")
        self.assertEqual(cells[3:], ["12", "13", "", "    while (again) <b>load</b>();"])
        self.choose("executions")
        cells = self.row("while (again)", "[...row.cells].slice(0, 3).map(cell => cell.textContent)")
        self.assertEqual(cells, ["3,584", "3,584", "0"])
        self.browser.run("document.querySelector('tr.gap button')?.click()")
        self.assertEqual(self.row("// line 12", "row.cells[5].textContent"), "+")

    def test_on_a_telephone_and_on_paper(self):
        self.browser.send("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
        try:
            for page in ("one", "two"):
                self.open(page)
                self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
        finally:
            self.browser.send("Emulation.clearDeviceMetricsOverride")
        self.browser.send("Emulation.setEmulatedMedia", media="print")
        try:
            self.assertEqual(self.browser.run("getComputedStyle(document.querySelector('.listing')).maxHeight"), "none")
        finally:
            self.browser.send("Emulation.setEmulatedMedia", media="")


PTX = """.version 7.0
.target sm_70
.address_size 64
.visible .entry strided(.param .u64 buf)
{
  .reg .b64 %d<4>; .reg .b32 %r<6>; .reg .pred %p;
  ld.param.u64 %d1, [buf];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
again:
  add.u32 %r3, %r1, %r2;
  and.b32 %r3, %r3, 511;
  mul.wide.u32 %d2, %r3, 68; // so that lanes share some lines, and not all
  add.u64 %d3, %d1, %d2;
  ld.global.u32 %r4, [%d3];
  add.u32 %r2, %r2, 37;
  setp.lt.u32 %p, %r2, 1000;
  @%p bra again;
  st.global.u32 [%d3], %r2;
  ret;
}
"""


if __name__ == "__main__":
    PAGE_SAMPLE, HEDDLE = (str(pathlib.Path(word).resolve()) for word in sys.argv[1:3])
    if browser.find() is None:
        print("no Chromium: pages are not looked at; tools/install-deps installs one")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
