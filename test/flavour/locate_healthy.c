// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With nothing to suppress, the flavours of locate do what the plain program does: long jumps,
// signals, variable arguments, values by copy, callbacks, inline assembler, vectors, computed
// gotos, contexts, processes, the C library.
//
// RUN: rm -rf %t && mkdir %t && culprit cc -w -g -O2 %s -o %t/program -lm
// RUN: cd %t && ./program > plain
// RUN: cd %t && $(culprit flavour trace program) > trace && cmp plain trace
// RUN: cd %t && $(culprit flavour suppress program) > suppress && cmp plain suppress
#define _GNU_SOURCE
#include <alloca.h>
#include <complex.h>
#include <emmintrin.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

struct big {
  int a[20];
  double d;
};
struct small {
  char c;
  short s;
};
struct pair {
  long x;
  double y;
};
static jmp_buf env;
static sigjmp_buf senv;

static void deep(int n) {
  volatile char buf[100];
  buf[n] = n;
  if (n == 0)
    longjmp(env, 7);
  deep(n - 1);
}
static void t_setjmp(void) {
  volatile int count = 0;
  char keep[32];
  strcpy(keep, "kept");
  int r = setjmp(env);
  if (r) {
    count++;
    printf("back %d %d %s\n", r, count, keep);
    if (count < 3)
      deep(50);
    return;
  }
  int vla[count + 10];
  memset(vla, 0, sizeof vla);
  vla[3] = 4;
  deep(vla[3] + 20);
}
static void on_segv(int s, siginfo_t *i, void *c) {
  (void)i;
  (void)c;
  siglongjmp(senv, s);
}
static void on_usr(int s) {
  char b[64];
  snprintf(b, sizeof b, "signal %d\n", s);
  write(1, b, strlen(b));
}
static void t_signals(void) {
  struct sigaction sa;
  memset(&sa, 0, sizeof sa);
  sa.sa_handler = on_usr;
  sigaction(SIGUSR1, &sa, 0);
  fflush(stdout);
  raise(SIGUSR1);
  sa.sa_flags = SA_SIGINFO;
  sa.sa_sigaction = on_segv;
  sigaction(SIGUSR2, &sa, 0);
  if (sigsetjmp(senv, 1) == 0) {
    kill(getpid(), SIGUSR2);
    puts("not here");
  } else
    puts("siglongjmp");
  char alt[SIGSTKSZ > 65536 ? 65536 : 65536];
  stack_t st = {.ss_sp = alt, .ss_size = sizeof alt};
  sigaltstack(&st, 0);
  sa.sa_flags = SA_ONSTACK;
  sa.sa_handler = on_usr;
  sigaction(SIGUSR1, &sa, 0);
  raise(SIGUSR1);
  st.ss_flags = SS_DISABLE;
  sigaltstack(&st, 0);
}
static double sum(int n, ...) {
  va_list ap, aq;
  va_start(ap, n);
  va_copy(aq, ap);
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += va_arg(ap, int);
    s += va_arg(ap, double);
    s += va_arg(ap, struct big).d;
    s += va_arg(ap, struct small).s;
    struct pair p = va_arg(ap, struct pair);
    s += p.x + p.y;
    s += (double)va_arg(ap, long double);
    s += (double)va_arg(ap, __int128);
  }
  s += va_arg(aq, int);
  va_end(ap);
  va_end(aq);
  return s;
}
static int vsum(const char *f, va_list ap) {
  int s = 0;
  for (; *f; f++)
    s += *f == 'i' ? va_arg(ap, int) : *f == 'l' ? (int)va_arg(ap, long) : (int)va_arg(ap, double);
  return s;
}
static int wsum(const char *f, ...) {
  va_list ap;
  va_start(ap, f);
  int r = vsum(f, ap);
  va_end(ap);
  return r;
}
static struct big make_big(int n) {
  struct big b;
  for (int i = 0; i < 20; i++)
    b.a[i] = n + i;
  b.d = n / 2.0;
  return b;
}
static int use_big(struct big b, struct small s, struct pair p) {
  b.a[3]++;
  return b.a[3] + b.a[19] + s.c + s.s + (int)p.x;
}
static void t_args(void) {
  struct big b = make_big(5);
  struct small s = {1, 2};
  struct pair p = {3, 4.5};
  printf("%g %d %d\n",
         sum(2, 1, 2.0, b, s, p, 1.5L, (__int128)9, 1, 2.0, b, s, p, 2.5L, (__int128)10),
         wsum("ildildildild", 1, 2L, 3.0, 4, 5L, 6.0, 7, 8L, 9.0, 10, 11L, 12.0), use_big(b, s, p));
  int (*f)(struct big, struct small, struct pair) = use_big;
  printf("%d\n", f(make_big(9), s, p));
}
static int cmp(const void *a, const void *b) {
  struct pair x = *(const struct pair *)a, y = *(const struct pair *)b;
  return (x.x > y.x) - (x.x < y.x);
}
static void t_callback(void) {
  struct pair v[100];
  for (int i = 0; i < 100; i++)
    v[i] = (struct pair){(i * 37) % 101, i};
  qsort(v, 100, sizeof *v, cmp);
  long h = 0;
  for (int i = 0; i < 100; i++)
    h = h * 31 + v[i].x;
  printf("%ld\n", h);
  struct pair k = {5, 0};
  struct pair *q = bsearch(&k, v, 100, sizeof *v, cmp);
  printf("%ld\n", q->x);
}
static void t_asm(void) {
  int a = 5, b = 7, c;
  __asm__("addl %1,%0" : "=r"(c) : "r"(a), "0"(b));
  int m = 3;
  __asm__ volatile("incl %0" : "+m"(m));
  int arr[4] = {1, 2, 3, 4};
  __asm__ volatile("movl $9,4(%0)" : : "r"(arr) : "memory");
  unsigned ax, bx, cx, dx;
  __asm__ volatile("cpuid" : "=a"(ax), "=b"(bx), "=c"(cx), "=d"(dx) : "a"(0));
  (void)ax;
  (void)cx;
  (void)dx;
  __asm__ goto("testl %0,%0; jnz %l1" : : "r"(c) : "cc" : nonzero);
  puts("zero");
  goto end;
nonzero:
  puts("nonzero");
end:
  printf("%d %d %d %d\n", c, m, arr[1], bx != 0);
}
typedef int v4 __attribute__((vector_size(16)));
static v4 addv(v4 a, v4 b) { return a * b + a; }
static void t_vectors(void) {
  v4 a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  v4 c = addv(a, b);
  v4 d = a < b;
  printf("%d %d %d\n", c[0], c[3], d[1]);
  for (int i = 0; i < 4; i++)
    c[i] += i;
  printf("%d\n", c[2]);
  float f[40];
  for (int i = 0; i < 40; i++)
    f[i] = i;
  float s = 0;
  for (int i = 0; i < 40; i += 4) {
    __m128 x = _mm_loadu_ps(f + i);
    x = _mm_mul_ps(x, x);
    float o[4];
    _mm_storeu_ps(o, x);
    s += o[0] + o[1] + o[2] + o[3];
  }
  printf("%g\n", s);
  __m128i z = _mm_set1_epi8(3);
  z = _mm_cmpeq_epi8(z, _mm_set1_epi8(3));
  printf("%d\n", _mm_movemask_epi8(z));
  double complex q = 1 + 2 * I;
  q = q * q / (3 - I);
  printf("%.6f %.6f\n", creal(q), cimag(q));
  long double ld = 1;
  for (int i = 1; i < 30; i++)
    ld *= i;
  printf("%.3Le\n", ld);
  __int128 w = 1;
  for (int i = 0; i < 100; i++)
    w = w * 3 + i;
  printf("%lx\n", (unsigned long)(w >> 64));
}
static void t_goto(void) {
  static void *table[] = {&&a, &&b, &&c, &&d};
  unsigned char code[] = {0, 1, 2, 1, 2, 0, 3};
  int pc = 0, acc = 1;
  goto *table[code[pc]];
a:
  acc += 1;
  goto *table[code[++pc]];
b:
  acc *= 3;
  goto *table[code[++pc]];
c:
  acc -= 2;
  goto *table[code[++pc]];
d:
  printf("%d\n", acc);
}
struct bits {
  unsigned a : 3, b : 7, c : 22;
  unsigned long long d : 40;
} __attribute__((packed));
union u {
  double d;
  uint64_t u;
  unsigned char b[8];
};
static _Thread_local int tls = 5;
static _Thread_local char tlsbuf[40];
static void t_data(void) {
  struct bits x = {1, 2, 3, 4};
  for (int i = 0; i < 100; i++) {
    x.a += i;
    x.b ^= i;
    x.c += x.a * x.b;
    x.d = x.d * 7 + x.c;
  }
  printf("%u %u %u %llu\n", x.a, x.b, x.c, (unsigned long long)x.d);
  union u q;
  q.d = 3.5;
  q.b[7] ^= 0x80;
  printf("%g\n", q.d);
  tls += 4;
  snprintf(tlsbuf, sizeof tlsbuf, "tls %d", tls);
  puts(tlsbuf);
  int at = 0;
  __atomic_fetch_add(&at, 5, __ATOMIC_SEQ_CST);
  int e = 5;
  __atomic_compare_exchange_n(&at, &e, 9, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  char ch = 3;
  __atomic_fetch_or(&ch, 4, __ATOMIC_SEQ_CST);
  short sh = __sync_lock_test_and_set(&(short){4}, 2);
  printf("%d %d %d\n", at, ch, sh);
  char *p = 0;
  for (int i = 1; i < 20; i++) {
    char *n = alloca(i);
    memset(n, i, i);
    if (p)
      n[0] += p[0];
    p = n;
  }
  printf("%d\n", p[0]);
  char *m = mmap(0, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  m[5000] = 3;
  m = mremap(m, 1 << 20, 1 << 21, MREMAP_MAYMOVE);
  printf("%d\n", m[5000]);
  munmap(m, 1 << 21);
}
static ucontext_t mainc, coc;
static int turns;
static void co(int a, int b) {
  char buf[64];
  for (int i = 0; i < 3; i++) {
    snprintf(buf, sizeof buf, "co %d %d %d", a, b, i);
    swapcontext(&coc, &mainc);
    puts(buf);
    turns++;
  }
}
static void t_context(void) {
  char *stack = malloc(256 * 1024);
  getcontext(&coc);
  coc.uc_stack.ss_sp = stack;
  coc.uc_stack.ss_size = 256 * 1024;
  coc.uc_link = &mainc;
  makecontext(&coc, (void (*)(void))co, 2, 3, 4);
  for (int i = 0; i < 4; i++) {
    char here[200];
    memset(here, 'a' + i, sizeof here);
    swapcontext(&mainc, &coc);
    for (int k = 0; k < 200; k++)
      if (here[k] != 'a' + i) {
        puts("damaged");
        break;
      }
  }
  printf("turns %d\n", turns);
  free(stack);
}
static void t_fork(void) {
  int p[2];
  pipe(p);
  fflush(stdout);
  pid_t c = fork();
  if (c == 0) {
    char m[40];
    snprintf(m, sizeof m, "child %d", tls);
    write(p[1], m, strlen(m) + 1);
    _exit(3);
  }
  char b[64];
  int n = read(p[0], b, sizeof b);
  int st;
  waitpid(c, &st, 0);
  printf("%d %s %d\n", n, b, WEXITSTATUS(st));
  char cmd[] = "echo from system";
  system(cmd);
  FILE *f = popen("echo popen", "r");
  char l[80];
  fgets(l, sizeof l, f);
  fputs(l, stdout);
  pclose(f);
}
static void t_text(void) {
  char a[64], b[64], *e;
  strcpy(a, "hello");
  strcat(a, " world");
  strncpy(b, a, 5);
  b[5] = 0;
  sprintf(a + strlen(a), "%s-%d-%5.2f", b, 42, 2.5);
  puts(a);
  printf("%ld %s\n", strtol("123abc", &e, 10), e);
  int x, y;
  char w[20];
  sscanf("10 20 word", "%d %d %19s", &x, &y, w);
  printf("%d %s\n", x + y, w);
  char t[] = "a,b,,c";
  for (char *s = strtok(t, ","); s; s = strtok(0, ","))
    printf("<%s>", s);
  puts("");
  time_t z = 0;
  struct tm tm = *gmtime(&z);
  strftime(a, sizeof a, "%Y-%m-%d", &tm);
  puts(a);
  memmove(a + 2, a, 10);
  a[12] = 0;
  puts(a);
  char *d = strdup(a);
  d = realloc(d, 1000);
  printf("%zu %s\n", strlen(d), d);
  free(d);
  setenv("ZZ", "v", 1);
  puts(getenv("ZZ"));
  FILE *f = tmpfile();
  fprintf(f, "line one\nline two\n");
  rewind(f);
  char *line = 0;
  size_t cap = 0;
  while (getline(&line, &cap, f) > 0)
    fputs(line, stdout);
  free(line);
  fclose(f);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int acker(int m, int n) {
  char pad[32];
  pad[n & 31] = m;
  if (!m)
    return n + 1 + (pad[n & 31] != 0);
  if (!n)
    return acker(m - 1, 1);
  return acker(m - 1, acker(m, n - 1));
}
int main(void) {
  t_setjmp();
  t_signals();
  t_args();
  t_callback();
  t_asm();
  t_vectors();
  t_goto();
  t_data();
  t_context();
  t_fork();
  t_text();
  printf("%d %d\n", fib(20), acker(2, 9));
  return 0;
}
