#include "sim/study/finding_json.hpp"

#include <stdexcept>

namespace fleetsim {

namespace {

using Json = nlohmann::json;

}  // namespace

Json finding_json(const facility::Finding& f) {
  return {{"severity", facility::to_string(f.severity)},
          {"check", f.check},
          {"place", f.place},
          {"figure", f.figure},
          {"limit", f.limit},
          {"message", f.message},
          {"remedy", f.remedy}};
}

Json findings_json(const std::vector<facility::Finding>& findings) {
  Json list = Json::array();
  for (const facility::Finding& finding : findings) list.push_back(finding_json(finding));
  return list;
}

std::vector<facility::Finding> findings_from_json(const Json& list) {
  std::vector<facility::Finding> findings;
  try {
    for (const Json& j : list) {
      facility::Finding f;
      const auto severity = j.at("severity").get<std::string>();
      if (severity == "hard") {
        f.severity = facility::Severity::hard;
      } else if (severity == "soft") {
        f.severity = facility::Severity::soft;
      } else if (severity != "note") {
        throw std::runtime_error("not a list of findings: '" + severity + "' is no severity");
      }
      j.at("check").get_to(f.check);
      j.at("place").get_to(f.place);
      j.at("figure").get_to(f.figure);
      j.at("limit").get_to(f.limit);
      j.at("message").get_to(f.message);
      j.at("remedy").get_to(f.remedy);
      findings.push_back(std::move(f));
    }
  } catch (const Json::exception& e) {
    throw std::runtime_error(std::string("not a list of findings: ") + e.what());
  }
  return findings;
}

}  // namespace fleetsim
