# Libraries that runtime and tools use; each is a Debian package.

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)

find_path(RUNG_VULKAN_INCLUDE vulkan/vulkan.h REQUIRED)
find_path(RUNG_VMA_INCLUDE vk_mem_alloc.h) # Not in Debian 12.
find_path(RUNG_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
find_program(RUNG_FLATC flatc REQUIRED)
find_path(RUNG_CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(RUNG_JSON_INCLUDE nlohmann/json.hpp REQUIRED)

# rung_header_library(NAME INCLUDE): a header-only library as rung::NAME.
function(rung_header_library name include)
  add_library(${name} INTERFACE)
  add_library(rung::${name} ALIAS ${name})
  target_include_directories(${name} SYSTEM INTERFACE ${include})
endfunction()
rung_header_library(VulkanHeaders "${RUNG_VULKAN_INCLUDE}")
if(RUNG_VMA_INCLUDE)
  rung_header_library(VMA "${RUNG_VMA_INCLUDE}")
endif()
rung_header_library(FlatBuffers "${RUNG_FLATBUFFERS_INCLUDE}")
rung_header_library(CLI11 "${RUNG_CLI11_INCLUDE}")
rung_header_library(Json "${RUNG_JSON_INCLUDE}")
