# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the fuzz targets' seeds with the culprit that was just built: no binaries are kept in the repository.

usage: make_seeds.py CULPRIT FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

LIBRARY = "int twice(int x) { return 2 * x; }\n"
PROGRAM = """\
int twice(int);
int thrice(int);
int main(void) { return twice(21) + thrice(14) - 84; }
"""
ASSEMBLER = """\
.globl thrice
thrice:
  lea (%rdi,%rdi,2), %eax
  ret
.section .note.GNU-stack,"",@progbits
"""

LIST = """\
#include <stdlib.h>
struct node { struct node *next; long value; };
static struct node *push(struct node *head, long value) {
  struct node *node = malloc(sizeof *node);
  node->next = head;
  node->value = value;
  return node;
}
int main(int argc, char **argv) {
  struct node *head = NULL;
  for (long i = 0; i < 20000 * argc + argv[1][0]; ++i) {
    head = push(head, i);
    if (i > 100) {
      struct node *gone = head->next;
      head->next = gone->next;
      free(gone);
    }
  }
  return 0;
}
"""

# A snapshot (abi/explain.h): header, one global variable of 16 bytes, which points to itself.
WORD = "\0" * 7
SNAPSHOT = ("CULSNAP\n\1\0\0\0\1\0\0\0" + "\5" + WORD + "\1" + WORD + "\x60" + WORD
            + "\7" + WORD + "\0\x10" + WORD[1:] + "\x10" + WORD + "\1\0\0\0\1\0\0\0" + "\x50" + WORD
            + "\0\x10" + WORD[1:] + "\1\2\3\4\0\0\0\0")

LINES = {
    "link_line": ["-o\nprog\nmain.o\n-L.\n-ltwice\n-rpath\n$ORIGIN\n--version-script=x.map\n-r\n",
                  "-O2\n-g\n-flto=thin\n-c\n-x\nc\nmain.c\n-Wl,--gc-sections\n-Xlinker\n-z\n@.other\n",
                  "'a b' \"c\\\"d\" e\\ f\n--start-group -l:libx.a --end-group\n"],
    "shell_words": ["-n 3 'two words' \"a $ sign\" x\\ y < in.txt # why", "''", "a'b'\"c\""],
    "cases": ["-n 1\n# nothing\n--name 'a b'\n", "/dev/null\n< /dev/null\n"],
    "cache_note": ['{"program":"prog","flavour":"base","checksum":"0123456789abcdef"}\n',
                   "4000000000\n"],
    "explain_memory": [SNAPSHOT],
    "explain_tables": ['{"strings":["","/a.c","f","malloc"],"points":[["00000000000000ff",1,11,5,2,1,0],'
                       '["0123456789abcdef",1,12,3,2,0,3]],"names":[[2,2],[0,2]]}'],
    "locate_tables": ['{"strings":["","store","/a.c","f","c","load","index"],'
                      '"definitions":[[1,2,11,5,3,4,0,[4]]],"places":[[5,2,12,3,3,4,0,[[4,6]]]]}'],
    "baseline": [
        "# known\naccess-outlier:^f$\ncorruption-*:a.c\n*:best*one\n",
    ],
    "triage_state": [
        '{"tool":"culprit","command":"triage","groups":[{"id":"0123abcd"}],"unresolved":[{"digest":"00"}]}',
        '{"program":"p","digest":"d","located":{"outcome":"located","findings":[{"error":"double-free","execution":1}],'
        '"chain":[{"execution":1,"crash":{"kind":"SIGSEGV","location":{"file":"a.c","line":3},"stack":[]},'
        '"definitions":[{"identity":"x","line":2}]}]}}'],
    "sites": ['{"sites":[{"id":"0123456789abcdef","kind":"alloc","file":"/a/b.c","line":3,"column":9,'
              '"function":"_Z4makev","callee":"malloc","type":"struct node","wrapper":true},'
              '{"id":"fedcba9876543210","kind":"store","from":["hash","less"]}]}', '{"sites":[]}'],
    "access_tables": ['{"accesses":[{"id":"0123456789abcdef","file":"/a.c","line":3,"column":9,"function":"f",'
                      '"read":true,"direct":true,"callee":"strcpy"}],"rows":[{"site":0,"size":8,"flags":1}],'
                      '"variables":[{"kind":"global","name":"t","size":16,"layout":0,"internal":true},'
                      '{"kind":"return","function":"f"}],'
                      '"layouts":[{"type":"struct t","size":16,"rest":1,"members":[{"name":"a","start":0}]}]}'],
    "access_run": ["\x00\x01\x00\x01\x04\x01\x00\x00\x00\x02\x08\x00\x00\x00\x00\x01\x00\x00\x00"],
    "link_record": ['{"linker":"/usr/bin/ld","directory":"/tmp","items":['
                    '{"kind":"object","text":"a.o","path":"/tmp/a.o"},'
                    '{"kind":"file","text":"-T","path":"/tmp/x.map","number":1},'
                    '{"kind":"library","text":"-lm"},{"kind":"output","text":"-o"}]}'],
}


