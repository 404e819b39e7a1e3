#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The allocator beside glibc's and mimalloc, by LD_PRELOAD, on allocation-heavy programs, in one run.

Interleaved (every program once under each allocator, then again), user + system time, minimum of the rounds, peak
resident memory; ratios against glibc, geometric means. --small only proves that the harness works.
"""
import argparse, datetime, json, math, os, pathlib, platform, shutil, subprocess, sys, tempfile

HERE = pathlib.Path(__file__).resolve().parent
SMALL = {"small_churn": "100000", "threads_larson": "100000", "trees_lists": "1", "string_realloc": "100000",
         "mixed_sizes": "100000", "large_blocks": "100", "containers": "1", "cross_thread": "100000"}
PERL = ("my %h; for my $i (1..{n}) {{ $h{{\"k$i\"}} = [$i, \"v\" x ($i % 50)]; delete $h{{\"k\".($i-1000)}} if $i > 1000 }}"
        " my @s = sort keys %h; print scalar(@s), \"\\n\";")
PYTHON = ("import re\nd={{}}\nfor i in range({n}):\n d[str(i)]=[i,(i,str(i)*(i%9))]\n if i>5000: del d[str(i-5000)]\n"
          "print(len(d), len(re.split('a', 'xa'*{n})))")
AWK = "BEGIN {{ for (i = 0; i < {n}; i++) {{ a[i % 9973] = a[i % 9973] \"x\" i; if (length(a[i % 9973]) > 300) a[i % 9973] = \"\" }} print length(a[7]) }}"
SQL = ("create table t(a integer primary key, b text, c real); with recursive n(i) as (select 1 union all select i+1 from n "
       "where i<{n}) insert into t select i, 'row number '||i, i*0.5 from n; create index x on t(b); "
       "select count(*), sum(c), max(b) from t; select count(*) from t t1 join t t2 on t1.b=t2.b where t1.a%7=0; "
       "select length(group_concat(b)) from t;")
FILLER = "#include <map>\n#include <regex>\n#include <string>\nint f(std::map<int,std::string>&m){return std::regex_match(m[1],std::regex(m[2]));}\n"


def real_programs(small, folder):
    n = 3000 if small else 400000
    source = folder / "unit.cpp"
    source.write_text("int main(){}\n" if small else FILLER)
    candidates = {
        "perl": ["perl", "-e", PERL.format(n=n)],
        "python3": ["python3", "-c", PYTHON.format(n=n)],
        "gawk" if shutil.which("gawk") else "mawk": ["gawk" if shutil.which("gawk") else "mawk", AWK.format(n=n * 5)],
        "sqlite3": ["sqlite3", ":memory:", SQL.format(n=n)],
        "clang-19": ["clang++-19", "-fsyntax-only", "-O2", str(source)],
    }
    return {name: command for name, command in candidates.items() if shutil.which(command[0])}


def own_programs(small, folder):
    programs = {}
    for source in sorted((HERE / "programs").glob("*.c*")):
        binary = folder / source.stem
        compiler = "clang++-19" if source.suffix == ".cpp" else "clang-19"
        subprocess.run([compiler, "-O2", "-pthread", "-o", binary, source], check=True)
        programs[source.stem] = [str(binary)] + ([SMALL[source.stem]] if small else [])
    return programs


def measure(launcher, command, preload):
    environment = dict(os.environ, LC_ALL="C", PYTHONMALLOC="malloc", PERL_HASH_SEED="0", PYTHONHASHSEED="0")
    reader, writer = os.pipe()
    with os.fdopen(reader) as numbers:
        process = subprocess.Popen(["sh", "-c", f'exec "$@" 3>&{writer} {writer}>&-', "sh", launcher, str(preload or "")] + command,
                                   stdout=subprocess.PIPE, env=environment, pass_fds=[writer])
        os.close(writer)
        output = process.communicate()[0]
        if process.returncode:
            sys.exit(f"{command[0]} failed under {preload or 'glibc'}: {process.returncode}")
        user, system, peak = numbers.read().split()
    return float(user) + float(system), int(peak), output


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def cpu_model():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def table(result, names):
    lines = ["# Allocator: culprit beside glibc and mimalloc", "",
             f"{result['date']}, {result['cpu']}, {result['cores']} cores, {result['system']}. "
             f"User + system seconds, minimum of {result['rounds']} interleaved rounds; "
             "peak resident MiB; ratios against glibc. Made by `bench/allocator/run.py`.", "",
             "| program | " + " | ".join(f"{n} s" for n in names) + " | " +
             " | ".join(f"{n} ratio" for n in names[1:]) + " | " + " | ".join(f"{n} MiB" for n in names) + " |",
             "|---|" + "---:|" * (3 * len(names) - 1)]
    for row in result["programs"]:
        lines.append(f"| {row['program']} | " + " | ".join(f"{row[n]['seconds']:.3f}" for n in names) + " | " +
                     " | ".join(f"{row[n]['time_ratio']:.2f}" for n in names[1:]) + " | " +
                     " | ".join(f"{row[n]['peak_kib'] / 1024:.1f}" for n in names) + " |")
    lines.append("")
    for n in names[1:]:
        mean = result["geometric_mean"][n]
        lines.append(f"Geometric mean of {n} against glibc: time {mean['time']:.3f}, peak memory {mean['memory']:.3f}.")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--library", default=HERE.parents[1] / "build/release/lib/culprit/libculprit_preload.so")
    parser.add_argument("--output", default=HERE, type=pathlib.Path, help="folder for results.md and results.json")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", help="programs to run; nothing is written then")
    parser.add_argument("--small", action="store_true", help="tiny inputs, one round, for the tests")
    options = parser.parse_args()
    mimalloc = next(pathlib.Path("/usr/lib").glob("*/libmimalloc.so.2"), None)
    allocators = {"glibc": None, "culprit": options.library}
    if mimalloc:
        allocators["mimalloc"] = mimalloc
    names = list(allocators)
    rounds = 1 if options.small else options.rounds
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        launcher = folder / "launch"
        subprocess.run(["clang-19", "-O2", "-o", launcher, HERE / "launch.c"], check=True)
        programs = own_programs(options.small, folder) | real_programs(options.small, folder)
        if options.only:
            programs = {k: v for k, v in programs.items() if k in options.only}
        best = {p: {n: [math.inf, 0] for n in names} for p in programs}
        for _ in range(rounds):
            for program, command in programs.items():
                outputs = set()
                for name in names:
                    seconds, peak, output = measure(launcher, command, allocators[name])
                    outputs.add(output)
                    best[program][name][0] = min(best[program][name][0], seconds)
                    best[program][name][1] = max(best[program][name][1], peak)
                if len(outputs) != 1:
                    sys.exit(f"{program}: output differs between allocators")
    rows = []
    for program, by_name in best.items():
        base_seconds, base_peak = by_name["glibc"]
        rows.append({"program": program} | {
            n: {"seconds": s, "peak_kib": k, "time_ratio": s / max(base_seconds, 1e-6), "memory_ratio": k / base_peak}
            for n, (s, k) in by_name.items()})
    result = {"date": datetime.date.today().isoformat(), "cpu": cpu_model(), "cores": os.cpu_count(),
              "system": f"{platform.system()} {platform.release().split('-')[0]}", "rounds": rounds, "programs": rows,
              "geometric_mean": {n: {"time": geometric_mean([max(r[n]["time_ratio"], 1e-6) for r in rows]),
                                     "memory": geometric_mean([r[n]["memory_ratio"] for r in rows])} for n in names[1:]}}
    text = table(result, names)
    print(text)
    if not options.only:
        for suffix, content in (("md", text), ("json", json.dumps(result, indent=1) + "\n")):
            temporary = options.output / f".results.{suffix}.{os.getpid()}"
            temporary.write_text(content)
            temporary.rename(options.output / f"results.{suffix}")


if __name__ == "__main__":
    main()
