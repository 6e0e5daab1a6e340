//===- TempFolder.h - a folder that goes with the test ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef RUNG_TESTS_UNIT_SUPPORT_TEMPFOLDER_H
#define RUNG_TESTS_UNIT_SUPPORT_TEMPFOLDER_H

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace rung::test {

class TempFolder {
public:
  TempFolder() {
    std::string name =
        (std::filesystem::temp_directory_path() / "rung-test-XXXXXX").string();
    if (const char *made = ::mkdtemp(name.data()))
      folder_ = made;
  }
  TempFolder(const TempFolder &) = delete;
  TempFolder &operator=(const TempFolder &) = delete;
  ~TempFolder() {
    std::error_code ignored; // A leftover harms no test.
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string operator/(const std::string &name) const {
    return (folder_ / name).string();
  }
  /// Files in the folder.
  size_t count() const {
    size_t files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(folder_))
      files += entry.exists();
    return files;
  }

private:
  std::filesystem::path folder_;
};

} // namespace rung::test

#endif // RUNG_TESTS_UNIT_SUPPORT_TEMPFOLDER_H
