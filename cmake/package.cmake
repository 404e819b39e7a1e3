# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# `cpack -G DEB`: the shared libraries are found by dpkg-shlibdeps; what culprit runs is named here.
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/culprit RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md
        DESTINATION share/doc/culprit)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/culprit)
install(FILES ${PROJECT_SOURCE_DIR}/docs/report.schema.json DESTINATION share/culprit)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/culprit.cmake DESTINATION share/culprit/cmake)
install(FILES ${CMAKE_BINARY_DIR}/completion.bash RENAME culprit
        DESTINATION share/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completion.zsh RENAME _culprit
        DESTINATION share/zsh/vendor-completions)
install(FILES ${CMAKE_BINARY_DIR}/completion.fish RENAME culprit.fish
        DESTINATION share/fish/vendor_completions.d)

set(CPACK_PACKAGE_NAME culprit)
set(CPACK_PACKAGE_CONTACT "the culprit developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds the causes of memory bugs that sanitizers cannot see")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS
    "clang-19, lld-19, llvm-19, libclang-rt-19-dev, binutils, libc6-dev, libstdc++-12-dev")
# What --deep needs beside; culprit is whole without.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "valgrind")
include(CPack)
