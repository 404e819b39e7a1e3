// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sprites take a texture for their own that a cache owns already: it is deleted twice, and its
// destructor frees a name that was read from freed memory.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Texture {
  std::string name;
  int users = 0;
  explicit Texture(std::string given) : name(std::move(given)) {}
};

class Cache {
public:
  Texture *load(const std::string &name) {
    for (const auto &texture : textures_)
      if (texture->name == name)
        return texture.get();
    textures_.push_back(std::make_unique<Texture>(name));
    return textures_.back().get();
  }

private:
  std::vector<std::unique_ptr<Texture>> textures_;
};

class Sprite {
public:
  Sprite(Texture *texture, bool is_own) : texture_(texture), is_own_(is_own) { texture->users++; }
  Sprite(const Sprite &) = delete;
  ~Sprite() {
    if (is_own_)
      delete texture_; // culprit: first corruption
  }
  int users() const { return texture_->users; }

private:
  Texture *texture_;
  bool is_own_;
};

int main(int argc, char **argv) {
  Cache cache;
  int users = 0;
  for (int i = 1; i < argc; i++) {
    const bool is_own = argv[i][0] == '+';
    const Sprite sprite(cache.load(std::string(argv[i] + is_own) + ", a picture of some size"),
                        is_own);
    users += sprite.users();
  }
  std::printf("%d\n", users);
}
