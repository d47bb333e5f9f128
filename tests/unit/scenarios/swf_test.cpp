// What the SWF reader makes of sound records: fields, headers, order, size.
#include "scenarios/import/swf.hpp"

#include <string>

#include "tests/catch.hpp"
#include "tests/swf_text.hpp"

using namespace fleetsim;
using namespace fleetsim::swf_text;

TEST_CASE("An SWF line becomes a job") {
  const Read r = read("; Version: 2.2\n" + line("12", "100", "250", "8", "9", "300", "17"));
  REQUIRE(r.trace.jobs.size() == 1);
  const TraceJob& job = r.trace.jobs.front();
  CHECK(job.source_id == 12);
  CHECK(to_seconds(job.submit) == 0.0);
  CHECK(r.trace.origin_s == 100.0);
  CHECK(to_seconds(job.run) == 250.0);
  CHECK(job.has_limit);
  CHECK(to_seconds(job.limit) == 300.0);
  CHECK(job.processors == 8);
  CHECK(job.user == 7);
  CHECK(job.recorded_wait_s == 17.0);
  CHECK(r.trace.whole_seconds);
  CHECK((r.trace.rows == 1 && r.trace.kept == 1 && r.trace.repaired == 0 && r.trace.dropped == 0));
  CHECK(sizeof(TraceJob) == 48);
}

TEST_CASE("B008: source ids are kept and a preceding job is said to be ignored") {
  const Read r = read("70 0 5 10 4 -1 -1 4 60 -1 1 7 1 -1 1 -1 12 30\n" + line("99", "3", "10"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].source_id == 70);
  CHECK(r.trace.jobs[1].source_id == 99);
  CHECK(r.warned("1 job names a preceding job (field 17)"));
}

TEST_CASE("B012: a shuffled trace gives the jobs of the sorted one, with a warning") {
  std::string sorted, shuffled;
  for (int j = 0; j < 100; ++j)
    sorted += line(std::to_string(j), std::to_string(j / 3), std::to_string(j + 1));
  for (int j = 0; j < 100; ++j) {
    const int k = j * 37 % 100;  // 37 and 100 have no common factor: every job once
    shuffled += line(std::to_string(k), std::to_string(k / 3), std::to_string(k + 1));
  }
  const Read a = read(sorted), b = read(shuffled);
  CHECK(b.warned("not in the order of submission"));
  REQUIRE(a.trace.jobs.size() == b.trace.jobs.size());
  for (std::size_t j = 0; j < a.trace.jobs.size(); ++j) {
    REQUIRE(a.trace.jobs[j].source_id == b.trace.jobs[j].source_id);
    REQUIRE(a.trace.jobs[j].submit == b.trace.jobs[j].submit);
    REQUIRE(a.trace.jobs[j].run == b.trace.jobs[j].run);
  }
}

TEST_CASE("Equal submit times keep the order of a file that is sorted by them") {
  const Read r = read(line("9", "20", "10") + line("3", "20", "11") + line("5", "21", "1"));
  CHECK(r.trace.jobs[0].source_id == 9);
  CHECK(r.trace.jobs[1].source_id == 3);
  CHECK_FALSE(r.warned("order of submission"));
}

TEST_CASE("B014: headers are read in every spelling") {
  for (const char* header :
       {"; MaxNodes: 128\n", ";MaxNodes:128\n", ";MaxNodes:    128\n", ";;  MaxNodes :\t   128  \r\n",
        "; MaxNodes: 128 (of 130)\n", ";\tmaxnodes:\t128\n", "; MAXNODES = 128\n", "; MaxNodes:\n;   128\n",
        "; MaxNodes: 128\n;\n; Note: a\n;   b: 7\n; MaxNodes: 128\n", "; MaxNodes: 1.28e2\n"}) {
    INFO(header);
    const Read r = read(header + line("1", "0", "1"));
    CHECK(r.trace.header.at("MaxNodes") == 128);
    CHECK(r.trace.header.size() == 1);
    CHECK(r.trace.warnings.empty());
  }
  CHECK(read("; Note: none\n;\n" + line("1", "0", "1")).trace.header.empty());
}

