// SPDX-License-Identifier: GPL-2.0-or-later
// The two containers the tool needs: an array that grows, and a map of 64-bit keys (0 is none) to
// pointers or numbers. Nothing is ever taken out of a map; tables live as long as the process.
#pragma once

#include "valgrind/core.h"

namespace culprit::deep {

template <typename T> struct Array {
  T *items = nullptr;
  UInt size = 0;
  UInt room = 0;

  T &add(const T &item) {
    if (size == room) {
      room = room == 0 ? 64 : room * 2;
      items = static_cast<T *>(VG_(realloc)("culprit.array", items, room * sizeof(T)));
    }
    items[size] = item;
    return items[size++];
  }
  T &operator[](UInt at) { return items[at]; }
};

template <typename T> struct Map {
  struct Entry {
    ULong key;
    T value;
  };
  Entry *entries = nullptr;
  ULong room = 0;
  ULong used = 0;

  // The value of the key, made as T() if it was not there.
  T &operator[](ULong key) {
    if ((used + 1) * 2 > room)
      grow();
    Entry &entry = find(key);
    if (entry.key == 0) {
      entry.key = key;
      ++used;
    }
    return entry.value;
  }

  // Null: not there.
  T *find_known(ULong key) {
    if (room == 0)
      return nullptr;
    Entry &entry = find(key);
    return entry.key == 0 ? nullptr : &entry.value;
  }

private:
  Entry &find(ULong key) {
    ULong at = (key * 0x9e3779b97f4a7c15u) >> 20;
    for (;; ++at) {
      Entry &entry = entries[at & (room - 1)];
      if (entry.key == key || entry.key == 0)
        return entry;
    }
  }
  void grow() {
    Entry *old = entries;
    const ULong count = room;
    room = room == 0 ? 1024 : room * 2;
    entries = static_cast<Entry *>(VG_(calloc)("culprit.map", room, sizeof(Entry)));
    for (ULong i = 0; i < count; ++i)
      if (old[i].key != 0)
        find(old[i].key) = old[i];
    if (old != nullptr)
      VG_(free)(old);
  }
};

} // namespace culprit::deep
