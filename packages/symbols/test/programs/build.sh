#!/bin/sh
# Builds the programs that tests of symbols read: `sh build.sh` in this folder, with gcc 12, clang 19, lld 19 and llvm 19 of
# Debian. Each is one small library: no libc, its paths below /src.
set -eu
common="-O2 -fPIC -nostdlib -fno-exceptions -fno-asynchronous-unwind-tables -ffile-prefix-map=$PWD=/src"
for version in 2 3 4 5; do
  g++ $common -Wl,-z,noseparate-code -shared -g -gdwarf-$version -Wl,--build-id -o gcc-dwarf$version.so shop.cpp
done
clang++-19 $common --target=aarch64-linux-gnu -fuse-ld=lld -shared -g -gdwarf-5 -Wl,--build-id -o clang-arm64.so shop.cpp
llvm-objcopy-19 --compress-debug-sections=zlib gcc-dwarf5.so gcc-zlib.so
for cpu in arm64 x86_64; do
  clang++-19 $common --target=$cpu-apple-macos13 -g -c -o shop.o shop.cpp
  ld64.lld-19 -arch $cpu -platform_version macos 13 13 -dylib -o libshop-$cpu.dylib shop.o
  dsymutil-19 -o shop.dSYM libshop-$cpu.dylib
  mv shop.dSYM/Contents/Resources/DWARF/libshop-$cpu.dylib macho-$cpu.dsym
done
llvm-lipo-19 -create macho-arm64.dsym macho-x86_64.dsym -output macho-fat.dsym
rm -rf shop.o shop.dSYM libshop-*.dylib macho-arm64.dsym macho-x86_64.dsym