TEST_CASE("Header values that are no numbers or contradict each other are told with their lines") {
  const Read r = read("; MaxProcs: many\n; MaxNodes: 9\n; MaxNodes: 10\n" + line("1", "0", "1"));
  CHECK(r.warned("MaxProcs at line 1 is 'many', not a whole number"));
  CHECK(r.warned("MaxNodes is 9 at line 2 and 10 at line 3; the first holds"));
  CHECK(read("; MaxJobs: 5\n; MaxRecords: 4\n" + line("1", "0", "1"))
            .warned("announces 4 records (MaxRecords), the file has 1"));
  CHECK(read("; MaxJobs: 5\n" + line("1", "0", "1")).warned("announces 5 records (MaxJobs), the file has 1"));
  CHECK(read("; MaxNodes: 9\n; MaxProcs: 8\n" + line("1", "0", "1")).warned("more nodes (MaxNodes 9)"));
}

TEST_CASE("TimeZoneString is preferred to the deprecated TimeZone") {
  CHECK(read("; TimeZone: 3600\n; TimeZoneString: US/Pacific\n" + line("1", "0", "1")).trace.time_zone ==
        "US/Pacific");
  CHECK(read("; TimeZone: -28800\n" + line("1", "0", "1")).trace.time_zone == "UTC-28800 s");
  CHECK(read(line("1", "0", "1")).trace.time_zone.empty());
  // What is no UTF-8 would spoil the JSON that repeats it.
  CHECK(read("; TimeZoneString: Gen\xE8ve\n").trace.time_zone == "Gen\\xe8ve");
}

TEST_CASE("B015: an 18-field and a 21-field file with the same jobs give the same jobs") {
  const std::string plain = line("1", "0", "10") + line("2", "1", "20");
  std::string more = plain;
  more.insert(more.find('\n'), " {n1,n2} batch:x 1163199901");
  const Read a = read(plain), b = read(more);
  REQUIRE(b.trace.jobs.size() == 2);
  CHECK(b.warned("1 line has more than 18 fields; the rest was ignored; the first is line 1"));
  CHECK((a.trace.jobs[0].run == b.trace.jobs[0].run && a.trace.jobs[1].run == b.trace.jobs[1].run));
  CHECK(a.trace.kept == b.trace.kept);
}

