"""Programs of tools/ that draw: from planted results, from CMakeLists.txt files, and from pictures of levels.

    python3 -B -m unittest test_drawings.py        in this folder

STARTLE_PROGRAM: the built program, without which levels are not drawn.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SVG = '{http://www.w3.org/2000/svg}'
COLUMNS = ['unit', 'series', 'tier', 'estimate', 'low', 'high', 'n']
ROWS = [['level', 'observer & co', 'easy', 0.71, 0.66, 0.75, 400],
        ['level', 'observer & co', 'medium', 0.40, 0.35, 0.45, 400],
        ['level', 'observer & co', 'hard', 0.12, 0.09, 0.16, 398],
        ['level', 'observer & co', 'none', 0.05, 0.04, 0.07, 1200],
        ['level', 'model', 'easy', 1, 0.99, 1, 400],
        ['shot', 'model of shots', 'easy', 0.5, 0.4, 0.6, 400],
        ['shot', 'model of shots', 'hard', 0.0, 0.0, 0.01, 400]]


class Drawing(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name) / 'picture.svg'

    def run_tool(self, name, *arguments):
        return subprocess.run([sys.executable, '-B', ROOT / 'tools' / name, *map(str, arguments)],
                              capture_output=True, text=True)

    def picture(self):
        """Its root. On white, whatever the page is."""
        root = ElementTree.parse(self.out).getroot()
        first = root.find(SVG + 'rect')
        self.assertEqual(first.get('fill'), '#FFFFFF')
        self.assertEqual((first.get('width'), first.get('height')), (root.get('width'), root.get('height')))
        return root

    def words(self):
        return [element.text for element in self.picture().iter(SVG + 'text')]


class Detection(Drawing):
    def draw(self, rows, columns=COLUMNS):
        results = pathlib.Path(self.folder.name) / 'detection.json'
        results.write_text(json.dumps({'name': 'detection', 'commands': [], 'commit': 'c', 'seed': 1,
                                       'tables': {'figure': {'columns': columns, 'rows': rows}}}))
        return self.run_tool('draw-detection', results, self.out)

    def test_each_row_is_drawn_once_at_its_height(self):
        self.assertEqual(self.draw(ROWS).returncode, 0)
        groups = {(g.get('data-series'), g.get('data-tier')): g for g in self.picture().iter(SVG + 'g')}
        self.assertEqual(set(groups), {(row[1], row[2]) for row in ROWS})
        bars = {key: g.find(SVG + 'rect') for key, g in groups.items()}
        height = float(bars['model', 'easy'].get('height'))
        for _, series, tier, estimate, *_ in ROWS:
            if tier == 'none':
                self.assertEqual(groups[series, tier].find(SVG + 'circle').get('fill'), '#FFFFFF')  # hollow
            else:
                self.assertAlmostEqual(float(bars[series, tier].get('height')), estimate * height, delta=0.02)
        self.assertIn('observer & co (n = 398 to 1,200)', self.words())
        # Levels stand left of shots.
        left = {key[0]: float(bar.get('x')) for key, bar in bars.items() if bar is not None}
        self.assertLess(left['model'] + 300, left['model of shots'])
        self.assertEqual(groups['observer & co', 'hard'].find(SVG + 'title').text,
                         'observer & co, hard: 12.0 % (9.0 to 16.0), n = 398')

    def test_columns_in_any_order(self):
        self.assertEqual(self.draw(ROWS).returncode, 0)
        expected = self.out.read_bytes()
        self.assertEqual(self.draw([row[::-1] for row in ROWS], COLUMNS[::-1]).returncode, 0)
        self.assertEqual(self.out.read_bytes(), expected)

    def test_what_is_no_table_is_refused(self):
        for rows, columns, what in (([], COLUMNS, 'has no rows'),
                                    (ROWS, COLUMNS[:-1] + ['N'], 'lacks the columns n'),
                                    (ROWS + [ROWS[0]], COLUMNS, 'row 8: series'),
                                    ([['game', 'a', 'hard', .5, .4, .6, 9]], COLUMNS, "found unit 'game'"),
                                    ([['level', 'a', 'harder', .5, .4, .6, 9]], COLUMNS,
                                     "found tier 'harder'"),
                                    ([['level', 'a', 'hard', .7, .4, .6, 9]], COLUMNS,
                                     'the estimate in its interval'),
                                    ([['level', 'a', 'hard', 71, 66, 75, 9]], COLUMNS, 'allowed are shares'),
                                    ([['level', 'a', 'hard', None, 0, 1, 9]], COLUMNS, 'allowed are numbers'),
                                    ([['level', 'a', 'hard']], COLUMNS, 'found 3 values'),
                                    ([['shot', str(i), 'hard', .5, .4, .6, 9] for i in range(9)], COLUMNS,
                                     'found 9 series')):
            result = self.draw(rows, columns)
            self.assertEqual((result.returncode, self.out.exists()), (2, False), result.stderr)
            self.assertIn(what, result.stderr)
        none = self.folder.name + '/none.json'
        self.assertEqual(self.run_tool('draw-detection', none, self.out).returncode, 2)


class Modules(Drawing):
    def test_each_module_stands_below_what_it_uses(self):
        self.assertEqual(self.run_tool('draw-modules', self.out).returncode, 0)
        root = self.picture()
        height = {g.get('data-module'): float(g.find(SVG + 'rect').get('y')) for g in root.iter(SVG + 'g')}
        lines = {(path.get('data-from'), path.get('data-to')) for path in root.iter(SVG + 'path')}
        self.assertIn('core', height)
        self.assertTrue({'app', 'python', 'networks', 'viewer'} <= height.keys())
        for user, used in lines:
            self.assertLess(height[used], height[user])
        for module in height.keys() - {'core'}:
            self.assertTrue(any(user == module for user, _ in lines), module)
        self.assertIn(('dynamics', 'levels'), lines)
        self.assertNotIn(('dynamics', 'core'), lines)  # by way of others

    def test_the_picture_in_docs_is_todays(self):
        self.assertEqual(self.run_tool('draw-modules', self.out).returncode, 0)
        self.assertEqual(self.out.read_text(), (ROOT / 'docs/images/modules.svg').read_text(),
                         'made again by: tools/draw-modules')


@unittest.skipUnless('STARTLE_PROGRAM' in os.environ, 'STARTLE_PROGRAM is not set')
class Levels(Drawing):
    def test_the_worked_example_has_the_numbers_of_the_page(self):
        result = self.run_tool('draw-levels', 'worked-example', self.out, os.environ['STARTLE_PROGRAM'])
        self.assertEqual(result.returncode, 0, result.stderr)
        for words in ('PID = 0.5/2 = 0.25', 'BID = 1/2 \u00d7 0 + 1/2 \u00d7 0.5 = 0.25',
                      'value = (PID + BID)/2 = 0.25'):
            self.assertIn(words, self.words())

    def test_tiers_stand_in_order_of_p_level(self):
        result = self.run_tool('draw-levels', 'tiers', self.out, os.environ['STARTLE_PROGRAM'])
        self.assertEqual(result.returncode, 0, result.stderr)
        words = self.words()
        tiers = ['easy', 'medium', 'hard']
        self.assertEqual([word for word in words if word in tiers], tiers)
        values = [float(word.split()[1]) for word in words if word.startswith('p_level ')]
        self.assertEqual((values, len(values)), (sorted(values, reverse=True), 3))


if __name__ == '__main__':
    unittest.main()
