// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bigcalc: a calculator for whole numbers of any length, in the manner of bc: a parser makes a tree
// of the built-in script, an evaluator walks it, every number is a heap object of its own. Heap: a
// small long-lived syntax tree and variable table; millions of short-lived numbers whose size
// varies from one digit to thousands, so nearly all work is malloc, free and array loops.
// Arguments: SIZE ROUNDS. The script sees SIZE as the variable n.
//
// Grammar: statement = name '=' sum ';' | 'print' sum ';' | 'while' sum block | block;
// block = '{' statement* '}'; sum = comparison by '<' of terms by '+' '-' of factors by '*' '/'
// '%'.

#include "../program.h"
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

// Numbers: sign and magnitude, base 10^9, least digit first, no leading zero digits; zero has none.

enum { kBase = 1000000000 };

typedef struct Number {
  uint32_t length;
  bool negative;
  uint32_t digits[];
} Number;

static Number *make_number(uint32_t length) {
  Number *number = allocate(sizeof(Number) + length * sizeof(uint32_t));
  number->length = length;
  number->negative = false;
  memset(number->digits, 0, length * sizeof(uint32_t));
  return number;
}

static Number *trimmed(Number *number) {
  while (number->length > 0 && number->digits[number->length - 1] == 0)
    number->length--;
  if (number->length == 0)
    number->negative = false;
  return number;
}

static Number *from_small(uint32_t value) {
  Number *number = make_number(2);
  number->digits[0] = value % kBase;
  number->digits[1] = value / kBase;
  return trimmed(number);
}

static Number *copy(const Number *a) {
  Number *number = make_number(a->length);
  number->negative = a->negative;
  memcpy(number->digits, a->digits, a->length * sizeof(uint32_t));
  return number;
}

static int compare_magnitude(const Number *a, const Number *b) {
  if (a->length != b->length)
    return a->length < b->length ? -1 : 1;
  for (uint32_t i = a->length; i-- > 0;)
    if (a->digits[i] != b->digits[i])
      return a->digits[i] < b->digits[i] ? -1 : 1;
  return 0;
}

static bool is_less(const Number *a, const Number *b) {
  if (a->negative != b->negative)
    return a->negative;
  int order = compare_magnitude(a, b);
  return a->negative ? order > 0 : order < 0;
}

static Number *add_magnitudes(const Number *a, const Number *b) {
  if (a->length < b->length)
    return add_magnitudes(b, a);
  Number *sum = make_number(a->length + 1);
  uint32_t carry = 0;
  for (uint32_t i = 0; i < a->length; i++) {
    uint32_t digit = a->digits[i] + carry + (i < b->length ? b->digits[i] : 0);
    carry = digit >= kBase;
    sum->digits[i] = digit - (carry ? kBase : 0);
  }
  sum->digits[a->length] = carry;
  return trimmed(sum);
}

// |a| >= |b|
static Number *subtract_magnitudes(const Number *a, const Number *b) {
  Number *difference = make_number(a->length);
  uint32_t borrow = 0;
  for (uint32_t i = 0; i < a->length; i++) {
    uint32_t taken = borrow + (i < b->length ? b->digits[i] : 0);
    borrow = a->digits[i] < taken;
    difference->digits[i] = a->digits[i] + (borrow ? kBase : 0) - taken;
  }
  return trimmed(difference);
}

static Number *add(const Number *a, const Number *b, bool negate_b) {
  bool b_negative = b->negative != negate_b;
  Number *result = NULL;
  if (a->negative == b_negative) {
    result = add_magnitudes(a, b);
    result->negative = a->negative;
  } else if (compare_magnitude(a, b) >= 0) {
    result = subtract_magnitudes(a, b);
    result->negative = a->negative;
  } else {
    result = subtract_magnitudes(b, a);
    result->negative = b_negative;
  }
  return trimmed(result);
}

static Number *multiply(const Number *a, const Number *b) {
  Number *product = make_number(a->length + b->length);
  for (uint32_t i = 0; i < a->length; i++) {
    uint64_t carry = 0;
    for (uint32_t j = 0; j < b->length; j++) {
      uint64_t digit = (uint64_t)a->digits[i] * b->digits[j] + product->digits[i + j] + carry;
      product->digits[i + j] = (uint32_t)(digit % kBase);
      carry = digit / kBase;
    }
    product->digits[i + b->length] = (uint32_t)carry;
  }
  product->negative = a->negative != b->negative;
  return trimmed(product);
}

