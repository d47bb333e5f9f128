// Strong ids. Each is an index into the array of its kind; `index()` is the only way back to a number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace fleetsim {

enum class JobId : std::uint32_t {};
enum class NodeId : std::uint32_t {};
enum class NodeTypeId : std::uint16_t {};
enum class PoolId : std::uint16_t {};   ///< nodes of one type bought together, e.g. `proto`
enum class QueueId : std::uint16_t {};  ///< a Slurm partition
enum class ClassId : std::uint16_t {};  ///< a job class of the workload

inline constexpr JobId kNoJob{std::numeric_limits<std::uint32_t>::max()};
inline constexpr PoolId kNoPool{std::numeric_limits<std::uint16_t>::max()};
inline constexpr ClassId kNoClass{std::numeric_limits<std::uint16_t>::max()};

template <class Id>
requires std::is_enum_v<Id>
[[nodiscard]] constexpr std::size_t index(Id id) {
  return static_cast<std::size_t>(id);
}

}  // namespace fleetsim
