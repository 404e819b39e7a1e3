#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs in several configurations and writes one table (Markdown and JSON).

Repetitions are the outer loop and configurations the inner one, so that a slow minute of a shared
machine falls on all configurations alike. Time is user + system of the program's own process tree.
Every output is compared: with small.expected at the small size, otherwise with the baseline's output.
Exit code: 0 measured; 1 a program gave wrong output, crashed or did not build; 2 could not run.
"""

import argparse
import ctypes
import datetime
import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import real_inputs  # noqa: E402
import table  # noqa: E402
from configurations import CONFIGURATIONS  # noqa: E402


class CannotRun(Exception):
    """One line for the user; exit code 2."""


class Failed(Exception):
    """What the cell shows instead of a time."""


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


# What is measured: an entry has a name, its workloads, and a function from configuration to executable.

class OwnProgram:
    def __init__(self, name, row, size):
        self.name, self.kind = name, "own"
        folder = HERE / "programs" / name
        self.sources = [folder / source for source in row["sources"]]
        self.is_cxx = self.sources[0].suffix == ".cpp"
        self.workloads = [{"args": row[size]}]
        expected = folder / "small.expected"
        self.expected = [expected.read_bytes()] if size == "small" and expected.exists() else None

    def executable(self, configuration, bench):
        command = bench.compile_command(self, configuration)
        key = hashlib.sha256("\0".join(command).encode()).hexdigest()[:16]
        path = bench.work / "bin" / f"{self.name}-{key}"
        if key not in bench.built:
            path.parent.mkdir(parents=True, exist_ok=True)
            run_tool(command + ["-o", str(path)], "build failed")
            bench.built.add(key)
        return path


class RealProgram:
    def __init__(self, name, workloads, folder):
        self.name, self.kind = name, "real"
        self.folder = folder
        self.workloads = workloads
        self.expected = None

    def executable(self, configuration, bench):
        path = self.folder / configuration.real / self.name
        return path.resolve() if path.exists() else None


def run_tool(command, what):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        say(f"{what}: {' '.join(command)}\n{done.stderr.strip()}")
        raise Failed(what)
    return done.stdout


class Bench:
    def __init__(self, options):
        self.options = options
        self.culprit = Path(options.culprit)
        self.work = Path(options.work)
        self.inputs = self.work / f"inputs-{options.size}"
        self.built = set()
        self.left_out = []
        self.failed = False
        self.partial = False

    def leave_out(self, text):
        say(f"left out: {text}")
        self.left_out.append(text)

    def with_culprit(self, words):
        return [str(self.culprit) if word == "{culprit}" else word for word in words]

    def compile_command(self, program, configuration):
        driver = configuration.cxx if program.is_cxx else configuration.cc
        standard = "-std=c++20" if program.is_cxx else "-std=c17"
        return (self.with_culprit(driver) + [standard, *configuration.flags]
                + [str(source) for source in program.sources] + ["-lm"])

    def missing(self, configuration):
        """The first thing this configuration lacks here, as a clause, or None."""
        if "{culprit}" in configuration.cc and not os.access(self.culprit, os.X_OK):
            return "culprit is not built (cmake --build --preset release, or --culprit PATH)"
        if "{culprit}" not in configuration.cc and not shutil.which(configuration.cc[0]):
            return f"{configuration.cc[0]} is not installed"
        for need in configuration.needs:
            if ".so" in need:
                try:
                    ctypes.CDLL(need)
                except OSError:
                    return f"{need} is not installed"
            elif not shutil.which(need):
                return f"{need} is not installed"
        return None

    def choose_configurations(self):
        names = self.options.configurations
        known = {row.name: row for row in CONFIGURATIONS}
        for name in names or []:
            if name not in known:
                raise CannotRun(f"no configuration '{name}'; there are: {', '.join(known)}")
        chosen = [known[name] for name in names] if names else [c for c in CONFIGURATIONS if c.default]
        usable = []
        for row in chosen:
            lacking = self.missing(row)
            if lacking and names:
                raise CannotRun(f"configuration '{row.name}': {lacking}")
            if lacking:
                self.leave_out(f"configuration {row.name}: {lacking}")
            elif self.options.build_cost and (row.flavour or row.prefix or row.environment
                                              and row.flags == ("-O2",)):
                continue  # not a build of its own
            else:
                usable.append(row)
        if not usable:
            raise CannotRun("no configuration is left to run")
        return usable

    def choose_programs(self):
        size = self.options.size
        own = json.loads((HERE / "programs.json").read_text())
        real = json.loads((HERE / "real.json").read_text())
        names = self.options.programs
        for name in names or []:
            if name not in own and name not in real:
                raise CannotRun(f"no program '{name}'; there are: {', '.join([*own, *real])}")
        chosen = [OwnProgram(name, row, size) for name, row in own.items()
                  if not names or name in names]
        if self.options.real_dir and not self.options.build_cost:
            folder = Path(self.options.real_dir)
            chosen += [RealProgram(name, row, folder) for name, row in real.items()
                       if not names or name in names]
        elif names and any(name in real for name in names):
            raise CannotRun("real programs need --real-dir DIR and have no --build-cost")
        return chosen

    def prepare(self, programs, configurations):
        """{(program, configuration): executable}; what cannot be made is an error in the table."""
        measure = self.work / "measure"
        self.work.mkdir(parents=True, exist_ok=True)
        run_tool(["clang-19", "-O2", str(HERE / "measure.c"), "-o", str(measure)], "build of measure.c")
        if any(program.kind == "real" for program in programs):
            real_inputs.generate(self.inputs, self.options.size)
        executables = {}
        for program in programs:
            for row in configurations:
                if row.c_only and getattr(program, "is_cxx", False):
                    self.leave_out(f"{program.name} in {row.name}: C++")
                    continue
                say(f"building {program.name} for {row.name}")
                try:
                    path = program.executable(row, self)
                    if path and row.flavour:
                        path = run_tool([str(self.culprit), "flavour", row.flavour, str(path)],
                                        "flavour failed").strip()
                except Failed as failure:
                    path = failure
                if path is None:
                    self.leave_out(f"{program.name} in {row.name}: not in the --real-dir folder "
                                   f"'{row.real}'")
                else:
                    executables[program.name, row.name] = path
        return executables

    def names(self, executable):
        """The table that --deep gives its tool of an executable's debug information, made once."""
        table = Path(f"{executable}.names")
        if not table.exists():
            writer = self.culprit.resolve().parent.parent / "test" / "deep" / "deep_write_names"
            run_tool([str(writer), str(table), str(executable)], "names of variables")
        if not table.exists():
            raise Failed("no debug information")
        return table

    def filled(self, text, scratch):
        """A word of a configuration with its folders."""
        parts = self.culprit.resolve().parent.parent / "lib" / "culprit"
        return text.replace("{scratch}", str(scratch)).replace("{parts}", str(parts))

    def measured(self, command, environment, stdin, scratch):
        """(output, seconds, peak KiB) of one command, started by the small measure program."""
        report = self.work / "measured"
        report.unlink(missing_ok=True)
        settings = [f"{name}={self.filled(value, scratch)}" for name, value in environment.items()]
        with tempfile.TemporaryFile(dir=self.work) as out, open(stdin or os.devnull, "rb") as given:
            process = subprocess.Popen(
                [str(self.work / "measure"), str(report), *settings, "--", *command], stdin=given,
                stdout=out, stderr=subprocess.DEVNULL, cwd=scratch, start_new_session=True,
                env={**os.environ, "LC_ALL": "C", "TZ": "UTC0"})
            try:
                process.wait(self.options.timeout)
            except subprocess.TimeoutExpired:
                raise Failed(f"no end after {self.options.timeout} s") from None
            finally:
                if process.poll() is None:  # timeout or Ctrl-C: its session is ours alone
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
            if process.returncode != 0:
                raise Failed("measure failed")
            out.seek(0)
            output = out.read()
        status, user, system, peak = report.read_text().split()
        if int(status) > 128:
            raise Failed(f"crashed (signal {int(status) - 128})")
        if status != "0":
            raise Failed(f"exit code {status}")
        return output, float(user) + float(system), int(peak)

    def run_once(self, program, row, executable):
        """One repetition: all workloads of a program. Returns (outputs, seconds, peak KiB)."""
        if isinstance(executable, Failed):
            raise executable
        outputs, seconds, peak = [], 0.0, 0
        for workload in program.workloads:
            with tempfile.TemporaryDirectory(dir=self.work) as scratch:
                def filled(text):
                    return text.replace("{inputs}", str(self.inputs))
                prefix = [self.filled(word, scratch) for word in row.prefix]
                if any("{names}" in word for word in prefix):
                    prefix = [word.replace("{names}", str(self.names(executable))) for word in prefix]
                command = [*prefix, str(executable), *map(filled, workload["args"])]
                stdin = filled(workload["stdin"]) if "stdin" in workload else None
                output, time, memory = self.measured(command, row.environment, stdin, scratch)
            outputs.append(output)
            seconds += time
            peak = max(peak, memory)
        return outputs, seconds, peak

    def build_once(self, program, row, _executable):
        """One repetition of --build-cost: the compile command itself is what is measured."""
        with tempfile.TemporaryDirectory(dir=self.work) as scratch:
            made = Path(scratch) / program.name
            command = self.compile_command(program, row) + ["-o", str(made)]
            _, seconds, peak = self.measured(command, {}, None, scratch)
            return made.stat().st_size, seconds, peak

    def measure_all(self, programs, configurations, executables):
        rows = [{"name": program.name, "kind": program.kind, "cells": {}} for program in programs]
        expected = {program.name: program.expected for program in programs}
        build = self.options.build_cost
        try:
            for repetition in range(self.options.repeat):
                say(f"repetition {repetition + 1} of {self.options.repeat}")
                # There and back: who is executed right behind a configuration that has just given
                # much memory back finds it at hand, and who comes first has to wait for it (on
                # virtual machines for the host). With two repetitions that is each of two neighbours.
                turns = configurations if repetition % 2 == 0 else configurations[::-1]
                for program, row in zip(programs, rows):
                    for configuration in turns:
                        executable = executables.get((program.name, configuration.name))
                        if executable is None and not build:
                            continue
                        cell = row["cells"].setdefault(
                            configuration.name,
                            {"samples": [], "peak_kib": None, "size": None, "error": None})
                        if cell["error"]:
                            continue
                        once = self.build_once if build else self.run_once
                        try:
                            result, seconds, peak = once(program, configuration, executable)
                            if build:
                                cell["size"] = result
                            else:
                                if expected[program.name] is None:
                                    expected[program.name] = result
                                if result != expected[program.name]:
                                    raise Failed("wrong output")
                        except Failed as failure:
                            cell["error"] = str(failure)
                            self.failed = True
                            say(f"ERROR: {program.name} in {configuration.name}: {failure}")
                            continue
                        cell["samples"].append(round(seconds, 6))
                        # The least peak, as for time: extra pages of one run are the noise.
                        cell["peak_kib"] = min(peak, cell["peak_kib"] or peak)
        except KeyboardInterrupt:
            self.partial = True
            say("interrupted: keeping what has been measured")
        for row in rows:
            for cell in row["cells"].values():
                table.finish_cell(cell)
        return rows


