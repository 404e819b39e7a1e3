// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Voxel models as oct-trees, with marks on voxels and a palette. The input is a file of models, one
// command a line:
//   palette NAME RGB             define a colour
//   model NAME BITS [symmetric]  a cube of 2^BITS voxels a side; symmetric: only the half with the
//                                smaller x is listed, the other half is its mirror image
//   voxel X Y Z COLOUR           one voxel of the model just begun
//   end                          build its tree
//   paint MODEL X Y Z COLOUR     change a voxel
//   mark MODEL X Y Z TEXT        put a note on a voxel
//   unmark MODEL X Y Z           remove the voxel's oldest note
//   ray MODEL Y Z                count the voxels along x
//   forget MODEL                 drop a model's notes
// Prints a summary at the end. Trees live as long as the program.
#include <array>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Colour {
  std::string name;
  unsigned rgb;
};

struct Mark {
  std::string text;
};

struct Node {
  std::array<Node *, 8> children{};
  const Colour *colour = nullptr;
  std::list<Mark> marks;
};

struct Voxel {
  unsigned x, y, z;
  const Colour *colour;
};

struct Model {
  unsigned bits = 0;
  bool symmetric = false;
  Node *root = nullptr;
  unsigned long marks = 0;
};

unsigned octant(unsigned x, unsigned y, unsigned z, unsigned level) {
  return (x >> level & 1) << 2 | (y >> level & 1) << 1 | (z >> level & 1);
}

bool is_leaf(const Node *node) { return node->colour != nullptr; }

Node *build(const std::vector<Voxel> &voxels, unsigned level) {
  if (voxels.empty())
    return nullptr;
  Node *node = new Node;
  if (level == 0) {
    node->colour = voxels.back().colour;
    return node;
  }
  std::array<std::vector<Voxel>, 8> parts;
  for (const Voxel &voxel : voxels)
    parts[octant(voxel.x, voxel.y, voxel.z, level - 1)].push_back(voxel);
  for (unsigned i = 0; i < 8; ++i)
    node->children[i] = build(parts[i], level - 1);
  return node;
}

// The image of a subtree in a mirror across x: octants change sides, at every level.
Node *mirror(Node *node) {
  if (!node)
    return nullptr;
#ifdef FIXED
  if (is_leaf(node)) {
    Node *leaf = new Node;
    leaf->colour = node->colour;
    return leaf;
  }
#else
  if (is_leaf(node))
    return node; // guilty: mirror shares the leaves of the two halves: the tree becomes a DAG
#endif
  Node *image = new Node;
  for (unsigned i = 0; i < 8; ++i)
    image->children[i ^ 4] = mirror(node->children[i]);
  return image;
}

class Library {
public:
  void obey(const std::string &line);
  void print() const;

private:
  void finish(const std::string &name);
  Node *leaf_at(const std::string &model, unsigned x, unsigned y, unsigned z);
  static unsigned long forget(Node *node);

  std::map<std::string, Model> models_;
  std::unordered_map<std::string, std::unique_ptr<Colour>> palette_;
  std::vector<Voxel> voxels_;
  std::string current_;
  unsigned long hits_ = 0;
  unsigned long forgotten_ = 0;
};

void Library::finish(const std::string &name) {
  Model &model = models_[name];
  model.root = build(voxels_, model.bits);
  if (model.symmetric && model.root)
    for (unsigned i = 0; i < 4; ++i)
      model.root->children[i ^ 4] = mirror(model.root->children[i]);
  voxels_.clear();
  voxels_.shrink_to_fit();
}

Node *Library::leaf_at(const std::string &name, unsigned x, unsigned y, unsigned z) {
  auto model = models_.find(name);
  if (model == models_.end())
    return nullptr;
  Node *node = model->second.root;
  for (unsigned level = model->second.bits; node && level-- > 0;)
    node = node->children[octant(x, y, z, level)];
  return node;
}

unsigned long Library::forget(Node *node) {
  if (!node)
    return 0;
  unsigned long dropped = node->marks.size();
  node->marks.clear();
  for (Node *child : node->children)
    dropped += forget(child);
  return dropped;
}

void Library::obey(const std::string &line) {
  std::istringstream words(line);
  std::string command, name, text;
  unsigned x = 0, y = 0, z = 0;
  words >> command;
  if (command == "voxel") {
    words >> x >> y >> z >> name;
    voxels_.push_back({x, y, z, palette_[name].get()});
  } else if (command == "palette") {
    words >> name >> x;
    palette_[name] = std::make_unique<Colour>(Colour{name, x});
  } else if (command == "model") {
    words >> current_ >> x >> text;
    models_[current_] = {x, text == "symmetric", nullptr, 0};
  } else if (command == "end") {
    finish(current_);
  } else if (command == "paint") {
    words >> name >> x >> y >> z >> text;
    if (Node *leaf = leaf_at(name, x, y, z))
      leaf->colour = palette_[text].get();
  } else if (command == "mark") {
    words >> name >> x >> y >> z >> text;
    if (Node *leaf = leaf_at(name, x, y, z))
      leaf->marks.push_back({text + " at " + name + ":" + std::to_string(x)});
  } else if (command == "unmark") {
    words >> name >> x >> y >> z;
    if (Node *leaf = leaf_at(name, x, y, z); leaf && !leaf->marks.empty())
      leaf->marks.pop_front();
  } else if (command == "ray") {
    words >> name >> y >> z;
    for (x = 0; x < 1u << models_[name].bits; ++x)
      hits_ += leaf_at(name, x, y, z) != nullptr;
  } else if (command == "forget") {
    words >> name;
    forgotten_ += forget(models_[name].root);
  }
}

void Library::print() const {
  std::printf("%zu models, %zu colours, %lu hits, %lu notes forgotten\n", models_.size(),
              palette_.size(), hits_, forgotten_);
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "/dev/stdin");
  if (!script) {
    std::cerr << "cannot read the models\n";
    return 2;
  }
  static Library &library = *new Library;
  std::string line;
  while (std::getline(script, line))
    library.obey(line);
  library.print();
}
