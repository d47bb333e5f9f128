// Random traces in random spellings, read back; and the reader against a naive twin.
#include <rapidcheck.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/import/swf.hpp"
#include "tests/catch.hpp"
#include "tests/swf_text.hpp"

using namespace fleetsim;
using namespace fleetsim::swf_text;

namespace {

struct Job {
  std::int64_t id = 0, submit = 0, wait = 0, run = 0, processors = 0, limit = 0, user = 0;
};

std::vector<Job> random_jobs() {
  const int n = *rc::gen::inRange(1, 60);
  std::vector<Job> jobs;
  std::int64_t submit = *rc::gen::inRange<std::int64_t>(0, 1'000'000);
  for (int j = 0; j < n; ++j) {
    submit += *rc::gen::inRange<std::int64_t>(0, 1000);
    jobs.push_back(
        {j * 3 + 1, submit, *rc::gen::inRange<std::int64_t>(-1, 5000),
         *rc::gen::inRange<std::int64_t>(0, 10'000'000), *rc::gen::inRange<std::int64_t>(1, 70'000),
         *rc::gen::element<std::int64_t>(-1, 60, 3600, 1'000'000), *rc::gen::inRange<std::int64_t>(0, 99)});
  }
  return jobs;
}

/// One of the spellings of a whole number.
std::string spelled(std::int64_t value) {
  const std::string plain = std::to_string(value);
  const std::string digits = value < 0 ? plain.substr(1) : plain, sign = value < 0 ? "-" : "";
  switch (*rc::gen::inRange(0, 9)) {
    case 0:
      return plain + ".000";
    case 1:
      return sign + "00" + digits;
    case 2:
      return value < 0 ? plain : "+" + plain;
    case 3:
      return plain + "0e-1";
    case 4:
      return sign + "0." + digits + "E" + std::to_string(digits.size());
    case 5:
      return plain + ".";
    default:
      return plain;
  }
}

std::string blanks() {
  return *rc::gen::element<std::string>(" ", "  ", "\t", " \t ");
}

/// `odd`: in random spellings with random blanks, line ends, comments and empty lines.
std::string text_of(const std::vector<Job>& jobs, bool odd) {
  const std::string end = odd ? *rc::gen::element<std::string>("\n", "\r\n", "\r") : "\n";
  std::string text;
  for (const Job& job : jobs) {
    const std::int64_t field[18] = {job.id,
                                    job.submit,
                                    job.wait,
                                    job.run,
                                    job.processors,
                                    -1,
                                    -1,
                                    job.processors,
                                    job.limit,
                                    -1,
                                    1,
                                    job.user,
                                    -1,
                                    -1,
                                    -1,
                                    -1,
                                    -1,
                                    -1};
    if (odd && *rc::gen::inRange(0, 8) == 0) text += "; a comment" + end;
    if (odd && *rc::gen::inRange(0, 8) == 0) text += blanks() + end;
    if (odd && *rc::gen::inRange(0, 4) == 0) text += blanks();
    for (int f = 0; f < 18; ++f)
      text += (f == 0 ? "" : odd ? blanks() : " ") + (odd ? spelled(field[f]) : std::to_string(field[f]));
    if (odd && *rc::gen::inRange(0, 8) == 0) text += blanks() + "{a,b} more";
    text += end;
  }
  return text;
}

void must_equal(const std::vector<Job>& jobs, const Trace& trace) {
  RC_ASSERT(jobs.size() == trace.jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const TraceJob& read_back = trace.jobs[j];
    RC_ASSERT(read_back.source_id == jobs[j].id);
    RC_ASSERT(read_back.submit.time_since_epoch().count() == (jobs[j].submit - jobs[0].submit) * 1'000'000);
    RC_ASSERT(read_back.run.count() == jobs[j].run * 1'000'000);
    RC_ASSERT(read_back.processors == jobs[j].processors);
    RC_ASSERT(read_back.has_limit == (jobs[j].limit > 0));
    if (jobs[j].limit > 0) RC_ASSERT(read_back.limit.count() == jobs[j].limit * 1'000'000);
    RC_ASSERT(read_back.user == jobs[j].user);
    RC_ASSERT(read_back.recorded_wait_s == static_cast<double>(jobs[j].wait));
  }
}

/// The jobs of a text of plain whole numbers, read in the most obvious way.
std::vector<Job> naive(const std::string& text) {
  std::vector<Job> jobs;
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) {
    if (one.empty() || one[0] == ';') continue;
    std::istringstream words(one);
    std::vector<std::int64_t> field;
    for (std::int64_t value = 0; words >> value;) field.push_back(value);
    if (field.size() < 18 || field[1] < 0 || field[3] < 0) continue;
    const std::int64_t processors = field[4] > 0 ? field[4] : field[7];
    if (processors <= 0) continue;
    jobs.push_back({field[0], field[1], field[2], field[3], processors, field[8], field[11]});
  }
  std::stable_sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return a.submit < b.submit; });
  return jobs;
}

}  // namespace

TEST_CASE("Random traces in random spellings are read back equal") {
  CHECK(rc::check([] {
    const std::vector<Job> jobs = random_jobs();
    const std::string text = text_of(jobs, true);
    const Read r = read(text);
    must_equal(jobs, r.trace);
    RC_ASSERT(r.trace.kept == static_cast<std::int64_t>(jobs.size()));
    const std::size_t cut = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    must_equal(jobs, read(gzip(text.substr(0, cut)) + gzip(text.substr(cut))).trace);
  }));
}

TEST_CASE("B003: the processor-seconds of the file are those of the trace, exactly") {
  CHECK(rc::check([] {
    const std::vector<Job> jobs = random_jobs();
    // Without sign, so that sums of the longest jobs wrap round on both sides alike.
    const auto product = [](std::int64_t a, std::int64_t b) {
      return static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b);
    };
    std::uint64_t written_s = 0, read_us = 0;
    for (const Job& job : jobs) written_s += product(job.run, job.processors);
    for (const TraceJob& job : read(text_of(jobs, true)).trace.jobs)
      read_us += product(job.run.count(), job.processors);
    RC_ASSERT(read_us == written_s * 1'000'000);
  }));
}

TEST_CASE("A naive reader finds the same jobs, whatever is missing and in whatever order") {
  CHECK(rc::check([] {
    std::vector<Job> jobs = random_jobs();
    std::string text;
    for (const Job& job : jobs) {
      const std::int64_t submit = *rc::gen::inRange<std::int64_t>(-1, 100);
      const std::int64_t run = *rc::gen::inRange<std::int64_t>(-1, 5);
      const std::int64_t allocated = *rc::gen::inRange<std::int64_t>(-1, 4);
      const std::int64_t asked = *rc::gen::inRange<std::int64_t>(-1, 4);
      text +=
          line(std::to_string(job.id), std::to_string(submit), std::to_string(run), std::to_string(allocated),
               std::to_string(asked), "60", "5", std::to_string(*rc::gen::inRange(-1, 2)));
      if (*rc::gen::inRange(0, 5) == 0) text += "7 8 9\n";
    }
    const Read r = read(text);
    const std::vector<Job> expected = naive(text);
    if (expected.empty()) {
      RC_ASSERT(r.trace.jobs.empty());
    } else {
      // Waits of 5 and users of 7 stand in `line`.
      must_equal(expected, r.trace);
    }
  }));
}
