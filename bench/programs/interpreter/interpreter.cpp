// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// interpreter: makes random programs as expression trees, simplifies them, and evaluates them with
// values that are heap objects, environments that are shared and errors that are exceptions.
// Heap: trees of polymorphic nodes owned by unique_ptr and rewritten in place, reference-counted
// values and environments (shared_ptr, one control block each), exception objects that unwind
// through frames which own memory. Arguments: PROGRAMS RUNS.

#include "../program.h"
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

struct EvaluationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value is a number or a list of values, shared by whoever holds it.
struct Value {
  virtual ~Value() = default;
  virtual int64_t number() const = 0;
  virtual size_t length() const { return 1; }
};
using ValueRef = std::shared_ptr<const Value>;

struct NumberValue : Value {
  explicit NumberValue(int64_t held) : held(held) {}
  int64_t number() const override { return held; }
  int64_t held;
};

struct ListValue : Value {
  int64_t number() const override {
    if (items.empty())
      throw EvaluationError("an empty list has no number");
    int64_t sum = 0;
    for (const ValueRef &item : items)
      sum = static_cast<int64_t>(static_cast<uint64_t>(sum) * 31 +
                                 static_cast<uint64_t>(item->number()));
    return sum;
  }
  size_t length() const override { return items.size(); }
  std::vector<ValueRef> items;
};

ValueRef make_number(int64_t value) { return std::make_shared<NumberValue>(value); }

// One binding per scope: the innermost is the first; depth is an index from the inside out.
struct Environment {
  ValueRef value;
  std::shared_ptr<const Environment> outer;
};
using EnvironmentRef = std::shared_ptr<const Environment>;

struct Expression;
using ExpressionOwner = std::unique_ptr<Expression>;

struct Expression {
  virtual ~Expression() = default;
  virtual ValueRef evaluate(const EnvironmentRef &environment) const = 0;
  // A simpler expression to take this one's place, or null to keep it.
  virtual ExpressionOwner simplified() { return nullptr; }
  virtual const int64_t *constant() const { return nullptr; }
  virtual size_t nodes() const { return 1; }
};

void simplify(ExpressionOwner &expression) {
  if (ExpressionOwner simpler = expression->simplified())
    expression = std::move(simpler);
}

struct Constant : Expression {
  explicit Constant(int64_t held) : held(held) {}
  ValueRef evaluate(const EnvironmentRef &) const override { return make_number(held); }
  const int64_t *constant() const override { return &held; }
  int64_t held;
};

struct Variable : Expression {
  explicit Variable(uint32_t depth) : depth(depth) {}
  ValueRef evaluate(const EnvironmentRef &environment) const override {
    const Environment *scope = environment.get();
    for (uint32_t i = 0; scope && i < depth; i++)
      scope = scope->outer.get();
    if (!scope)
      throw EvaluationError("variable " + std::to_string(depth) + " is bound nowhere");
    return scope->value;
  }
  uint32_t depth;
};

int64_t apply(char symbol, int64_t a, int64_t b) {
  auto ua = static_cast<uint64_t>(a);
  auto ub = static_cast<uint64_t>(b);
  switch (symbol) {
  case '+':
    return static_cast<int64_t>(ua + ub);
  case '-':
    return static_cast<int64_t>(ua - ub);
  case '*':
    return static_cast<int64_t>(ua * ub);
  default:
    if (b == 0)
      throw EvaluationError("division by zero");
    return b == -1 ? static_cast<int64_t>(0 - ua) : a / b;
  }
}

struct Binary : Expression {
  Binary(char symbol, ExpressionOwner left, ExpressionOwner right)
      : symbol(symbol), left(std::move(left)), right(std::move(right)) {}
  ValueRef evaluate(const EnvironmentRef &environment) const override {
    ValueRef a = left->evaluate(environment);
    ValueRef b = right->evaluate(environment);
    return make_number(apply(symbol, a->number(), b->number()));
  }
  ExpressionOwner simplified() override {
    simplify(left);
    simplify(right);
    const int64_t *a = left->constant();
    const int64_t *b = right->constant();
    // A division that fails is left for the evaluation, where it can be caught.
    if (a && b && !(symbol == '/' && *b == 0))
      return std::make_unique<Constant>(apply(symbol, *a, *b));
    if (b && *b == 0 && (symbol == '+' || symbol == '-'))
      return std::move(left);
    return nullptr;
  }
  size_t nodes() const override { return 1 + left->nodes() + right->nodes(); }
  char symbol;
  ExpressionOwner left;
  ExpressionOwner right;
};

