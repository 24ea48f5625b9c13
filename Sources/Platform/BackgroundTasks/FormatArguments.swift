// SPDX-License-Identifier: Apache-2.0

// Every NSObject of Objective-C can be an argument of a C format, as in `NSLog("%@", task)`.

private func encoded(_ object: AnyObject) -> [Int] {
  [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
}

extension BGTask: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension BGTaskRequest: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension BGTaskScheduler: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}