def build(culprit, work):
    """A program, a shared object, objects with and without bitcode, archives; none needs the C library's start."""
    def tool(*arguments):
        subprocess.run([culprit, "cc", *arguments], cwd=work, check=True)
    (work / "twice.c").write_text(LIBRARY)
    (work / "main.c").write_text(PROGRAM)
    (work / "thrice.s").write_text(ASSEMBLER)
    tool("-shared", "-fPIC", "-nostdlib", "-Wl,-soname,libtwice.so", "-o", "libtwice.so", "twice.c")
    tool("-c", "main.c", "-o", "main.o")
    tool("-c", "thrice.s", "-o", "thrice.o")
    tool("-flto", "-c", "main.c", "-o", "lto.o")
    tool("-nostdlib", "-Wl,-e,main", "-Wl,-z,max-page-size=4096,-z,noseparate-code", "-o", "prog",
         "main.o", "thrice.o", "-L.", "-ltwice", "-Wl,-rpath,$ORIGIN")
    for archive, members in (("native.a", ["thrice.o"]), ("mixed.a", ["thrice.o", "main.o"])):
        subprocess.run([culprit.parent / "culprit-ar", "rcs", archive, *members],
                       cwd=work, check=True)


def make_model(culprit, work, path):
    """Two short runs of a program that keeps a list."""
    (work / "list.c").write_text(LIST)
    (work / "cases").write_text("1\n2\n")
    subprocess.run([culprit, "cc", "-O1", "list.c", "-o", "list"], cwd=work, check=True)
    subprocess.run([culprit, "train", "-q", "--cases", "cases", "-m", path.resolve(), "--", "./list"], cwd=work,
                   check=True, env=dict(os.environ, XDG_CACHE_HOME=str(work / "cache")),
                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def section(path):
    """The bytes of the frames' section of an ELF file, as objcopy sees them."""
    out = path.with_suffix(".section")
    subprocess.run(["/usr/lib/llvm-19/bin/llvm-objcopy", f"--dump-section=.llvmcmd={out}", path,
                    "/dev/null"], check=True)
    return out


def main():
    culprit, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("run_file", "frames", "carried", "needed", "self_carrying", "interface_stub", "model",
                 *LINES):
        (folder / name).mkdir(parents=True)
    for name, texts in LINES.items():
        for number, text in enumerate(texts):
            (folder / name / f"{number}.txt").write_text(text)
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        build(culprit, work)
        make_model(culprit, work, folder / "model" / "list.model")
        shutil.copy(section(work / "prog"), folder / "frames")
        shutil.copy(section(work / "main.o"), folder / "frames")
        for target, files in (("carried", ["prog", "libtwice.so", "main.o", "thrice.o"]),
                              ("needed", ["prog", "libtwice.so"]),
                              ("interface_stub", ["libtwice.so"]),
                              ("self_carrying", ["thrice.o", "main.o", "lto.o", "native.a", "mixed.a"])):
            for file in files:
                shutil.copy(work / file, folder / target)


if __name__ == "__main__":
    main()
