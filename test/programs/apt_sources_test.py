# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Claims about apt_sources.py."""

import unittest

from apt_sources import Source, as_deb_src, debian_sources, parse_deb822, parse_one_line


class OneLine(unittest.TestCase):
    def test_options_components_and_trailing_comments_are_read(self):
        text = "deb [arch=amd64 signed-by=/k.gpg] http://m/debian bookworm main contrib # mine\n"
        self.assertEqual(
            parse_one_line(text),
            [Source("http://m/debian", "bookworm", ("main", "contrib"), "/k.gpg")],
        )

    def test_commented_lines_and_flat_archives_are_left_out(self):
        text = "# deb http://m/debian bookworm main\ndeb http://m/x ./\n"
        self.assertEqual(parse_one_line(text), [])

    def test_a_list_without_options_has_no_key(self):
        self.assertEqual(parse_one_line("deb http://m/debian bookworm main")[0].signed_by, "")


class Deb822(unittest.TestCase):
    def test_each_uri_is_paired_with_each_suite(self):
        text = ("Types: deb\nURIs: http://a/debian http://b/debian\nSuites: s s-updates\n"
                "Components: main\n")
        found = {(source.uri, source.suite) for source in parse_deb822(text)}
        self.assertEqual(len(found), 4)

    def test_comments_inside_a_stanza_do_not_end_it(self):
        text = "Types: deb\n# the snapshot\nURIs: http://a/debian\nSuites: s\nComponents: main\n"
        self.assertEqual(parse_deb822(text), [Source("http://a/debian", "s", ("main",))])

    def test_disabled_stanzas_are_left_out(self):
        self.assertEqual(parse_deb822("Enabled: no\nURIs: http://a/debian\nSuites: s\n"), [])

    def test_a_key_in_the_text_is_kept_whole(self):
        text = ("URIs: http://a/debian\nSuites: s\nComponents: main\n"
                "Signed-By:\n -----BEGIN-----\n .\n abc\n")
        self.assertEqual(parse_deb822(text)[0].signed_by, "-----BEGIN-----\n.\nabc")


class DebianOnly(unittest.TestCase):
    def pick(self, text, name="x.list"):
        return [source.uri for source in debian_sources([(name, text)], "bookworm")]

    def test_other_vendors_archives_are_left_out(self):
        self.assertEqual(self.pick("deb http://v/linux/debian bookworm stable\n"), [])
        self.assertEqual(self.pick("deb http://v/bookworm llvm-bookworm-19 main\n"), [])
        self.assertEqual(self.pick("deb http://v/node nodistro main\n"), [])
        self.assertEqual(self.pick("deb http://v/apt bookworm main\n"), [])

    def test_backports_and_other_releases_are_left_out(self):
        self.assertEqual(self.pick("deb http://m/debian bookworm-backports main\n"), [])
        self.assertEqual(self.pick("deb http://m/debian trixie main\n"), [])

    def test_release_updates_and_security_are_kept_each_once(self):
        text = ("deb http://m/debian/ bookworm main\ndeb-src http://m/debian bookworm main\n"
                "deb http://m/debian bookworm-updates main\n"
                "deb http://m/debian-security bookworm-security main\n")
        self.assertEqual(len(self.pick(text)), 3)

    def test_a_file_of_mirrors_counts_as_debians(self):
        self.assertEqual(
            self.pick("deb mirror+file:/etc/apt/mirrors/debian.list bookworm main\n"),
            ["mirror+file:/etc/apt/mirrors/debian.list"],
        )

    def test_the_new_form_is_recognised_under_an_old_name(self):
        text = "Types: deb\nURIs: http://m/debian\nSuites: bookworm\nComponents: main\n"
        self.assertEqual(self.pick(text, "sources.list"), ["http://m/debian"])


class Written(unittest.TestCase):
    def test_what_is_written_reads_back_with_debians_key_where_none_was_given(self):
        text = as_deb_src([Source("http://m/debian", "bookworm", ("main",))])
        self.assertIn("Types: deb-src", text)
        self.assertTrue(parse_deb822(text)[0].signed_by.endswith("debian-archive-keyring.gpg"))

    def test_a_key_in_the_text_survives_the_round_trip(self):
        source = Source("http://m/debian", "bookworm", ("main",), "-----BEGIN-----\n.\nabc")
        self.assertEqual(parse_deb822(as_deb_src([source])), [source])


if __name__ == "__main__":
    unittest.main()