static Number *scaled(const Number *a, uint32_t factor) {
  Number *small = from_small(factor);
  Number *result = multiply(a, small);
  free(small);
  return result;
}

// Schoolbook division by a one-digit divisor; returns the remainder.
static uint32_t divide_short(Number *a, uint32_t divisor) {
  uint64_t rest = 0;
  for (uint32_t i = a->length; i-- > 0;) {
    rest = rest * kBase + a->digits[i];
    a->digits[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  trimmed(a);
  return (uint32_t)rest;
}

// Takes `digit` times b from the part of `rest` that starts at `shift`; false, and one b put back,
// if the estimate was one too many.
static bool take_multiple(Number *rest, const Number *b, uint32_t shift, uint32_t digit) {
  uint64_t carry = 0;
  uint32_t borrow = 0;
  for (uint32_t i = 0; i <= b->length; i++) {
    uint64_t product = (i < b->length ? (uint64_t)digit * b->digits[i] : 0) + carry;
    carry = product / kBase;
    uint32_t taken = (uint32_t)(product % kBase) + borrow;
    uint32_t *place = &rest->digits[shift + i];
    borrow = *place < taken;
    *place += (borrow ? kBase : 0) - taken;
  }
  if (!borrow)
    return true;
  uint32_t back = 0;
  for (uint32_t i = 0; i <= b->length; i++) {
    uint32_t digit_back = rest->digits[shift + i] + back + (i < b->length ? b->digits[i] : 0);
    back = digit_back >= kBase;
    rest->digits[shift + i] = digit_back - (back ? kBase : 0);
  }
  return false;
}

// Long division after normalising the divisor's first digit; truncates towards zero as C does.
static void divide(const Number *a, const Number *b, Number **quotient, Number **remainder) {
  if (b->length == 0) {
    fprintf(stderr, "bigcalc: division by zero\n");
    exit(1);
  }
  if (b->length == 1) {
    *quotient = copy(a);
    *remainder = from_small(divide_short(*quotient, b->digits[0]));
  } else {
    uint32_t factor = kBase / (b->digits[b->length - 1] + 1);
    Number *divisor = scaled(b, factor);
    Number *wide = scaled(a, factor);
    Number *rest = make_number((wide->length > b->length ? wide->length : b->length) + 1);
    memcpy(rest->digits, wide->digits, wide->length * sizeof(uint32_t));
    free(wide);
    uint32_t count = rest->length - divisor->length;
    *quotient = make_number(count);
    uint64_t top = divisor->digits[divisor->length - 1];
    for (uint32_t shift = count; shift-- > 0;) {
      const uint32_t *high = &rest->digits[shift + divisor->length];
      uint64_t estimate = ((uint64_t)high[0] * kBase + high[-1]) / top;
      if (estimate >= kBase)
        estimate = kBase - 1;
      // The estimate from one digit can be up to two too large; a second digit makes it one at
      // most.
      uint64_t second = divisor->digits[divisor->length - 2];
      uint64_t left = (uint64_t)high[0] * kBase + high[-1] - estimate * top;
      while (left < kBase && estimate * second > left * kBase + high[-2]) {
        estimate--;
        left += top;
      }
      if (!take_multiple(rest, divisor, shift, (uint32_t)estimate))
        estimate--;
      (*quotient)->digits[shift] = (uint32_t)estimate;
    }
    trimmed(*quotient);
    divide_short(rest, factor);
    *remainder = rest;
    free(divisor);
  }
  (*quotient)->negative = a->negative != b->negative;
  (*remainder)->negative = a->negative;
  trimmed(*quotient);
  trimmed(*remainder);
}

// Syntax tree

typedef enum Kind { kConstant, kVariable, kOperation, kAssign, kPrint, kWhile, kBlock } Kind;

typedef struct Node {
  Kind kind;
  char symbol;
  struct Node *first;
  struct Node *second;
  struct Node *next; // the following statement of a block
  Number *constant;
  struct Variable *variable;
} Node;

typedef struct Variable {
  struct Variable *next;
  Number *value;
  char name[];
} Variable;

typedef struct Calculator {
  const char *text;
  Variable *variables;
  uint64_t checksum;
} Calculator;

static Node *make_node(Kind kind, Node *first, Node *second) {
  Node *node = allocate_zeroed(1, sizeof(Node));
  node->kind = kind;
  node->first = first;
  node->second = second;
  return node;
}

static char peek(Calculator *calculator) {
  while (isspace((unsigned char)*calculator->text))
    calculator->text++;
  return *calculator->text;
}

static bool accept(Calculator *calculator, char wanted) {
  if (peek(calculator) != wanted)
    return false;
  calculator->text++;
  return true;
}

static void expect(Calculator *calculator, char wanted) {
  if (!accept(calculator, wanted)) {
    fprintf(stderr, "bigcalc: expected '%c' at: %.20s\n", wanted, calculator->text);
    exit(1);
  }
}

static Variable *variable_named(Calculator *calculator, const char *name, size_t length) {
  for (Variable *variable = calculator->variables; variable; variable = variable->next)
    if (strlen(variable->name) == length && memcmp(variable->name, name, length) == 0)
      return variable;
  Variable *variable = allocate(sizeof(Variable) + length + 1);
  memcpy(variable->name, name, length);
  variable->name[length] = 0;
  variable->value = from_small(0);
  variable->next = calculator->variables;
  calculator->variables = variable;
  return variable;
}

static size_t word_length(Calculator *calculator) {
  peek(calculator);
  size_t length = 0;
  while (isalpha((unsigned char)calculator->text[length]))
    length++;
  return length;
}

static bool accept_word(Calculator *calculator, const char *word) {
  size_t length = strlen(word);
  if (word_length(calculator) != length || memcmp(calculator->text, word, length) != 0)
    return false;
  calculator->text += length;
  return true;
}

static Node *parse_sum(Calculator *calculator, int level);

static Node *parse_factor(Calculator *calculator) {
  if (accept(calculator, '(')) {
    Node *inner = parse_sum(calculator, 0);
    expect(calculator, ')');
    return inner;
  }
  if (isdigit((unsigned char)peek(calculator))) {
    Node *node = make_node(kConstant, NULL, NULL);
    uint32_t value = 0;
    for (; isdigit((unsigned char)*calculator->text); calculator->text++)
      value = value * 10 + (uint32_t)(*calculator->text - '0');
    node->constant = from_small(value);
    return node;
  }
  size_t length = word_length(calculator);
  Node *node = make_node(kVariable, NULL, NULL);
  node->variable = variable_named(calculator, calculator->text, length);
  calculator->text += length;
  return node;
}

// Level 0 is comparison, 1 sums, 2 products; all associate to the left.
static Node *parse_sum(Calculator *calculator, int level) {
  static const char *const operators[] = {"<", "+-", "*/%"};
  if (level == 3)
    return parse_factor(calculator);
  Node *node = parse_sum(calculator, level + 1);
  while (peek(calculator) && strchr(operators[level], peek(calculator))) {
    char symbol = *calculator->text++;
    node = make_node(kOperation, node, parse_sum(calculator, level + 1));
    node->symbol = symbol;
  }
  return node;
}

static Node *parse_statement(Calculator *calculator) {
  if (accept(calculator, '{')) {
    Node *block = make_node(kBlock, NULL, NULL);
    Node **end = &block->first;
    while (!accept(calculator, '}')) {
      *end = parse_statement(calculator);
      end = &(*end)->next;
    }
    return block;
  }
  if (accept_word(calculator, "while")) {
    Node *condition = parse_sum(calculator, 0);
    return make_node(kWhile, condition, parse_statement(calculator));
  }
  Node *statement = NULL;
  if (accept_word(calculator, "print")) {
    statement = make_node(kPrint, parse_sum(calculator, 0), NULL);
  } else {
    size_t length = word_length(calculator);
    Variable *variable = variable_named(calculator, calculator->text, length);
    calculator->text += length;
    expect(calculator, '=');
    statement = make_node(kAssign, parse_sum(calculator, 0), NULL);
    statement->variable = variable;
  }
  expect(calculator, ';');
  return statement;
}

static void release(Node *node) {
  while (node) {
    Node *next = node->next;
    release(node->first);
    release(node->second);
    free(node->constant);
    free(node);
    node = next;
  }
}

// Evaluation: the caller owns the number that comes back.

static Number *operate(char symbol, const Number *a, const Number *b) {
  Number *quotient = NULL;
  Number *remainder = NULL;
  switch (symbol) {
  case '+':
    return add(a, b, false);
  case '-':
    return add(a, b, true);
  case '*':
    return multiply(a, b);
  case '<':
    return from_small(is_less(a, b));
  default:
    divide(a, b, &quotient, &remainder);
    free(symbol == '/' ? remainder : quotient);
    return symbol == '/' ? quotient : remainder;
  }
}

static Number *evaluate(const Node *node) {
  if (node->kind == kConstant)
    return copy(node->constant);
  if (node->kind == kVariable)
    return copy(node->variable->value);
  Number *a = evaluate(node->first);
  Number *b = evaluate(node->second);
  Number *result = operate(node->symbol, a, b);
  free(a);
  free(b);
  return result;
}

static uint64_t print_checksum(uint64_t checksum, const Number *number) {
  checksum = mix(checksum, number->negative);
  for (uint32_t i = 0; i < number->length; i++)
    checksum = mix(checksum, number->digits[i]);
  return checksum;
}

static bool is_true(const Node *condition) {
  Number *value = evaluate(condition);
  bool result = value->length > 0;
  free(value);
  return result;
}

static void execute(Calculator *calculator, const Node *node) {
  switch (node->kind) {
  case kAssign: {
    Number *value = evaluate(node->first);
    free(node->variable->value);
    node->variable->value = value;
    break;
  }
  case kPrint: {
    Number *value = evaluate(node->first);
    calculator->checksum = print_checksum(calculator->checksum, value);
    free(value);
    break;
  }
  case kWhile:
    while (is_true(node->first))
      execute(calculator, node->second);
    break;
  case kBlock:
    for (const Node *statement = node->first; statement; statement = statement->next)
      execute(calculator, statement);
    break;
  case kConstant:
  case kVariable:
  case kOperation:
    break;
  }
}

// Fibonacci and factorial grow numbers; pi (Machin's formula) divides them; Euclid shrinks them.
// The last line is a self-check: it must print 0.
static const char *const kScript =
    "{ a = 0; b = 1; i = 0;"
    "  while i < n { t = a + b; a = b; b = t; i = i + 1; } print a;"
    "  f = 1; i = 1; while i < n { f = f * i; i = i + 1; } print f;"
    "  s = 10; i = 1; while i < n { s = s * 10; i = i + 1; }"
    "  p = 0; k = 0; u = 16 * s / 5; v = 4 * s / 239;"
    "  while 0 < u { d = 2 * k + 1; w = u / d - v / d; r = k - k / 2 * 2;"
    "    p = p + w * (1 - 2 * r); u = u / 25; v = v / 57121; k = k + 1; } print p;"
    "  x = f + a; y = p * a + 1;"
    "  while 0 < y { t = x % y; x = y; y = t; } print x;"
    "  q = (f + p) / (a + 1); m = (f + p) % (a + 1); z = q * (a + 1) + m - (f + p); print z; }";

int main(int argc, char **argv) {
  const char *usage = "SIZE ROUNDS";
  uint32_t size = size_argument(argc, argv, 1, usage);
  uint32_t rounds = size_argument(argc, argv, 2, usage);
  Calculator calculator = {.text = kScript};
  Node *script = parse_statement(&calculator);
  Variable *n = variable_named(&calculator, "n", 1);
  Variable *p = variable_named(&calculator, "p", 1);
  Variable *z = variable_named(&calculator, "z", 1);
  bool zero = true;
  for (uint32_t i = 0; i < rounds; i++) {
    free(n->value);
    n->value = from_small(size + i);
    execute(&calculator, script);
    zero = zero && z->value->length == 0;
  }
  uint32_t leading = p->value->length ? p->value->digits[p->value->length - 1] : 0;
  printf("bigcalc size %u rounds %u pi starts %u self-check %s checksum %016llx\n", size, rounds,
         leading, zero ? "ok" : "FAILED", (unsigned long long)calculator.checksum);
  release(script);
  while (calculator.variables) {
    Variable *variable = calculator.variables;
    calculator.variables = variable->next;
    free(variable->value);
    free(variable);
  }
  return zero ? 0 : 1;
}
