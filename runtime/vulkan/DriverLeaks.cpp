//===- DriverLeaks.cpp - for programs under AddressSanitizer ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Drivers and layers keep memory to the end of the process. Leaks are matched
// by library, which works only while the library is loaded, and the loader
// unloads libraries with the instance; so none is unloaded here.
//
//===----------------------------------------------------------------------===//

extern "C" {

const char *__lsan_default_suppressions() {
  return "leak:libvulkan_lvp.so\n"
         "leak:libVkLayer_\n"
         "leak:libLLVM\n"
         "leak:libnvidia\n";
}

int dlclose(void *) { return 0; }

} // extern "C"
