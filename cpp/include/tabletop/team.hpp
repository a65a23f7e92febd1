// Threads that share out work, and stay for more of it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace tabletop {

// The caller and up to size - 1 helpers, which begin when there is work for them and end with the
// team. A caller that comes again at once finds them awake.
class Team {
 public:
  static constexpr int kMaxSize = 1024;

  explicit Team(std::size_t size) : size_(size) {}
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    forget_after_fork();
    if (crew_) crew_->dismiss();
  }

  // Calls work(first, count) for lots that cover first .. first + count - 1, each on the first
  // thread that is free; one call at a time. If work throws, no more lots are begun, and the first
  // exception comes out when all threads are through.
  template <class Work>
  void share_out(std::size_t first, std::size_t count, std::size_t lot, const Work& work) {
    const std::size_t end = first + count;
    std::atomic<std::size_t> next{first};
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const auto take_lots = [&] {
      try {
        while (!failed.load(std::memory_order_relaxed)) {
          const std::size_t begin = next.fetch_add(lot, std::memory_order_relaxed);
          if (begin >= end) return;
          work(begin, std::min(lot, end - begin));
        }
      } catch (...) {
        if (!failed.exchange(true)) failure = std::current_exception();
      }
    };
    const std::size_t wanted = std::min(size_, (count + lot - 1) / lot);
    if (wanted <= 1) {
      take_lots();
    } else {
      call_crew(wanted - 1);
      crew_->begin([](const void* job) { (*static_cast<const decltype(take_lots)*>(job))(); },
                   &take_lots);
      take_lots();
      crew_->finish();
    }
    if (failure) std::rethrow_exception(failure);
  }

  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  using Count = std::uint32_t;  // of the size that systems can wait for

  // The helpers, and where they are told what to do.
  class Crew {
   public:
    // Fewer will do, should the system not have so many.
    void grow(std::size_t helpers) {
      while (helpers_.size() < helpers) {
        try {
          helpers_.emplace_back(&Crew::help, this, round_.load());
        } catch (const std::exception&) {
          break;
        }
      }
    }

    void begin(void (*run)(const void*), const void* job) {
      run_ = run;
      job_ = job;
      busy_.store(static_cast<Count>(helpers_.size()), std::memory_order_relaxed);
      round_.fetch_add(1, std::memory_order_release);
      round_.notify_all();
    }

    void finish() {
      while (const Count busy = busy_.load(std::memory_order_acquire)) await_change(busy_, busy);
    }

    void dismiss() {
      begin(nullptr, nullptr);
      for (std::thread& helper : helpers_) helper.join();
    }

    const std::int64_t process = this_process();

   private:
    void help(Count seen) {
      for (;;) {
        await_change(round_, seen);
        ++seen;
        if (run_ == nullptr) return;
        run_(job_);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_one();
      }
    }

    std::atomic<Count> round_ = 0;
    std::atomic<Count> busy_ = 0;  // helpers that are not through with this round
    void (*run_)(const void*) = nullptr;
    const void* job_ = nullptr;
    std::vector<std::thread> helpers_;
  };

  // Looks a while before it sleeps, as waking takes longer than most work.
  static void await_change(const std::atomic<Count>& value, Count old) {
    for (int look = 0; look < kLooks; ++look) {
      if (value.load(std::memory_order_acquire) != old) return;
      std::this_thread::yield();
    }
    value.wait(old, std::memory_order_acquire);
  }

  void call_crew(std::size_t helpers) {
    forget_after_fork();
    if (!crew_) crew_ = std::make_unique<Crew>();
    crew_->grow(helpers);
  }

  // A process that was forked has no thread but the one that forked it, so there is nobody to join.
  void forget_after_fork() {
    if (!crew_ || crew_->process == this_process()) return;
    // NOLINTNEXTLINE(bugprone-unused-return-value): left behind, as it cannot be destroyed unjoined
    static_cast<void>(crew_.release());
  }

  static std::int64_t this_process() {
#if __has_include(<unistd.h>)
    return getpid();
#else
    return 0;
#endif
  }

  static constexpr int kLooks = 200;

  std::size_t size_;
  std::unique_ptr<Crew> crew_;
};

}  // namespace tabletop
