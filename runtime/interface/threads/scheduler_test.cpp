// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of this folder are the test's own: what it does with threads goes through the
// scheduler. What is written without a lock is safe for that reason alone.
#include "runtime/locate/child_for_tests.h"
#include "runtime/locate/threads/scheduler.h"
#include "runtime/locate/values.h"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

namespace culprit::locate {
namespace {

using namespace std::chrono_literals;

std::string g_trail;

void add(char what) { g_trail += what; }

// What threads a, b, c … leave behind when each does this.
template <typename Body> std::string trail(int count, Body body) {
  g_trail.clear();
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i)
    all.emplace_back([&body, i] { body(static_cast<char>('a' + i)); });
  for (std::thread &each : all)
    each.join();
  return g_trail;
}

TEST(Scheduler, ThreadsRunInTheOrderOfTheirCreationWhenTheirCreatorWaits) {
  EXPECT_EQ(trail(5, add), "abcde");
}

TEST(Scheduler, YieldLetsTheNextOneRun) {
  EXPECT_EQ(trail(3,
                  [](char name) {
                    add(name);
                    sched_yield();
                    add(name);
                  }),
            "abcabc");
}

TEST(Scheduler, WhoHoldsAMutexIsNotDisturbed) {
  std::mutex mutex;
  EXPECT_EQ(trail(3,
                  [&](char name) {
                    std::lock_guard lock(mutex);
                    add(name);
                    sched_yield();
                    add(name);
                  }),
            "aabbcc");
}

TEST(Scheduler, ARecursiveMutexIsHeldUntilItsLastUnlock) {
  std::recursive_mutex mutex;
  EXPECT_EQ(trail(2,
                  [&](char name) {
                    mutex.lock();
                    mutex.lock();
                    add(name);
                    mutex.unlock();
                    sched_yield();
                    add(name);
                    mutex.unlock();
                  }),
            "aabb");
}

TEST(Scheduler, AnErrorCheckingMutexTellsItsOwner) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

TEST(Scheduler, ASignalWakesWhoWaitedLongestABroadcastAll) {
  std::mutex mutex;
  std::condition_variable condition;
  int tickets = 0;
  g_trail.clear();
  std::vector<std::thread> all;
  for (char name : {'a', 'b', 'c', 'd'})
    all.emplace_back([&, name] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return tickets > 0; });
      --tickets;
      add(name);
    });
  sched_yield(); // they wait, in their order
  for (int i = 0; i < 2; ++i) {
    std::unique_lock lock(mutex);
    ++tickets;
    condition.notify_one();
    lock.unlock();
    sched_yield();
  }
  EXPECT_EQ(g_trail, "ab");
  tickets = 2;
  condition.notify_all();
  for (std::thread &each : all)
    each.join();
  EXPECT_EQ(g_trail, "abcd");
}

TEST(Scheduler, ATimeOutComesWhenNobodyCanRun) {
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  EXPECT_EQ(condition.wait_for(lock, 1ms), std::cv_status::timeout);
  std::thread other([&] {
    std::lock_guard inner(mutex);
    condition.notify_one();
  });
  EXPECT_EQ(condition.wait_for(lock, 1h), std::cv_status::no_timeout);
  lock.unlock();
  other.join();
}

TEST(Scheduler, SleepersWakeInTheOrderOfTheirTimes) {
  EXPECT_EQ(trail(4,
                  [](char name) {
                    std::this_thread::sleep_for(std::chrono::milliseconds('e' - name));
                    add(name);
                  }),
            "dcba");
}

TEST(Scheduler, SomebodyWhoYieldsForEverDoesNotKeepASleeperAsleep) {
  std::atomic<bool> stop{false};
  std::thread spinner([&] {
    while (!stop)
      sched_yield();
  });
  std::this_thread::sleep_for(1ms);
  stop = true;
  spinner.join();
}

