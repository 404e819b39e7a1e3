/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// clang-format off
/* The site table of a unit, as the pass writes it and the engine reads it: a frame of kind
 * CULPRIT_FRAME_SITES whose metadata is {"unit": "<16 hex digits: culprit_unit.id>"} and whose
 * payload is JSON:
 *   "sites": [{"id", "kind", "file", "line", "column", "function", "callee", "type", "from", "wrapper", "at"}, …]
 *     The position in the array is the site's number in the unit (call sites that may allocate come
 *     first, so that most numbers fit the 16 bits of a context).
 *     id        16 hex digits: hash of file, function, line relative to the function's first line, column,
 *               kind and ordinal among equals: the same in every flavour, and after a rebuild
 *     kind      "call" (may allocate), "alloc" (a library allocation function is called here), "store" (may
 *               write a pointer), "free"
 *     file      as the debug information has it, with its directory if relative
 *     function  source-level (linkage) name; "caller" functions of inlined code have sites of their own
 *     callee    of calls and allocs: the called function's linkage name, empty if indirect
 *     type      of allocs: the type the block is used as, when the IR or debug information shows it
 *     from      of stores: functions whose results flow into the stored address, the stored value or the
 *               conditions under which the store happens (an array of linkage names, nearest first)
 *     wrapper   true on calls and allocs in a function that hands out memory without using it (xmalloc)
 *     at        of stores and frees in inlined code: where it was inlined, innermost caller first, an array of
 *               {"function", "file", "line", "column"}; such a site is one copy, not all copies
 * Access flavours (abi/access.h) add:
 *   "accesses": [{"id", "file", "line", "column", "function", "read", "direct", "callee"}, …]
 *     access sites; culprit_row_info.site is the position. id as above, from file, function, relative line,
 *     column, "read" or "write", and callee: no ordinal and no inlining, all copies of a place are one.
 *     direct: true if every copy is a named variable at a fixed place. callee: the library function that
 *     writes or reads on its behalf. Of library code that was inlined (abi/library_files.h), file, line, column
 *     and function are those of the program's innermost line that called it, and callee is what that line called:
 *     all that it writes there is one site, but for variables at a fixed place, whose site has direct
 *   "rows": [{"site", "size", "flags"}, …]
 *     as culprit_row_info; the position is the row's number in the unit
 *   "variables": [{"kind": "global"|"local"|"return"|"outside", "name", "function", "file", "line", "size", "type", "layout",
 *                  "internal"}, …]
 *     globals first, in the order of culprit_access_unit.global. name: the source's name, of globals the
 *     linkage name if there is one. function (linkage name): of locals, return slots and function-static
 *     variables. outside: the bytes of no object behind a local array, with the local's name, function, file
 *     and line. return: its size is 16 if it includes the saved frame pointer in front.
 *     layout: position in layouts; left out: none. internal: true for a global only its file sees
 *   "layouts": [{"type", "size", "rest", "members": [{"name", "start", "array"}, …]}, …]
 *     as culprit_layout; the position in members is the member's number, start that of its first range.
     name is the path from the outer type: "head.next", "cells[].key"; members that overlap (unions, bit
     fields that share storage) are one: "a|b". rest: left out if 0
 * Locate flavours (abi/locate.h) have instead of all these, short because there are many:
 *   "strings": [text, …]                 what numbers below stand for; 0 is ""
 *   "definitions": [[kind, file, line, column, function, variable, callee, [leaf, …], size, object, marks], …]
 *     the position + 1 is the definition's number. All but line and column are positions in strings.
 *     kind      "store", "constant" (handed on or returned as it is), "call" (result of unseen code), "library" (written by
 *               a library function: callee), "allocation", "free", "variable" (declared here, not yet written), "global"
 *               (initial value), "byval"
 *     variable  what is written, as the source names it if it can be told: "c", "p->next", "intArray[]"; else ""
 *     leaf      what the value is computed from: variable names in the same manner (the neighbourhood)
 *     size      of a store: bytes; of a library function: of the member that it writes, with others behind it; else 0
 *     object    the variable that a write is meant for, if it is known whatever the address turns out to be; else ""
 *     marks     a sum. 1: the value is made from what was there; 2: a store to an element of a member that has others
 *               behind it; 4: it is meant for a local variable; 8: the value is a small constant. These three may be left out
 *   "places": [[kind, file, line, column, function, size, callee, [leaf, …]], …]
 *     the position + 1 is the place's number. kind: "load", "store", "call", "divide", "stop" (a call that does not
 *     return: its leaves are those of the condition it depends on), "free". leaf: [name, role] both in strings, role
 *     "base", "index", "pointer", "argument", "condition", "divisor", "guard" (of a condition's part that was asked before
 *     the last one); of a call's arguments, "pointer" for pointers. A stop has a place for each way that leads to it
 * The explain flavour (abi/explain.h) has "strings" and:
 *   "points": [[id, file, line, column, function, branch, allocation], …]
 *     the position + 1 is the site's number. id: 16 hexadecimal digits, culprit_explained_site.id. branch: 1 at a point
 *     whose statement decides what is executed next, of a switch how many ways there are; else 0. allocation: of a call, the function that allocates; else 0
 *   "names": [[name, function, type], …]
 *     the position + 1 is a variable's number: of a local, and of a global inside a function, with its function; without a
 *     name: a temporary. Of a function its linkage name, of a text the text in quotes. type: a number of types; 0: not known
 *   "types": [[kind, name, size, of, count, [[member, offset, type, bit, bits], …]], …]
 *     the position + 1 is the type's number. kind, name and member are positions in strings. kind: "signed", "unsigned", "bool",
 *     "char", "float", "pointer" (of: to what), "array" (of: its elements, so many), "record", "union" (members; a base class has
 *     no name), "enum" (members are its values, offset is the value), "other". bit and bits: of a bit-field alone, where in
 *     the byte at offset it begins and how many it has
 * Keys without a value may be left out. */
// clang-format on
#ifndef CULPRIT_ABI_SITES_H
#define CULPRIT_ABI_SITES_H

#define CULPRIT_SITES_UNIT "unit"
#define CULPRIT_SITES_LIST "sites"
#define CULPRIT_SITES_ACCESSES "accesses"
#define CULPRIT_SITES_ROWS "rows"
#define CULPRIT_SITES_VARIABLES "variables"
#define CULPRIT_SITES_LAYOUTS "layouts"
#define CULPRIT_SITES_STRINGS "strings"
#define CULPRIT_SITES_DEFINITIONS "definitions"
#define CULPRIT_MARK_UPDATE 1
#define CULPRIT_MARK_MEMBER 2
#define CULPRIT_MARK_LOCAL 4
#define CULPRIT_MARK_SMALL 8
#define CULPRIT_SITES_PLACES "places"
#define CULPRIT_SITES_POINTS "points"
#define CULPRIT_SITES_NAMES "names"
#define CULPRIT_SITES_TYPES "types"

#endif
