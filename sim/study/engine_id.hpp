// Which build of the simulator this is: rows of a store that another one made are not its own.
#pragma once

#include <string>

namespace fleetsim {

/// 16 hex digits, a hash of the sources that decide a result (.cmake/engine-id.cmake makes it). The same
/// sources give the same id with every compiler and build type.
[[nodiscard]] std::string engine_id();

}  // namespace fleetsim
