// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of registers are written and wholes are read, and the other way round: low bytes, the bytes
// above them, 16 bits, in one piece of code and across a jump, with functions of Valgrind's between
// that write registers themselves. Flags are set in one piece of code and read in another, by
// instructions that keep some of them. What comes out is stored and printed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Row {
  uint64_t result[16];
} Row;

static uint64_t low_byte(uint64_t a, uint64_t b) {
  __asm__("cmpq %1, %0\n\tsetb %b0\n\txorb %b1, %b0\n\tshlq $3, %0" : "+q"(a) : "q"(b) : "cc");
  return a;
}

static uint64_t high_byte(uint64_t a, uint64_t b) {
  __asm__("movb %%bl, %%ah\n\taddb %%ah, %%al\n\tmovq %%rax, %%rcx\n\tmovb %%ch, %%al"
          : "+a"(a), "+b"(b)::"rcx", "cc");
  return a ^ b;
}

static uint64_t both_bytes(uint64_t a) {
  __asm__("xchgb %%ah, %%al\n\tmovzbl %%ah, %%edx\n\taddq %%rdx, %%rax" : "+a"(a)::"rdx", "cc");
  return a;
}

static uint64_t word(uint64_t a, uint64_t b) {
  __asm__("movw %w1, %w0\n\trolw $3, %w0\n\tincb %b0\n\taddq %1, %0" : "+q"(a) : "q"(b) : "cc");
  return a;
}

static uint64_t product(uint64_t a, uint64_t b) {
  __asm__("mulb %b1\n\tmovq %%rax, %%rdx\n\tcbw\n\taddq %%rdx, %%rax"
          : "+a"(a)
          : "q"(b)
          : "rdx", "cc");
  return a;
}

static uint64_t quotient(uint64_t a, uint64_t b) {
  __asm__("movb $0, %%ah\n\torb $1, %b1\n\tdivb %b1\n\tmovq %%rax, %%rdx\n\tbswapq %%rdx\n\txorq "
          "%%rdx, "
          "%%rax"
          : "+a"(a), "+q"(b)::"rdx", "cc");
  return a;
}

static uint64_t flags(uint64_t a, uint64_t b) {
  __asm__("cmpb %b1, %b0\n\tlahf\n\tmovq %%rax, %%rdx\n\tsahf\n\tsetae %%al\n\taddq %%rdx, %%rax"
          : "+a"(a)
          : "q"(b)
          : "rdx", "cc");
  return a;
}

// The part is written before a jump and read behind it.
static uint64_t across(uint64_t a, uint64_t b) {
  __asm__("testb $4, %b1\n\tmovb %b1, %b0\n\tjz 1f\n\tmovb $7, %b0\n1:\taddq %1, %0"
          : "+q"(a)
          : "q"(b)
          : "cc");
  return a;
}

// cpuid writes four registers, behind the translation's back.
static uint64_t behind_the_back(uint64_t a) {
  uint64_t before = a;
  __asm__("movb $3, %%bl\n\tmovq %%rbx, %%rsi\n\txorl %%eax, %%eax\n\tmovb $0, %%cl\n\tcpuid\n\t"
          "movb $0, %%al\n\tsubq %%rax, %%rsi\n\taddq %%rbx, %%rsi"
          : "+S"(before), "+b"(a)::"rax", "rcx", "rdx", "cc");
  return before;
}

static uint64_t exchange(uint64_t a, uint64_t b) {
  uint8_t byte = (uint8_t)b;
  __asm__("xaddb %b0, %2\n\tcmpxchgb %b0, %2\n\taddq %1, %0" : "+q"(a), "+a"(b), "+m"(byte)::"cc");
  return a + byte;
}

// Where a piece of code ends.
#define APART "jp 9f\n\tnop\n9:\t"

#define THEN_READ APART "pushfq\n\tpopq %1"

static uint64_t kept_carry(uint64_t a, uint64_t b) {
  __asm__("cmpq %1, %0\n\t" APART "incq %0\n\t" APART "decb %b0\n\t" APART
          "adcq %1, %0\n\t" THEN_READ
          : "+q"(a), "+q"(b)::"cc");
  return a ^ b;
}

static uint64_t carried(uint64_t a, uint64_t b) {
  __asm__("addq %1, %0\n\t" APART "adcl %k1, %k0\n\t" APART "sbbw %w1, %w0\n\t" APART
          "sbbb $3, %b0\n\t" THEN_READ
          : "+q"(a), "+q"(b)::"cc");
  return a ^ b;
}

static uint64_t without_carry(uint64_t a, uint64_t b) {
  __asm__("andq %1, %0\n\tincq %0\n\t" APART "setc %b0\n\txorq %1, %0\n\tdecq %0\n\t" THEN_READ
          : "+q"(a), "+q"(b)::"cc");
  return a ^ b;
}

static uint64_t turned(uint64_t a, uint64_t b) {
  __asm__("testq %1, %0\n\t" APART "rolq $5, %0\n\t" APART "rorw $3, %w0\n\t" APART
          "rclq $1, %0\n\t" THEN_READ
          : "+q"(a), "+q"(b)::"cc");
  return a ^ b;
}

static uint64_t moved(uint64_t a, uint64_t b) {
  uint64_t count = b & 3; // 0 leaves all flags alone
  __asm__("subq %1, %0\n\tincq %0\n\t" APART "shlq %%cl, %0\n\t" APART "sarl %%cl, %k0\n\t" APART
          "imulq %1, %0\n\t" THEN_READ
          : "+q"(a), "+q"(b)
          : "c"(count)
          : "cc");
  return a ^ b;
}

// A locked instruction may be left to be tried again: flags are stored before it, too.
static uint64_t locked(uint64_t a, uint64_t b) {
  uint64_t memory = a;
  __asm__("lock addq %1, %2\n\tlock subq %0, %2\n\tincq %0\n\t" THEN_READ
          : "+q"(a), "+q"(b), "+m"(memory)::"cc");
  return a ^ b ^ memory;
}

int main(void) {
  enum { rows = 200 };
  Row *table = calloc(rows, sizeof *table);
  uint64_t a = 0x0123456789abcdef;
  uint64_t b = 0xfedcba9876543210;
  uint64_t all = 0;
  for (int i = 0; i < rows; ++i) {
    uint64_t *result = table[i].result;
    result[0] = low_byte(a, b);
    result[1] = high_byte(a, b);
    result[2] = both_bytes(a);
    result[3] = word(a, b);
    result[4] = product(a, b);
    result[5] = quotient(a, b);
    result[6] = flags(a, b);
    result[7] = across(a, b);
    result[8] = behind_the_back(b);
    result[9] = exchange(a, b);
    result[10] = kept_carry(a, b);
    result[11] = carried(a, b);
    result[12] = without_carry(a, b);
    result[13] = turned(a, b);
    result[14] = moved(a, b);
    result[15] = locked(a, b);
    for (int k = 0; k < 16; ++k)
      all = all * 31 + result[k];
    a = a * 6364136223846793005u + 1442695040888963407u;
    b = (b << 7 | b >> 57) ^ a;
  }
  printf("%016llx\n", (unsigned long long)all);
  free(table);
  return 0;
}