struct Let : Expression {
  Let(ExpressionOwner bound, ExpressionOwner body)
      : bound(std::move(bound)), body(std::move(body)) {}
  ValueRef evaluate(const EnvironmentRef &environment) const override {
    return body->evaluate(
        std::make_shared<Environment>(Environment{bound->evaluate(environment), environment}));
  }
  ExpressionOwner simplified() override {
    simplify(bound);
    simplify(body);
    return nullptr;
  }
  size_t nodes() const override { return 1 + bound->nodes() + body->nodes(); }
  ExpressionOwner bound;
  ExpressionOwner body;
};

// The body once for each number below `count`, results in a list.
struct Repeat : Expression {
  Repeat(uint32_t count, ExpressionOwner body) : count(count), body(std::move(body)) {}
  ValueRef evaluate(const EnvironmentRef &environment) const override {
    auto list = std::make_shared<ListValue>();
    for (uint32_t i = 0; i < count; i++)
      list->items.push_back(
          body->evaluate(std::make_shared<Environment>(Environment{make_number(i), environment})));
    return list;
  }
  ExpressionOwner simplified() override {
    simplify(body);
    return nullptr;
  }
  size_t nodes() const override { return 1 + body->nodes(); }
  uint32_t count;
  ExpressionOwner body;
};

struct Recover : Expression {
  Recover(ExpressionOwner tried, ExpressionOwner otherwise)
      : tried(std::move(tried)), otherwise(std::move(otherwise)) {}
  ValueRef evaluate(const EnvironmentRef &environment) const override {
    try {
      return tried->evaluate(environment);
    } catch (const EvaluationError &error) {
      auto length = static_cast<int64_t>(std::string(error.what()).size());
      return otherwise->evaluate(
          std::make_shared<Environment>(Environment{make_number(length), environment}));
    }
  }
  ExpressionOwner simplified() override {
    simplify(tried);
    simplify(otherwise);
    return nullptr;
  }
  size_t nodes() const override { return 1 + tried->nodes() + otherwise->nodes(); }
  ExpressionOwner tried;
  ExpressionOwner otherwise;
};

// `scope` is how many variables are bound here; one draw in fifty goes beyond and fails at run
// time.
ExpressionOwner make_expression(Random &random, uint32_t levels, uint32_t scope) {
  if (levels == 0) {
    if (scope > 0 && random_below(&random, 3) > 0)
      return std::make_unique<Variable>(
          random_below(&random, random_below(&random, 50) > 0 ? scope : scope + 1));
    return std::make_unique<Constant>(random_below(&random, 9));
  }
  // Drawn in order here: the order of evaluation of arguments differs between compilers.
  uint32_t kind = random_below(&random, 16);
  if (kind < 10) {
    char symbol = "+-*/+-*+-*"[kind];
    ExpressionOwner left = make_expression(random, levels - 1, scope);
    ExpressionOwner right = make_expression(random, levels - 1, scope);
    return std::make_unique<Binary>(symbol, std::move(left), std::move(right));
  }
  if (kind < 13) {
    ExpressionOwner bound = make_expression(random, levels / 2, scope);
    ExpressionOwner body = make_expression(random, levels - 1, scope + 1);
    return std::make_unique<Let>(std::move(bound), std::move(body));
  }
  if (kind < 15) {
    ExpressionOwner tried = make_expression(random, levels - 1, scope);
    ExpressionOwner otherwise = make_expression(random, levels / 2, scope + 1);
    return std::make_unique<Recover>(std::move(tried), std::move(otherwise));
  }
  uint32_t count = random_below(&random, 4);
  return std::make_unique<Repeat>(count, make_expression(random, levels - 1, scope + 1));
}

} // namespace

int main(int argc, char **argv) {
  const char *usage = "PROGRAMS RUNS";
  uint32_t programs = size_argument(argc, argv, 1, usage);
  uint32_t runs = size_argument(argc, argv, 2, usage);
  Random random = {programs};
  std::vector<ExpressionOwner> made;
  size_t nodes = 0;
  for (uint32_t i = 0; i < programs; i++) {
    made.push_back(make_expression(random, 9, 1));
    nodes += made.back()->nodes();
  }
  size_t kept = 0;
  for (ExpressionOwner &program : made) {
    simplify(program);
    kept += program->nodes();
  }
  uint64_t checksum = 0;
  uint64_t failures = 0;
  for (uint32_t run = 0; run < runs; run++) {
    for (const ExpressionOwner &program : made) {
      auto environment = std::make_shared<Environment>(Environment{make_number(run), nullptr});
      try {
        checksum = mix(checksum, static_cast<uint64_t>(program->evaluate(environment)->number()));
      } catch (const EvaluationError &) {
        failures++;
      }
    }
  }
  printf("interpreter programs %u nodes %zu simplified %zu failures %llu checksum %016llx\n",
         programs, nodes, kept, static_cast<unsigned long long>(failures),
         static_cast<unsigned long long>(checksum));
  return 0;
}