TEST(Scheduler, FuturesAreWaitedFor) {
  auto later = std::async(std::launch::async, [] {
    std::this_thread::sleep_for(1ms);
    return 5;
  });
  EXPECT_EQ(later.get(), 5);
  std::promise<int> promise;
  EXPECT_EQ(promise.get_future().wait_for(1ms), std::future_status::timeout);
}

TEST(Scheduler, AtomicsBarriersAndSemaphoresOfTheStandardLibrary) {
  std::atomic<int> value{0};
  std::barrier<> gate(3);
  std::counting_semaphore<8> permits(0);
  EXPECT_EQ(trail(2,
                  [&](char name) {
                    if (name == 'a') {
                      value = 1;
                      value.notify_all();
                      permits.release(2);
                    } else {
                      value.wait(0);
                    }
                    permits.acquire();
                    add(name);
                  })
                .size(),
            2u);
  EXPECT_EQ(trail(3,
                  [&](char name) {
                    add(name);
                    gate.arrive_and_wait();
                    add(static_cast<char>(name - 'a' + 'A'));
                  })
                .substr(0, 3),
            "abc");
}

TEST(Scheduler, ReadersShareWritersDoNot) {
  std::shared_mutex mutex;
  EXPECT_EQ(trail(3,
                  [&](char name) {
                    std::shared_lock lock(mutex);
                    add(name);
                    sched_yield();
                    add(name);
                  }),
            "abcabc");
  EXPECT_EQ(trail(3,
                  [&](char name) {
                    std::unique_lock lock(mutex);
                    add(name);
                    sched_yield();
                    add(name);
                  }),
            "aabbcc");
}

TEST(Scheduler, BarriersAndSemaphoresOfPosix) {
  pthread_barrier_t barrier;
  sem_t semaphore;
  ASSERT_EQ(pthread_barrier_init(&barrier, nullptr, 3), 0);
  ASSERT_EQ(sem_init(&semaphore, 0, 0), 0);
  int serial = 0;
  EXPECT_EQ(trail(3,
                  [&](char name) {
                    add(name);
                    serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
                    if (name == 'c')
                      sem_post(&semaphore);
                    else
                      sem_wait(&semaphore);
                    add(name);
                    sem_post(&semaphore);
                  }),
            "abccab");
  EXPECT_EQ(serial, 1);
  int value = 0;
  sem_getvalue(&semaphore, &value);
  EXPECT_EQ(value, 2);
}

TEST(Scheduler, OnceIsOnceAndAgainAfterAnException) {
  std::once_flag flag;
  int tries = 0;
  trail(3, [&](char) {
    try {
      std::call_once(flag, [&] {
        sched_yield();
        if (++tries == 1)
          throw 1;
      });
    } catch (int) {
      add('!');
    }
  });
  EXPECT_EQ(g_trail, "!");
  EXPECT_EQ(tries, 2);
}

TEST(Scheduler, ThreadsOfC11) {
  static mtx_t mutex;
  static cnd_t condition;
  static bool ready;
  mtx_init(&mutex, mtx_plain);
  cnd_init(&condition);
  ready = false;
  thrd_t thread;
  ASSERT_EQ(thrd_create(
                &thread,
                [](void *) {
                  mtx_lock(&mutex);
                  while (!ready)
                    cnd_wait(&condition, &mutex);
                  mtx_unlock(&mutex);
                  return 7;
                },
                nullptr),
            thrd_success);
  thrd_yield();
  mtx_lock(&mutex);
  ready = true;
  cnd_signal(&condition);
  mtx_unlock(&mutex);
  int result = 0;
  EXPECT_EQ(thrd_join(thread, &result), thrd_success);
  EXPECT_EQ(result, 7);
}

TEST(Scheduler, ThreadsThatTalkThroughAPipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_EQ(trail(2,
                  [&](char name) {
                    char byte = name;
                    if (name == 'a')
                      ASSERT_EQ(read(ends[0], &byte, 1), 1);
                    else
                      ASSERT_EQ(write(ends[1], &byte, 1), 1);
                    add(name);
                    add(byte);
                  }),
            "bbab");
  close(ends[0]);
  close(ends[1]);
}

