// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/watch/server.h"

#include "report/live/simulated_for_tests.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <random>
#include <sys/socket.h>
#include <unistd.h>

namespace culprit::cli {
namespace {

struct Address {
  std::string host;
  int port = 0;
  std::string query;
};

Address address_of(const LiveServer &server) {
  const std::string &text = server.address();
  const size_t colon = text.rfind(':');
  const size_t slash = text.find('/', colon);
  return {text.substr(7, colon - 7), std::stoi(text.substr(colon + 1, slash - colon - 1)),
          text.substr(slash + 1)};
}

// Sends bytes and reads what comes back until the other side closes.
std::string exchanged(int port, std::string_view bytes) {
  const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (::connect(peer, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0) {
    (void)::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    ::shutdown(peer, SHUT_WR);
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = ::read(peer, buffer.data(), buffer.size())) > 0;)
      answer.append(buffer.data(), static_cast<size_t>(got));
  }
  ::close(peer);
  return answer;
}

class LiveServerTest : public ::testing::Test {
protected:
  LiveServerTest() : feed(report::live::state_of_list()), server(*LiveServer::start(feed, 0)) {
    at = address_of(server);
  }
  void end() {
    feed.change([](report::live::State &state) { state.phase = report::live::Phase::judged; });
  }

  Feed feed;
  LiveServer server;
  Address at;
};

TEST_F(LiveServerTest, IsOnThisMachineAloneAndServesThePage) {
  EXPECT_EQ(at.host, "127.0.0.1");
  httplib::Client client(at.host, at.port);
  const auto page = client.Get("/" + at.query);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
  EXPECT_NE(page->body.find("culprit watch: ./list big.txt"), std::string::npos);
  EXPECT_NE(page->get_header_value("Content-Security-Policy").find("default-src 'none'"),
            std::string::npos);
  EXPECT_EQ(page->get_header_value("Cache-Control"), "no-store");
}

TEST_F(LiveServerTest, RefusesWhoDoesNotBelong) {
  httplib::Client client(at.host, at.port);
  const std::string port = std::to_string(at.port);
  EXPECT_EQ(client.Get("/")->status, 403);
  EXPECT_EQ(client.Get("/events?token=0123456789abcdef0123456789abcdef")->status, 403);
  EXPECT_EQ(client.Get("/" + at.query, {{"Host", "evil.example:" + port}})->status, 403);
  EXPECT_EQ(client.Get("/" + at.query, {{"Origin", "http://evil.example"}})->status, 403);
  EXPECT_EQ(client.Post("/" + at.query, "x", "text/plain")->status, 403);
  EXPECT_EQ(client.Get("/other" + at.query)->status, 404);
}

TEST_F(LiveServerTest, TellsEveryClientTheEndBeforeItGoes) {
  std::string heard;
  std::jthread listens([&] {
    httplib::Client client(at.host, at.port);
    client.Get("/events" + at.query, [&](const char *bytes, size_t size) {
      heard.append(bytes, size);
      return true;
    });
  });
  feed.change([](report::live::State &state) { state.add(report::live::point_with_roots(41, 7)); });
  end();
  listens.join();
  server.deliver();
  EXPECT_TRUE(heard.starts_with("event: all\n"));
  EXPECT_NE(heard.find("41000"), std::string::npos);
  EXPECT_TRUE(heard.ends_with("event: end\ndata: {}\n\n"));
}

TEST_F(LiveServerTest, WhoComesLateHearsAllOfItAndTheEnd) {
  end();
  httplib::Client client(at.host, at.port);
  const auto all = client.Get("/events" + at.query);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->body.starts_with("event: all\n"));
  EXPECT_TRUE(all->body.ends_with("event: end\ndata: {}\n\n"));
}

TEST_F(LiveServerTest, GarbageDoesNotEndIt) {
  std::mt19937 random(7);
  const std::string good =
      "GET /" + at.query + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(at.port) + "\r\n\r\n";
  for (const std::string &fixed :
       {std::string(), std::string("\r\n\r\n"), std::string("GET\r\n\r\n"),
        std::string("GET / HTTP/9.9\r\n\r\n"), std::string(100'000, 'A'),
        "GET /" + std::string(20'000, '%') + " HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nRange: bytes=" + std::string(7'000, '-') + "\r\n\r\n",
        std::string("POST / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n"),
        std::string("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"),
        std::string("GET /%00%ff%zz HTTP/1.1\r\nHost: \r\n\r\n")})
    (void)exchanged(at.port, fixed);
  for (int i = 0; i < 100; ++i) {
    std::string bytes = good;
    for (int changes = 0; changes < 8; ++changes)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    (void)exchanged(at.port, bytes);
  }
  httplib::Client client(at.host, at.port);
  const auto page = client.Get("/" + at.query);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->status, 200);
}

TEST_F(LiveServerTest, SoManyMayListenAndNoMore) {
  std::vector<int> peers;
  int refused = 0;
  for (int i = 0; i < 20; ++i) {
    const int peer = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(at.port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ASSERT_EQ(::connect(peer, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
    const std::string bytes = "GET /events" + at.query +
                              " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(at.port) +
                              "\r\n\r\n";
    ASSERT_EQ(::send(peer, bytes.data(), bytes.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(bytes.size()));
    std::array<char, 12> status{};
    ASSERT_EQ(::recv(peer, status.data(), status.size(), MSG_WAITALL), 12);
    refused += std::string_view(status.data(), 12) == "HTTP/1.1 503" ? 1 : 0;
    peers.push_back(peer);
  }
  EXPECT_EQ(refused, 8);
  for (const int peer : peers)
    ::close(peer);
}

TEST(LiveServer, APortThatIsTakenIsAnError) {
  Feed feed{report::live::State()};
  auto first = LiveServer::start(feed, 0);
  ASSERT_TRUE(first);
  auto second = LiveServer::start(feed, address_of(*first).port);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("cannot be had"), std::string::npos);
}

} // namespace
} // namespace culprit::cli
