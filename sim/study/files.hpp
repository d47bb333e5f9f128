// Reading and writing whole files. A file is written beside its place and renamed, so that it is whole or
// absent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace fleetsim {

/// A file may hold this much; a pipe or device, whose end cannot be seen from here, less.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{4} << 30;
constexpr std::uint64_t kMostStreamBytes = std::uint64_t{64} << 20;

/// The whole file, byte for byte. Throws EnvironmentError naming the path and the cause; also for a folder
/// and for what is too long to be meant (/dev/zero), or a pipe into which nobody writes (ByteSource).
[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// Writes to a temporary file in the same folder, flushes, renames over `path` (through symlinks: over their
/// target, which need not exist yet). Keeps the permissions of what it replaces; a new file gets those of the
/// umask. A device or pipe (/dev/stdout) is written to in place. Throws EnvironmentError naming the path and
/// the cause; then nothing at `path` has changed.
void write_file(const std::filesystem::path& path, std::string_view text);

/// The same for a text too long for the memory: `produce` hands it over piece by piece. What it throws leaves
/// `path` unchanged.
using TextSink = std::function<void(std::string_view)>;
void stream_file(const std::filesystem::path& path, const std::function<void(const TextSink&)>& produce);

/// Moves a finished file to `path` under the same rules, without needing space on the disk where both are on
/// one.
void move_file(const std::filesystem::path& from, const std::filesystem::path& path);

/// Makes the folder and its parents. Throws EnvironmentError, also when a file stands there.
void make_folder(const std::filesystem::path& path);

/// Throws what write_file would throw for this path as far as that can be known now: before long work whose
/// result goes there. Writes nothing.
void expect_writable(const std::filesystem::path& path);

/// The path for a message: control characters, which a terminal would obey, as \xNN.
[[nodiscard]] std::string shown(const std::filesystem::path& path);

/// Removes the temporary files of writes that are under way. Safe in a signal handler that ends the process.
void drop_unfinished_files() noexcept;

}  // namespace fleetsim
