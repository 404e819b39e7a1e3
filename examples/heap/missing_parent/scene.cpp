// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scene graph: a tree of named nodes, each with a list of children and a pointer to its parent,
// and materials shared by many nodes. The input is a script, one command a line:
//   material NAME R G B       define a material
//   add NAME PARENT MATERIAL  hang a new node below another
//   move NAME PARENT          hang it elsewhere
//   instance NAME OF PARENT   a copy of a whole subtree, its root named NAME
//   remove NAME               a subtree and all names in it
//   path NAME                 look up the full path, and what it inherits
//   update                    world positions of all nodes, as before drawing
// Prints a summary at the end.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Material {
  std::string name;
  int red, green, blue;
};

struct Node {
  std::string name;
  Node *parent = nullptr;
  const Material *material = nullptr;
  std::vector<Node *> children;
  long offset = 0;
  long world = 0;
};

class Scene {
public:
  Scene() { root_.name = "root"; }
  ~Scene() {
    while (!root_.children.empty())
      destroy(detach(root_.children.back()));
    for (auto &[name, material] : materials_)
      delete material;
  }
  Scene(const Scene &) = delete;
  Scene &operator=(const Scene &) = delete;

  void obey(const std::string &line);
  void print() const;

private:
  Node *find(const std::string &name) {
    auto found = nodes_.find(name);
    return found == nodes_.end() ? &root_ : found->second;
  }
  Node *create(const std::string &name, const Material *material);
  static void attach(Node *node, Node *parent);
  Node *detach(Node *node);
  Node *copy(const Node *from, const std::string &name);
  std::string renamed(std::string name, const std::string &from, const std::string &to) const;
  void destroy(Node *node);
  void update(Node *node, long world);
  static bool below(const Node *node, const Node *ancestor);

  Node root_;
  std::map<std::string, Node *> nodes_;
  std::map<std::string, Material *> materials_;
  unsigned long path_length_ = 0;
  unsigned long updates_ = 0;
};

Node *Scene::create(const std::string &name, const Material *material) {
  Node *node = new Node;
  node->name = name;
  node->material = material;
  node->offset = static_cast<long>(name.size());
  nodes_[name] = node;
  return node;
}

void Scene::attach(Node *node, Node *parent) {
  node->parent = parent;
  parent->children.push_back(node);
}

Node *Scene::detach(Node *node) {
  if (Node *parent = node->parent) {
    auto &siblings = parent->children;
    siblings.erase(std::find(siblings.begin(), siblings.end(), node));
    node->parent = nullptr;
  }
  return node;
}

// What a node is called in a copy: `from`, the copied tree's name, gives way to `to`.
std::string Scene::renamed(std::string name, const std::string &from, const std::string &to) const {
  if (auto place = name.find(from); place != std::string::npos)
    name.replace(place, from.size(), to);
  while (nodes_.contains(name))
    name += "'";
  return name;
}

Node *Scene::copy(const Node *from, const std::string &name) {
  Node *node = create(name, from->material);
  node->children.reserve(from->children.size());
  for (const Node *child : from->children) {
    Node *twin = copy(child, renamed(child->name, from->name, name));
#ifdef FIXED
    twin->parent = node;
#endif
    node->children.push_back(twin); // guilty: copy hangs up children without their parent pointer
  }
  return node;
}

void Scene::destroy(Node *node) {
  for (Node *child : node->children)
    destroy(child);
  nodes_.erase(node->name);
  delete node;
}

void Scene::update(Node *node, long world) {
  node->world = world + node->offset;
  ++updates_;
  for (Node *child : node->children)
    update(child, node->world);
}

bool Scene::below(const Node *node, const Node *ancestor) {
  while (node && node != ancestor)
    node = node->parent;
  return node == ancestor;
}

void Scene::obey(const std::string &line) {
  std::istringstream words(line);
  std::string command, name, other, material;
  words >> command >> name;
  if (command == "material") {
    auto *fresh = new Material{name, 0, 0, 0};
    words >> fresh->red >> fresh->green >> fresh->blue;
    delete std::exchange(materials_[name], fresh);
  } else if (command == "add") {
    words >> other >> material;
    if (!nodes_.contains(name))
      attach(create(name, materials_[material]), find(other));
  } else if (command == "move") {
    words >> other;
    Node *node = find(name), *parent = find(other);
    if (node->parent && !below(parent, node))
      attach(detach(node), parent);
  } else if (command == "instance") {
    words >> other >> material;
    if (nodes_.contains(other) && !nodes_.contains(name))
      attach(copy(find(other), name), find(material));
  } else if (command == "remove") {
    Node *node = find(name);
    if (node->parent)
      destroy(detach(node));
  } else if (command == "path") {
    for (const Node *node = find(name); node; node = node->parent)
      path_length_ += node->name.size() + 1;
  } else if (command == "update") {
    update(&root_, 0);
  }
}

void Scene::print() const {
  std::printf("%zu nodes, %zu materials, %lu updates, %lu characters of paths\n", nodes_.size(),
              materials_.size(), updates_, path_length_);
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream script(argc > 1 ? argv[1] : "/dev/stdin");
  if (!script) {
    std::cerr << "cannot read the script\n";
    return 2;
  }
  Scene scene;
  std::string line;
  while (std::getline(script, line))
    scene.obey(line);
  scene.print();
}
