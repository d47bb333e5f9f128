// What the SWF reader drops, mends, refuses, and how it says so.
#include <string>

#include "scenarios/import/swf.hpp"
#include "tests/catch.hpp"
#include "tests/swf_text.hpp"

using namespace fleetsim;
using namespace fleetsim::swf_text;

namespace {

/// One sound record and one of each kind that is not; lines 1 to 17.
std::string one_of_each() {
  return line("1", "0", "10") + "2 0 zebra\n" + line("99999999999999999999", "0", "10") +
         line("4", "-1", "10") + line("5", "-500", "10") + line("6", "9000000001", "10") +
         line("7", "7", "-1", "4", "4", "60", "5", "5") + line("8", "8", "-1") + line("9", "9", "-3.5") +
         line("10", "10", "1e10") + line("11", "11", "10", "-1", "-1") +
         line("12", "12", "10", "1000000001") + line("13", "13", "10", "-1", "8") +
         line("14", "14", "10", "4", "4", "60", "-7") + line("15", "15", "10", "4", "4", "1e30") +
         line("15", "15", "10", "4", "4", "60", "5", "2") + line("17", "17", "10", "4.5");
}

std::int64_t all_reasons(const Trace& trace) {
  std::int64_t sum = 0;
  for (const auto& [name, times] : trace.by_reason) sum += times;
  return sum;
}

}  // namespace

TEST_CASE("B001: missing allocated processors are taken from the request, and counted") {
  const Read r = read(line("1", "0", "10", "-1", "4") + line("2", "1", "10", "0", "2") +
                      line("3", "2", "10", "-1", "-1"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].processors == 4);
  CHECK(r.trace.repaired == 2);
  CHECK(r.times("processors_from_request") == 2);
  CHECK(r.times("no_processors") == 1);
  CHECK(r.warned("2 records repaired as processors_from_request; the first is line 1, column 10"));
  CHECK(r.trace.rows == r.trace.kept + r.trace.repaired + r.trace.dropped);
  const Read other = read(line("1", "0", "10", "3", "-1"), OnError::repair, SizeFrom::requested);
  CHECK(other.trace.jobs[0].processors == 3);
  CHECK(other.times("processors_from_allocation") == 1);
}

TEST_CASE("B005: a line that is no record is named with its line, and fail refuses the file") {
  std::string text = "; a\n; b\n";
  for (int j = 3; j < 7; ++j) text += line(std::to_string(j), std::to_string(j), "10");
  text += "7 0 5 zebra 4 -1 -1 4 60 -1 1 7 1 -1 1 -1 -1 -1\n" + line("8", "8", "10");
  const Read r = read(text);
  CHECK(r.trace.jobs.size() == 5);
  CHECK(r.times("malformed") == 1);
  CHECK(r.warned(
      "1 record dropped as malformed; the first is line 7, column 7: field 4, 'zebra', is not a number"));
  const Read refused = read(text, OnError::fail);
  CHECK(refused.trace.jobs.empty());
  CHECK(refused.shown() ==
        "t.swf:7:7: error: field 4, 'zebra', is not a number\n"
        "    7 | 7 0 5 zebra 4 -1 -1 4 60 -1 1 7 1 -1 1 -1 -1 -1\n"
        "      |       ^~~~~\n");
  CHECK(read("4 5 6\n" + line("1", "0", "1")).warned("line 1, column 6: 3 fields instead of 18"));
}

TEST_CASE("B025: under each policy the counts add up to the records read") {
  const Read repair = read(one_of_each());
  CHECK(repair.trace.rows == 17);
  CHECK((repair.trace.kept == 1 && repair.trace.repaired == 3 && repair.trace.dropped == 13));
  CHECK(all_reasons(repair.trace) == 16);
  CHECK(repair.trace.jobs.size() == 4);
  const Read skip = read(one_of_each(), OnError::skip);
  CHECK((skip.trace.kept == 1 && skip.trace.repaired == 0 && skip.trace.dropped == 16));
  CHECK(all_reasons(skip.trace) == 16);
  CHECK(skip.trace.jobs.size() == 1);
  const Read fail = read(one_of_each(), OnError::fail);
  CHECK(fail.trace.jobs.empty());
  // cancelled_before_start and partial_execution are no faults: 16 - 2.
  CHECK(fail.diagnostics.errors() == 14);
  CHECK(fail.trace.rows == fail.trace.kept + fail.trace.repaired + fail.trace.dropped);
}

