// Work shared out among threads that exist no longer than the call.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace tabletop::python {

inline constexpr int kMaxThreads = 1024;

// Calls work(first, count) for lots that cover first .. first + count - 1, on this thread and as
// many helpers as there is work for. Fewer will do, should the system not have so many.
template <class Work>
void in_lots(std::size_t first, std::size_t count, std::size_t lot, std::size_t threads,
             const Work& work) {
  const std::size_t end = first + count;
  std::atomic<std::size_t> next{first};
  const auto share = [&] {
    for (;;) {
      const std::size_t begin = next.fetch_add(lot);
      if (begin >= end) return;
      work(begin, std::min(lot, end - begin));
    }
  };
  std::vector<std::thread> helpers;
  const std::size_t wanted = std::min(threads, (count + lot - 1) / lot);
  while (helpers.size() + 1 < wanted) {
    try {
      helpers.emplace_back(share);
    } catch (const std::exception&) {
      break;
    }
  }
  share();
  for (std::thread& helper : helpers) helper.join();
}

}  // namespace tabletop::python