TEST_CASE("B019: decimal times are read without loss") {
  const Read r = read(line("1", "10.5", "0.25", "4", "4", "1e2", "0.000001"));
  REQUIRE(r.trace.jobs.size() == 1);
  CHECK(r.trace.origin_s == 10.5);
  CHECK(r.trace.jobs[0].run == Duration(250'000));
  CHECK(r.trace.jobs[0].limit == Duration(100'000'000));
  CHECK(r.trace.jobs[0].recorded_wait_s == 1e-6);
  CHECK_FALSE(r.trace.whole_seconds);
}

TEST_CASE("Every legal spelling of a number is read exactly, to the microsecond") {
  const auto run_of = [](const std::string& text) {
    const Read r = read(line("1", "0", text));
    return r.trace.jobs.empty() ? -1 : r.trace.jobs[0].run.count();
  };
  CHECK(run_of("+7") == 7'000'000);
  CHECK(run_of("007") == 7'000'000);
  CHECK(run_of("7.") == 7'000'000);
  CHECK(run_of(".5") == 500'000);
  CHECK(run_of("1.5E+3") == 1'500'000'000);
  CHECK(run_of("1500e-3") == 1'500'000);
  CHECK(run_of("0.1234565") == 123'457);  // halves away from zero
  CHECK(run_of("0.9999999") == 1'000'000);
  CHECK(run_of("123456789.123456") == 123'456'789'123'456);
  CHECK(run_of("0e999999999999") == 0);
  CHECK(run_of("1e-99999") == 0);
  CHECK(run_of("0.00000000000000000000000000000000000000000000001") == 0);
  CHECK(read(line("1", "0", "0.1234565")).warned("1 record has digits below a millionth"));
  for (const char* wrong : {"1e", "e5", ".", "+", "--1", "1.2.3", "0x10", "nan", "inf", "1_000", "1d3"}) {
    INFO(wrong);
    CHECK(read(line("1", "0", wrong)).times("malformed") == 1);
  }
}

TEST_CASE("B021: run time 0 is legal, -1 is unknown") {
  const Read r =
      read(line("1", "0", "0") + line("2", "0", "-1") + line("3", "0", "-1", "4", "4", "60", "5", "5") +
           line("4", "0", "0", "4", "4", "60", "5", "5"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].run == Duration::zero());
  CHECK_FALSE(r.trace.jobs[0].cancelled_before_start);
  CHECK(r.trace.jobs[1].cancelled_before_start);
  CHECK(r.times("no_run_time") == 1);
  CHECK(r.times("cancelled_before_start") == 1);
  CHECK(r.warned("1 job was cancelled (status 5) after 0 s"));
}

TEST_CASE("B022: more processors than the machine has are pointed out, with count and line") {
  const std::string jobs = line("1", "0", "10") + line("2", "0", "10", "589824");
  CHECK(read("; MaxNodes: 9408\n" + jobs)
            .warned("1 job has more processors than the header's MaxNodes of 9408; cores and nodes may be "
                    "mixed up; the first is line 3"));
  CHECK(read("; MaxNodes: 50\n; MaxProcs: 100\n" + jobs).warned("the header's MaxProcs of 100"));
  CHECK(read("; MaxProcs: 589824\n" + jobs).warned("than asked for"));
  // The caller may say which field is the size.
  const Read asked = read("; MaxNodes: 9408\n" + jobs, OnError::repair, SizeFrom::requested);
  CHECK(asked.trace.jobs[1].processors == 4);
  CHECK_FALSE(asked.warned("more processors"));
}

TEST_CASE("B028: a repeated job id is named with both lines") {
  const std::string text =
      "; c\n" + line("5", "0", "10") + line("6", "0", "10") + "\n" + line("5", "3", "10");
  const Read r = read(text);
  CHECK(r.trace.jobs.size() == 3);
  CHECK(r.warned("1 job id is repeated; all such jobs are kept; the first: id 5 at lines 2 and 5"));
  const Read refused = read(text, OnError::fail);
  CHECK(refused.shown().find("t.swf:5:1: error: 1 job id is repeated; the first: id 5 at lines 2 and 5") ==
        0);
  CHECK(refused.trace.jobs.empty());
}

TEST_CASE("Missing requested times, waits, ids, users and states have their rules") {
  const Read r =
      read("-1 0 -1 10 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n" + line("2", "0", "1", "4", "4", "0"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.kept == 2);
  CHECK_FALSE(r.trace.jobs[0].has_limit);
  CHECK_FALSE(r.trace.jobs[1].has_limit);
  CHECK(r.trace.jobs[0].recorded_wait_s == -1.0);
  CHECK(r.trace.jobs[0].source_id == -1);
  CHECK(r.warned("2 jobs have no requested time"));
  CHECK(r.warned("1 job has no id (field 1) and keeps -1"));
}

TEST_CASE("Lines for the parts of a swapped-out job are dropped behind the line of the whole") {
  const Read r =
      read(line("1", "0", "30") + line("1", "0", "10", "4", "4", "60", "5", "2") +
           line("1", "15", "20", "4", "4", "60", "5", "3") + line("2", "20", "5", "4", "4", "60", "5", "4"));
  REQUIRE(r.trace.jobs.size() == 2);
  CHECK(r.trace.jobs[0].run == Duration(30'000'000));
  CHECK(r.trace.jobs[1].source_id == 2);  // there is no line of the whole: the part is all that is known
  CHECK(r.times("partial_execution") == 2);
  CHECK_FALSE(read(line("1", "0", "30") + line("1", "0", "10", "4", "4", "60", "5", "2"), OnError::fail)
                  .diagnostics.has_errors());
}
