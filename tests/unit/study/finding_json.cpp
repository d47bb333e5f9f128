#include "sim/study/finding_json.hpp"

#include <stdexcept>

#include "sim/study/dossier.hpp"
#include "tests/catch.hpp"
#include "tests/unit/economics/fixture.hpp"

using namespace fleetsim;

TEST_CASE("findings go to JSON and come back the same, alone and in a dossier") {
  const facility::Finding finding{facility::Severity::soft, "card-heat",     "fleet.scale", "92 C", "84 C",
                                  "cards would be hot",     "blowers, water"};
  const auto json = findings_json({finding});
  CHECK(json[0]["severity"] == "soft");
  CHECK(json[0]["place"] == "fleet.scale");
  CHECK(findings_json(findings_from_json(json)) == json);

  Scenario scenario = fixture::lab();
  scenario.site.power_limit = Watts{1000.0};
  const Dossier dossier = make_dossier(scenario, StudyResult{}, -1);
  REQUIRE_FALSE(dossier.facility.empty());
  CHECK(dossier.facility.front().check == "room-power");
  const Dossier back = dossier_from_json(to_json(dossier));
  CHECK(findings_json(back.facility) == findings_json(dossier.facility));
}

TEST_CASE("what is no list of findings is refused in a sentence") {
  CHECK_THROWS_WITH(findings_from_json(nlohmann::json::parse(R"([{"severity": "fatal"}])")),
                    Catch::Contains("'fatal' is no severity"));
  CHECK_THROWS_WITH(findings_from_json(nlohmann::json::parse(R"([{"severity": "hard"}])")),
                    Catch::Contains("not a list of findings"));
}
