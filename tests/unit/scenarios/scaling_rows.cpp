// Reading tables of measurements, and predicting odd ones.
#include <cmath>

#include "scenarios/import/csv.hpp"
#include "scenarios/measured/score.hpp"
#include "tests/catch.hpp"

namespace fleetsim {
namespace {

const std::string kHeader =
    "row_id,series_id,role,split,system,gpus,nodes,fabric,model,batch_per_gpu,throughput,throughput_unit,"
    "base_gpus,"
    "base_throughput,speedup_vs_base\n";

std::vector<Measurement> rows_of(const std::string& text, Diagnostics& diagnostics) {
  return read_measurements("rows.csv", text, diagnostics);
}

std::string first_error(const std::string& text) {
  Diagnostics diagnostics;
  static_cast<void>(rows_of(text, diagnostics));
  const auto all = diagnostics.sorted();
  return all.empty() ? "" : std::to_string(all.front().pos.line) + ": " + all.front().message;
}

TEST_CASE("A CSV file may have quotes, CRLF, a byte order mark and line breaks in fields") {
  Diagnostics diagnostics;
  const CsvTable t = read_csv("t.csv",
                              "\xef\xbb\xbf"
                              "a, b ,c\r\n1,\"x, \"\"y\"\"\",3\r\n\r\n\"two\nlines\",,\n",
                              diagnostics);
  CHECK_FALSE(diagnostics.has_errors());
  REQUIRE(t.records.size() == 2);
  CHECK(t.at(t.records[0], "b") == "x, \"y\"");
  CHECK(t.at(t.records[0], "c") == "3");
  CHECK(t.at(t.records[1], "a") == "two\nlines");
  CHECK(t.records[1].line == 4);
  CHECK(t.at(t.records[1], "nothing").empty());
}

TEST_CASE("Faults of a CSV file name their line") {
  CHECK(first_error("") == "1: the file has no header line");
  CHECK(first_error("row_id,split\nM1,dev\n").find("1: the table has no column series_id, role") == 0);
  CHECK(first_error(kHeader + "M1,S1,\"point\n") == "2: a quote is opened and never closed");
  CHECK(first_error(kHeader + "\"M1\"x,S1,point\n") == "2: text stands behind a closing quote");
  CHECK(first_error(kHeader + "M1,S1,point,dev,x,1,1,x,x,1,1,x,1,1,1,more\n") ==
        "2: 16 fields in a table of 15 columns");
  CHECK(first_error(kHeader + "M1,S1,point\nM1,S1,point\n") == "3: row 'M1' is in line 2 already");
  CHECK(first_error(kHeader + ",S1,point\n") == "2: a row has no row_id");
}

TEST_CASE("The batch column is read in all its spellings") {
  CHECK(read_batch("184").per_gpu == 184.0);
  CHECK(read_batch("864/928").per_gpu == 896.0);
  const BatchText accumulated = read_batch("256 (accum 32)");
  CHECK(accumulated.per_gpu == 256.0);
  CHECK(accumulated.accumulation == 32);
  CHECK_FALSE(accumulated.fixed_global);
  const BatchText strong = read_batch("64 (global 65536; accumulation 128/32/8/4)");
  CHECK(strong.per_gpu == 64.0);
  CHECK(strong.global == 65536.0);
  CHECK(strong.accumulation == 128);
  CHECK(strong.fixed_global);
  const BatchText fixed = read_batch("32 (global batch fixed; accumulation 128 at 1 node to 4 at 32)");
  CHECK(fixed.per_gpu == 32.0);
  CHECK_FALSE(fixed.global);
  CHECK(fixed.accumulation == 128);
  CHECK(fixed.fixed_global);
  CHECK(read_batch("global 3264").global == 3264.0);
  CHECK_FALSE(read_batch("global 3264").per_gpu);
  CHECK(read_batch("2560 tokens").in_tokens);
  CHECK(read_batch("1,024").per_gpu == 1024.0);
  CHECK(read_batch("4k").per_gpu == 4000.0);
  CHECK(read_batch("1,024/2,048 (accum 4)").per_gpu == 1536.0);
  CHECK(read_batch("global 65,536").global == 65536.0);
  for (const char* odd : {"1/0", "1/", "1/2/3", "-5", "0", "1e99", "1,02", "1024,000", "4kg", "12x"}) {
    INFO(odd);
    CHECK_FALSE(read_batch(odd).per_gpu);
    CHECK(read_batch(odd).fault.find("is not a batch") != std::string::npos);
  }
  for (const char* nothing : {"", "see source", "unsourced", "-5", "0", "nan", "1e99", "accumulation 0"}) {
    INFO(nothing);
    CHECK_FALSE(read_batch(nothing).per_gpu);
    CHECK_FALSE(read_batch(nothing).accumulation);
  }
}

TEST_CASE("What cannot be predicted is skipped with its reason") {
  Diagnostics diagnostics;
  const auto table =
      rows_of(kHeader +
                  "B1,S1,base,dev,DGX A100 40GB,1,1,NVSwitch,ResNet-50 v1.5,256,1000,img/s,1,1000,1\n"
                  "P1,S1,point,dev,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P2,S1,point,dev,Some other box,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P3,S1,point,dev,DGX A100 40GB,8,1,NVSwitch,No such model,256,7900,img/s,1,1000,7.9\n"
                  "P4,S1,point,dev,DGX A100 40GB,eight,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P5,S9,point,dev,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,,,7.9\n"
                  "P6,S9,point,dev,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P7,S1,point,control,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P8,S1,point,exclude,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n",
              diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  Predictor predictor(table, Catalog::builtin(), MeasuredNames::builtin());
  const std::vector<Prediction> all = predictor.all();
  REQUIRE(all.size() == 8);
  REQUIRE(all[0].predicted);
  CHECK(*all[0].predicted > 7.0);
  CHECK(*all[0].predicted < 8.0);
  CHECK(all[1].skipped == "unknown system 'Some other box'");
  CHECK(all[2].skipped == "unknown model 'No such model'");
  CHECK(all[3].skipped == "gpus is not a number");
  CHECK(all[4].skipped == "the series has no base row with a throughput");
  // The point row repeats what its base row says, so a table of points alone can be used.
  REQUIRE(all[5].predicted);
  CHECK(*all[5].predicted == Approx(*all[0].predicted));
  CHECK(all[6].kind == RowKind::control);
  CHECK(all[7].kind == RowKind::excluded);
}

TEST_CASE("Tables with odd figures are skipped row by row, and a base row that is not used is named") {
  const std::string gpus[] = {"100000", "8", "8", "8", "8"};
  const std::string nodes[] = {"1", "1000000", "1", "1", "1"};
  const std::string batch[] = {"256", "256", "1/0", "1e15", "256"};
  const std::string base[] = {"1000", "1000", "1000", "1000", "1e-12"};
  const std::string why[] = {
      "more than 8192 GPUs are not predicted", "more nodes than GPUs", "batch_per_gpu '1/0' is not a batch",
      "the base row's throughput and batch make a pass of 1e+12 s: one of them is wrong",
      "the base row's throughput and batch make a pass of 2.56e+14 s: one of them is wrong"};
  for (std::size_t i = 0; i < std::size(why); ++i) {
    Diagnostics diagnostics;
    const auto table =
        rows_of(kHeader + "B1,S1,base,dev,DGX A100 40GB,1,1,NVSwitch,ResNet-50 v1.5,\"" + batch[i] + "\"," +
                    base[i] + ",img/s,1,,1\nP1,S1,point,dev,DGX A100 40GB," + gpus[i] + "," + nodes[i] +
                    ",NVSwitch,ResNet-50 v1.5,\"" + batch[i] + "\",7900,img/s,1,,7.9\n",
                diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    CHECK(Predictor(table, Catalog::builtin(), MeasuredNames::builtin()).all().front().skipped == why[i]);
  }
  Diagnostics diagnostics;
  const auto table =
      rows_of(kHeader +
                  "B1,S1,base,dev,DGX A100 40GB,1,1,NVSwitch,ResNet-50 v1.5,256,1e3x,img/s,1,1000,1\n"
                  "P1,S1,point,dev,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "P2,S1,point,,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n"
                  "X1,S1,pint,dev,DGX A100 40GB,8,1,NVSwitch,ResNet-50 v1.5,256,7900,img/s,1,1000,7.9\n",
              diagnostics);
  Predictor predictor(table, Catalog::builtin(), MeasuredNames::builtin());
  const std::vector<Prediction> all = predictor.all();
  REQUIRE(all.size() == 2);
  CHECK(all[0].predicted);  // from what the point row repeats of its base
  CHECK(all[1].skipped == "the split is empty: write dev, control or exclude");
  CHECK(predictor.unused() ==
        std::vector<std::string>{"base row 'B1' is not used: throughput is not a number",
                                 "row 'X1' is not used: the role 'pint' is neither base nor point"});
  CHECK(first_error(kHeader) == "1: the table has a header line and no rows");
}

TEST_CASE("A prediction never looks at the measured point") {
  Diagnostics diagnostics;
  const auto rows = [&](const char* throughput, const char* speedup) {
    return rows_of(kHeader +
                       "B1,S1,base,dev,DGX A100 40GB,1,1,NVSwitch,GNMT,128,140909,tokens/s,1,140909,1\n"
                       "P1,S1,point,dev,DGX A100 40GB,8,1,NVSwitch,GNMT,128," +
                       throughput + ",tokens/s,1,140909," + speedup + "\n",
                   diagnostics);
  };
  const auto predicted = [](const std::vector<Measurement>& table) {
    return *Predictor(table, Catalog::builtin(), MeasuredNames::builtin()).all().front().predicted;
  };
  CHECK(predicted(rows("1000000", "7.1")) == predicted(rows("300000", "2.1")));
}

TEST_CASE("Scores of a hand-made table") {
  // Errors 10 % and 20 %; best constant by hand: see below. Nearest rank: median is the first, p90 the
  // second.
  std::vector<Measurement> rows(2);
  rows[0].gpus = rows[1].gpus = 4;
  rows[0].base_gpus = rows[1].base_gpus = 1;
  rows[0].model = rows[1].model = "m";
  rows[0].batch_given = rows[1].batch_given = true;
  rows[0].nodes = rows[1].nodes = 1;
  rows[0].fabric = "PCIe 4.0, no P2P";
  rows[1].fabric = "NVSwitch";
  rows[0].speedup = 2.0;
  rows[1].speedup = 4.0;
  std::vector<Prediction> p(2);
  for (int i = 0; i < 2; ++i) {
    p[i].row = &rows[i];
    p[i].measured = *rows[i].speedup;
  }
  p[0].predicted = 2.2;
  p[1].predicted = 3.2;
  const Scores s = score(p);
  CHECK(s.coverage() == 1.0);
  CHECK(s.all.median == Approx(0.1));
  CHECK(s.all.p90 == Approx(0.2));
  CHECK(s.hard.rows == 1);
  CHECK(s.by_path[2].rows == 1);
  // |ln| of a constant c in [0.5, 1]: ln(2c) + ln(1/c) = ln 2 everywhere; the model: ln 1.1 + ln 1.25.
  CHECK(s.skill == Approx(1.0 - (std::log(1.1) + std::log(1.25)) / std::log(2.0)));
  CHECK(s.contrasts == 1);
  CHECK(s.contrasts_right == 1.0);  // ln(3.2/2.2) = 0.37 is over a quarter of ln 2
}

TEST_CASE("Sizes of microbenchmark messages are read") {
  CHECK(message_bytes("nccl all_reduce busbw, message 64 MiB") == 64.0 * 1048576.0);
  CHECK(message_bytes("message 32 KiB") == 32768.0);
  CHECK_FALSE(message_bytes("nccl all_reduce busbw, message peak"));
  CHECK_FALSE(message_bytes("message -1 GiB"));
}

}  // namespace
}  // namespace fleetsim
