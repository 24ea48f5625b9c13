// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

func exponential(_ value: Double) -> Double { exp(value) }
func logarithm(_ value: Double) -> Double { log(value) }