TEST_CASE("Every kind of record that cannot be used has its own reason") {
  const Read r = read(one_of_each());
  CHECK(r.times("malformed") == 2);  // words, and 4.5 processors
  for (const char* reason :
       {"job_id_out_of_range", "no_submit_time", "negative_submit_time", "submit_time_out_of_range",
        "cancelled_before_start", "no_run_time", "negative_run_time", "run_time_out_of_range",
        "no_processors", "processors_out_of_range", "processors_from_request", "wait_ignored",
        "limit_out_of_range", "partial_execution"}) {
    INFO(reason);
    CHECK(r.times(reason) == 1);
  }
  CHECK(r.trace.jobs[2].recorded_wait_s == -1.0);
  CHECK(to_seconds(r.trace.jobs[3].limit) == 9e9);
}

TEST_CASE("Under fail the first twenty faults are shown and all are counted") {
  std::string text;
  for (int j = 0; j < 30; ++j) text += line(std::to_string(j), "-1", "10");
  const Read r = read(text, OnError::fail);
  CHECK(r.diagnostics.errors() == 21);
  CHECK(r.first_message() == "30 records are refused; the first 20 are shown");
}

TEST_CASE("B006: a file of comments, or of nothing, has 0 jobs and says so") {
  for (const char* text : {"", "\n\n", "; MaxProcs: 100\n;\n", "\xEF\xBB\xBF"}) {
    const Read r = read(text);
    CHECK_FALSE(r.diagnostics.has_errors());
    CHECK(r.trace.jobs.empty());
    CHECK(r.trace.rows == 0);
    CHECK(r.warned("there is no job line in this file"));
  }
}

TEST_CASE("A file none of whose records can be used is an error with its place") {
  const Read r = read("; c\n" + line("1", "0", "10", "-1", "-1"));
  CHECK(r.shown() ==
        "t.swf:2:10: error: none of the 1 record can be used (1 no_processors): neither field 5 nor field 8 "
        "has "
        "processors\n"
        "    2 | 1 0 5 10 -1 -1 -1 -1 3600 -1 1 7 1 -1 1 -1 -1 -1\n"
        "      |          ^~\n");
  CHECK_FALSE(read(line("1", "0", "-1", "4", "4", "60", "5", "5")).diagnostics.has_errors());
}

TEST_CASE("Lines of fields separated by ';' are not SWF, and the message says what they are") {
  const Read comments = read(";1;2;3;4;alice;6;7\n;2;2;3;4;bob;6;7\n");
  CHECK(comments.shown().find(
            "t.swf:1:1: error: this is not SWF: 2 lines are made of fields separated by ';'") == 0);
  const Read fields = read("1;2;3;4;alice;6;7\n");
  CHECK(fields.shown().find("the fields seem to be separated by ';'") != std::string::npos);
  CHECK(read("job_id,submit_s,run_s,gpus\n").shown().find("separated by ','") != std::string::npos);
}

TEST_CASE("B171: a decimal comma is detected and explained") {
  const Read r = read(line("1", "0", "10") + line("2", "3", "0,25"));
  CHECK(r.warned("field 4, '0,25', is not a number (a decimal comma? write 0.25)"));
  CHECK(r.trace.dropped == 1);
}

TEST_CASE("Times that cannot be seconds are refused, not wrapped around") {
  std::string text;
  for (int j = 0; j < 200; ++j) text += line(std::to_string(j), "0", "8999999999");
  // 200 * 8999999999 s = 1.8e12 s = 57039 years
  CHECK(read(text).first_message().find("add up to 57039 years") != std::string::npos);
}

TEST_CASE("Bytes that are no text are shown safely") {
  const std::string text = line("1", "0", "10") + std::string("2 \0\x1b[31m 1\n", 11);
  CHECK(read(text).warned("field 2, '\\x00\\x1b[31m', is not a number (NUL bytes"));
  CHECK(read("\xFF\xFE" + std::string("1\0 \0", 4)).first_message().find("this is UTF-16 text") == 0);
  CHECK(read("PK\x03\x04 abc").first_message().find("this is a zip archive") == 0);
}
