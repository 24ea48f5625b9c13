// SPDX-License-Identifier: Apache-2.0

// Every NSObject of Objective-C can be an argument of a C format, as in `NSLog("%@", sample)`.

private func encoded(_ object: AnyObject) -> [Int] {
  [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
}

extension HKObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKObjectType: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKQuery: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKHealthStore: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKUnit: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKQuantity: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKSource: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKSourceRevision: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKDevice: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKDeletedObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKQueryAnchor: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKQueryDescriptor: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKStatistics: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKStatisticsCollection: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKActivitySummary: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKWorkoutActivity: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKWorkoutBuilder: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKWorkoutConfiguration: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKWorkoutEvent: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKBiologicalSexObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKBloodTypeObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKFitzpatrickSkinTypeObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKWheelchairUseObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}

extension HKActivityMoveModeObject: CVarArg {
  /// The object's address.
  public var _cVarArgEncoding: [Int] { encoded(self) }
}
