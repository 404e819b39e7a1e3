// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Packets are kept in slots, each with a function to call when it is done. A packet that is longer
// than a slot's data is copied over that function, with the bytes that its maker wrote.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kSlots = 4 };

struct slot {
  uint32_t length;
  uint8_t data[20];
  void (*done)(int);
};

static struct slot slots[kSlots];
static uint8_t packet[64];
static int finished;

static void count(int number) { finished += number; }

static void make_packet(size_t length) {
  for (size_t i = 0; i < length; i++)
    packet[i] = (uint8_t)(0x90 + i);
}

static void receive(int number, size_t length) {
  slots[number].length = (uint32_t)length;
  memcpy(slots[number].data, packet, length); // culprit: first corruption
}

static uint32_t sum_of(const struct slot *slot) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < slot->length && i < sizeof slot->data; i++)
    sum = sum * 31 + slot->data[i];
  return sum;
}

int main(int argc, char **argv) {
  for (int i = 0; i < kSlots; i++)
    slots[i].done = count;
  uint32_t sums = 0;
  for (int i = 0; i < kSlots && i + 1 < argc; i++) {
    const size_t length = (size_t)atoi(argv[i + 1]);
    make_packet(length);
    receive(i, length);
    sums += sum_of(&slots[i]);
  }
  for (int i = 0; i < kSlots; i++)
    slots[i].done(i);
  printf("%u %d\n", sums, finished);
  return 0;
}
