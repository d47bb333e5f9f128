// Reading and writing whole files. A file is written beside its place and renamed, so that it is whole or
// absent.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace fleetsim {

/// The whole file, byte for byte. Throws EnvironmentError naming the path and the cause.
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary file in the same folder, flushes, renames over `path` (through a symlink: over its
/// target). Throws EnvironmentError naming the path and the cause; then nothing at `path` has changed.
void write_file(const std::filesystem::path& path, std::string_view text);

/// Makes the folder and its parents. Throws EnvironmentError, also when a file stands there.
void make_folder(const std::filesystem::path& path);

}  // namespace fleetsim
