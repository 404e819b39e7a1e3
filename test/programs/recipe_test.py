# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about the recipes themselves."""

import unittest

import recipe
from suite_results import PARSERS

MINIMAL = 'source = "x"\nlanguage = "C"\nexecutables = ["x"]\nbuild = "make"\n'


class Recipes(unittest.TestCase):
    def test_a_misspelt_key_is_refused(self):
        with self.assertRaisesRegex(ValueError, "packags"):
            recipe.parse("x", 'packags = []\n' + MINIMAL)

    def test_every_recipe_loads_and_has_tests_that_can_be_read(self):
        for name in recipe.names():
            with self.subTest(name):
                loaded = recipe.load(name)
                self.assertTrue(loaded.suites or loaded.pairs)
                for suite in loaded.suites:
                    self.assertIn(suite.results, PARSERS)

    def test_executables_of_one_recipe_have_different_names(self):
        # They are kept in one folder, under their own names.
        for name in recipe.names():
            files = [path.rsplit("/", 1)[-1] for path in recipe.load(name).executables]
            self.assertEqual(len(files), len(set(files)), name)

    def test_tests_of_one_recipe_have_different_names(self):
        for name in recipe.names():
            loaded = recipe.load(name)
            names = [pair.name for pair in loaded.pairs] + [s.name for s in loaded.suites]
            self.assertEqual(len(names), len(set(names)), name)


if __name__ == "__main__":
    unittest.main()
