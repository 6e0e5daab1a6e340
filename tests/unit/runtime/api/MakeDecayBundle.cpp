//===- MakeDecayBundle.cpp - writes a bundle for the C example --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#include "runtime/base/File.h"
#include "tests/unit/runtime/vulkan/TestModels.h"

#include <cstdio>

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  const std::vector<float> w = {1, 2, 3, 4};
  const rung::Status status =
      rung::writeFile(argv[1], rung::test::decayModel(w));
  if (!status.isOk())
    std::fprintf(stderr, "%s\n", status.message().c_str());
  return status.isOk() ? 0 : 1;
}