def machine():
    """What a reader needs to judge the numbers; nothing that names the host."""
    cpu = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                if line.startswith("model name")), platform.machine())
    version = subprocess.run(["clang-19", "--version"], capture_output=True, text=True).stdout
    return {"cpu": cpu, "cores": os.cpu_count(), "kernel": "Linux " + platform.release(),
            "compiler": version.splitlines()[0].strip() if version else "no clang-19"}


def write_whole(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(text, encoding="utf-8")
    temporary.rename(path)


def parse(arguments):
    def names(text):
        return [name for name in text.split(",") if name]

    def positive(text):
        if int(text) < 1:
            raise argparse.ArgumentTypeError("must be at least 1")
        return int(text)

    root = HERE.parent
    parser = argparse.ArgumentParser(prog="bench/run.py", description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=names, help="only these, comma separated")
    parser.add_argument("--configurations", type=names, help="only these; the first is the baseline")
    parser.add_argument("--size", choices=["small", "medium", "full", "long"], default="full")
    parser.add_argument("--repeat", type=positive, default=5, help="repetitions (default 5)")
    parser.add_argument("--timeout", type=positive, default=600, help="seconds for one execution")
    parser.add_argument("--culprit", default=root / "build/release/bin/culprit", metavar="PATH")
    parser.add_argument("--real-dir", metavar="DIR", help="holds DIR/plain/gzip, DIR/culprit/gzip, …")
    parser.add_argument("--work", default=root / "build/bench", metavar="DIR",
                        help="where programs are built (default build/bench)")
    parser.add_argument("--build-cost", action="store_true",
                        help="measure the compilers instead: build time and file size")
    parser.add_argument("--out", type=Path, metavar="NAME", help="write NAME.md and NAME.json")
    options = parser.parse_args(arguments)
    # Absolute, as programs run in scratch folders.
    options.culprit, options.work = os.path.abspath(options.culprit), os.path.abspath(options.work)
    return options


def stop(_signal, _frame):
    raise KeyboardInterrupt


def main(arguments=None):
    options = parse(arguments)
    # A polite end is an interrupt too: the first long run of this harness was lost to a SIGTERM.
    signal.signal(signal.SIGTERM, stop)
    bench = Bench(options)
    try:
        configurations = bench.choose_configurations()
        programs = bench.choose_programs()
        executables = {}
        if options.build_cost:
            bench.prepare([], [])
        else:
            executables = bench.prepare(programs, configurations)
    except CannotRun as reason:
        print(f"bench: error: {reason}", file=sys.stderr)
        return 2
    except Failed:
        return 2
    except KeyboardInterrupt:
        print("bench: interrupted before anything was measured", file=sys.stderr)
        return 2
    rows = bench.measure_all(programs, configurations, executables)
    rows = [row for row in rows if row["cells"]]
    mode = "build" if options.build_cost else "run"
    names = [row.name for row in configurations]
    measures = [row[0] for row in table.MEASURES[mode]]
    means = table.add_ratios(rows, names[0], names, measures)
    big = [row for row in rows if table.is_big(row, names[0])]
    big_means = table.add_ratios(big, names[0], names, measures) if big else None
    result = {"tool": "culprit-bench", "version": 1, "mode": mode,
              "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
              "machine": machine(), "size": options.size, "repeat": options.repeat,
              "partial": bench.partial, "baseline": names[0],
              "configurations": [{"name": row.name, "about": row.about} for row in configurations],
              "programs": rows, "means": means, "big_means": big_means,
              "left_out": bench.left_out}
    text = table.markdown(result)
    if options.out:
        write_whole(options.out.with_name(options.out.name + ".json"),
                    json.dumps(result, indent=1) + "\n")
        write_whole(options.out.with_name(options.out.name + ".md"), text)
    print(text)
    return 1 if bench.failed or bench.partial else 0


if __name__ == "__main__":
    sys.exit(main())
