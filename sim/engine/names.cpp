// The words that results use for states.
#include "sim/engine/engine.hpp"

namespace fleetsim {

const char* to_string(JobState state) {
  switch (state) {
    case JobState::dormant:
      return "dormant";
    case JobState::pending:
      return "pending";
    case JobState::running:
      return "running";
    case JobState::completed:
      return "completed";
    case JobState::failed:
      return "failed";
    case JobState::timeout:
      return "timeout";
    case JobState::cancelled:
      return "cancelled";
    case JobState::node_fail:
      return "node-fail";
    case JobState::impossible:
      return "impossible";
    case JobState::unfinished:
      return "unfinished";
  }
  return "?";
}

const char* to_string(NodeCause cause) {
  switch (cause) {
    case NodeCause::repair:
      return "repair";
    case NodeCause::delivery:
      return "delivery";
    case NodeCause::failure:
      return "failure";
    case NodeCause::retirement:
      return "retirement";
  }
  return "?";
}

}  // namespace fleetsim
