// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/server.h"

#include "cli/watch/admission.h"
#include "report/live/page.h"

#include <condition_variable>
#include <fmt/format.h>
#include <httplib.h>
#include <mutex>
#include <thread>

namespace culprit::cli {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr size_t kStreams = 12; // a connection of its own each
constexpr size_t kThreads = 24; // more than that: who dawdles with a request must not shut out all
constexpr auto kPatience = 500ms;
constexpr auto kPageToStream = 2s; // from having the page to asking for its events
constexpr auto kDelivery = 5s;

std::vector<std::string> all_of(const auto &entries, const std::string &name) {
  std::vector<std::string> values;
  const auto [begin, end] = entries.equal_range(name);
  for (auto entry = begin; entry != end; ++entry)
    values.push_back(entry->second);
  return values;
}

// Who is connected.
class Audience {
public:
  void page_sent() {
    const std::scoped_lock lock(mutex_);
    last_page_ = Clock::now();
    ++expected_;
  }
  // False: there are too many.
  bool begin_stream() {
    const std::scoped_lock lock(mutex_);
    if (streams_ == kStreams)
      return false;
    ++streams_;
    expected_ = expected_ == 0 ? 0 : expected_ - 1;
    return true;
  }
  void end_stream() {
    {
      const std::scoped_lock lock(mutex_);
      --streams_;
    }
    changed_.notify_all();
  }
  void wait_until_gone() {
    std::unique_lock lock(mutex_);
    const auto until = Clock::now() + kDelivery;
    while (Clock::now() < until) {
      const bool waiting = expected_ != 0 && Clock::now() < last_page_ + kPageToStream;
      if (streams_ == 0 && !waiting)
        return;
      changed_.wait_for(lock, 50ms);
    }
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t streams_ = 0;
  size_t expected_ = 0;
  Clock::time_point last_page_;
};

// Another process must not be able to share our port, as the library would let it.
void set_options(int socket) {
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

} // namespace

struct LiveServer::Parts {
  explicit Parts(Feed &all) : feed(all) {}
  ~Parts() {
    if (!thread.joinable())
      return;
    while (!http.is_running() && !ended) // stop() before that would do nothing
      std::this_thread::sleep_for(1ms);
    http.stop();
    thread.join();
  }

  void declare();
  void send_events(httplib::Response &response);

  Feed &feed;
  Admission admission;
  std::string address;
  Audience audience;
  httplib::Server http;
  std::atomic<bool> ended = false;
  std::thread thread;
};

void LiveServer::Parts::send_events(httplib::Response &response) {
  if (!audience.begin_stream()) {
    response.status = 503;
    response.set_content("culprit: too many pages are open\n", "text/plain");
    return;
  }
  auto listener = std::make_shared<Feed::Listener>();
  response.set_chunked_content_provider(
      "text/event-stream",
      [this, listener](size_t, httplib::DataSink &sink) {
        const std::string text = feed.wait(*listener, kPatience);
        if (!text.empty() && !sink.write(text.data(), text.size()))
          return false;
        if (listener->told.end)
          sink.done();
        return true;
      },
      [this](bool) { audience.end_stream(); });
}

void LiveServer::Parts::declare() {
  http.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  http.set_socket_options(set_options);
  http.set_address_family(AF_INET);
  http.set_tcp_nodelay(true);
  http.set_keep_alive_max_count(1);
  http.set_payload_max_length(1024);
  http.set_default_headers({{"Content-Security-Policy", report::live::page_policy()},
                            {"Cache-Control", "no-store"},
                            {"Referrer-Policy", "no-referrer"},
                            {"X-Content-Type-Options", "nosniff"},
                            {"Cross-Origin-Resource-Policy", "same-origin"},
                            {"Cross-Origin-Opener-Policy", "same-origin"}});
  http.set_pre_routing_handler(
      [this](const httplib::Request &request, httplib::Response &response) {
        const std::string why = refusal({.method = request.method,
                                         .hosts = all_of(request.headers, "Host"),
                                         .origins = all_of(request.headers, "Origin"),
                                         .tokens = all_of(request.params, "token")},
                                        admission);
        if (why.empty())
          return httplib::Server::HandlerResponse::Unhandled;
        response.status = 403;
        response.set_content(fmt::format("culprit: {}\n", why), "text/plain");
        return httplib::Server::HandlerResponse::Handled;
      });
  http.Get("/", [this](const httplib::Request &request, httplib::Response &response) {
    std::string page;
    feed.look([&](const report::live::State &state) { page = report::live::page(state); });
    response.set_content(page, "text/html; charset=utf-8");
    if (request.method == "GET")
      audience.page_sent();
  });
  http.Get("/events", [this](const httplib::Request &request, httplib::Response &response) {
    if (request.method == "GET")
      send_events(response);
  });
}

LiveServer::LiveServer(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
LiveServer::LiveServer(LiveServer &&) noexcept = default;
LiveServer &LiveServer::operator=(LiveServer &&) noexcept = default;
LiveServer::~LiveServer() = default;

Result<LiveServer> LiveServer::start(Feed &feed, int port) {
  auto parts = std::make_unique<Parts>(feed);
  parts->admission.token = new_token();
  if (parts->admission.token.empty())
    return fail("no token for the live page: the system has no random numbers");
  parts->declare();
  const char *host = "127.0.0.1";
  if (port == 0)
    port = parts->http.bind_to_any_port(host);
  else if (!parts->http.bind_to_port(host, port))
    return fail(fmt::format("port {} cannot be had", port),
                "leave out --port, or name one that is free");
  if (port <= 0)
    return fail("no port for the live page could be had");
  parts->admission.port = port;
  parts->address = fmt::format("http://{}:{}/?token={}", host, port, parts->admission.token);
  parts->thread = std::thread([all = parts.get()] {
    all->http.listen_after_bind();
    all->ended = true;
  });
  return LiveServer(std::move(parts));
}

const std::string &LiveServer::address() const { return parts_->address; }

void LiveServer::deliver() { parts_->audience.wait_until_gone(); }

} // namespace culprit::cli
