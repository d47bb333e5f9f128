#include "scenarios/import/swf_reasons.hpp"

namespace fleetsim {

const char* to_string(OnError policy) {
  switch (policy) {
    case OnError::skip:
      return "skip";
    case OnError::repair:
      return "repair";
    case OnError::fail:
      return "fail";
  }
  return "repair";
}

const std::array<SwfReasonInfo, kSwfReasons>& swf_reasons() {
  using R = SwfReason;
  using enum SwfRemedy;
  static constexpr std::array<SwfReasonInfo, kSwfReasons> kAll{{
      {R::malformed, "malformed", none, 1, "the line is not 18 numbers"},
      {R::job_id_out_of_range, "job_id_out_of_range", none, 1, "the job id (field 1) is too large"},
      {R::no_submit_time, "no_submit_time", none, 2, "the submit time (field 2) is missing"},
      {R::negative_submit_time, "negative_submit_time", none, 2, "the submit time (field 2) is negative"},
      {R::submit_time_out_of_range, "submit_time_out_of_range", none, 2,
       "the submit time (field 2) is later than 9000000000 s"},
      {R::partial_execution, "partial_execution", normal, 11,
       "the status (field 11) marks a part of the job recorded before"},
      {R::cancelled_before_start, "cancelled_before_start", normal, 4,
       "the job was cancelled (status 5) and never ran"},
      {R::no_run_time, "no_run_time", none, 4, "the run time (field 4) is missing"},
      {R::negative_run_time, "negative_run_time", none, 4, "the run time (field 4) is negative"},
      {R::run_time_out_of_range, "run_time_out_of_range", none, 4,
       "the run time (field 4) is longer than 9000000000 s"},
      {R::no_processors, "no_processors", none, 5, "neither field 5 nor field 8 has processors"},
      {R::processors_out_of_range, "processors_out_of_range", none, 5,
       "the job has more than 1000000000 processors"},
      {R::processors_from_request, "processors_from_request", mend, 5,
       "the allocated processors (field 5) are missing; the requested ones (field 8) stand for them"},
      {R::processors_from_allocation, "processors_from_allocation", mend, 8,
       "the requested processors (field 8) are missing; the allocated ones (field 5) stand for them"},
      {R::wait_ignored, "wait_ignored", mend, 3,
       "the wait (field 3) is negative or beyond 9000000000 s; it is taken as unknown"},
      {R::limit_out_of_range, "limit_out_of_range", mend, 9,
       "the requested time (field 9) is beyond 9000000000 s; that much is taken"},
  }};
  return kAll;
}

const SwfReasonInfo& about(SwfReason reason) {
  return swf_reasons()[static_cast<std::size_t>(reason)];
}

}  // namespace fleetsim