TEST(Scheduler, DestructorsOfThreadLocalDataRunBeforeAJoinReturns) {
  struct Noted {
    ~Noted() { add('~'); }
  };
  EXPECT_EQ(trail(2,
                  [](char name) {
                    thread_local Noted noted;
                    (void)&noted;
                    add(name);
                  }),
            "a~b~");
}

TEST(Scheduler, EachThreadHasItsGlobalsAndItsDataStackAndTheClockGoesOn) {
  char *mine = __culprit_data_stack;
  char *stacks[2] = {};
  __culprit_result_id = 99;
  uint64_t before = __culprit_clock;
  trail(2, [&](char name) {
    stacks[name - 'a'] = __culprit_data_stack;
    __culprit_result_id = static_cast<uint64_t>(name);
    ++__culprit_clock;
    sched_yield();
    EXPECT_EQ(__culprit_result_id, static_cast<uint64_t>(name));
  });
  EXPECT_EQ(__culprit_data_stack, mine);
  EXPECT_EQ(__culprit_result_id, 99u);
  EXPECT_EQ(__culprit_clock, before + 2);
  EXPECT_EQ(stacks[0] + (size_t{1} << 30), stacks[1]);
  char *again = nullptr;
  trail(1, [&](char) { again = __culprit_data_stack; });
  EXPECT_EQ(again, stacks[0]) << "a stack is used again";
}

TEST(Scheduler, AWaitCanBeCancelled) {
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, nullptr,
                [](void *) -> void * {
                  for (;;)
                    sleep(1000);
                },
                nullptr),
            0);
  sched_yield();
  EXPECT_EQ(pthread_cancel(thread), 0);
  void *result = nullptr;
  EXPECT_EQ(pthread_join(thread, &result), 0);
  EXPECT_EQ(result, PTHREAD_CANCELED);
}

TEST(Scheduler, ADetachedThreadRunsToItsEnd) {
  static bool done;
  done = false;
  std::thread([] { done = true; }).detach();
  sched_yield();
  EXPECT_TRUE(done);
  EXPECT_TRUE(threads::is_alone());
}

TEST(Scheduler, AChildOfForkIsAloneAndCanHaveThreads) {
  std::thread waiting([] { std::this_thread::sleep_for(5ms); });
  sched_yield();
  pid_t child = fork();
  if (child == 0) {
    bool alone = threads::is_alone();
    int seen = 0;
    std::thread([&] { seen = 3; }).join();
    _exit(alone && seen == 3 ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  waiting.join();
}

TEST(Scheduler, AHandlerOfAThreadThatWaitsRunsAndTheWaitGoesOn) {
  static int handled;
  handled = 0;
  auto ended = in_child([] {
    struct sigaction action{};
    action.sa_handler = [](int) { ++handled; };
    sigaction(SIGUSR1, &action, nullptr);
    std::thread worker([] { std::this_thread::sleep_for(20ms); });
    sched_yield();
    pthread_kill(worker.native_handle(), SIGUSR1);
    worker.join();
    _exit(handled == 1 ? 0 : 1);
  });
  EXPECT_EQ(ended.code(), 0);
}

TEST(Scheduler, WhenEveryThreadWaitsForAnotherItIsADeadlock) {
  auto ended = in_child([] {
    std::mutex first;
    std::mutex second;
    std::thread other([&] {
      std::lock_guard inner(second);
      sched_yield();
      std::lock_guard outer(first);
    });
    std::lock_guard outer(first);
    sched_yield();
    std::lock_guard inner(second);
    other.join();
  });
  EXPECT_EQ(ended.signal(), SIGABRT);
  ASSERT_TRUE(ended.crash);
  EXPECT_EQ(ended.crash->kind, uint32_t{CULPRIT_CRASH_DEADLOCK});
}

} // namespace
} // namespace culprit::locate
