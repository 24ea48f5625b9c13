// SPDX-License-Identifier: Apache-2.0

@_exported import CoreFoundation
@_exported import Dispatch
@_exported import Foundation

/// Calls the closure; there are no autorelease pools without the Objective-C runtime.
@inlinable
public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
  try body()
}
