// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A person's biological sex, as the store gives it.
open class HKBiologicalSexObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The biological sex.
  public let biologicalSex: HKBiologicalSex

  /// An object for what nobody has entered.
  public override init() { biologicalSex = .notSet }

  /// An object for the value.
  package init(_ biologicalSex: HKBiologicalSex) {
    self.biologicalSex = biologicalSex
  }

  /// Compares the values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBiologicalSexObject)?.biologicalSex == biologicalSex
  }

  /// The hash of the value.
  open override var hash: Int { biologicalSex.hashValue }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Objects are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value; nil if it is not a known one.
  public required init?(coder: NSCoder) {
    guard let value = HKBiologicalSex(rawValue: coder.decodeInteger(forKey: "ValueKey")) else {
      return nil
    }
    biologicalSex = value
  }

  /// Writes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(biologicalSex.rawValue, forKey: "ValueKey")
  }
}

/// A person's blood type, as the store gives it.
open class HKBloodTypeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The blood type.
  public let bloodType: HKBloodType

  /// An object for what nobody has entered.
  public override init() { bloodType = .notSet }

  /// An object for the value.
  package init(_ bloodType: HKBloodType) {
    self.bloodType = bloodType
  }

  /// Compares the values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKBloodTypeObject)?.bloodType == bloodType
  }

  /// The hash of the value.
  open override var hash: Int { bloodType.hashValue }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Objects are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value; nil if it is not a known one.
  public required init?(coder: NSCoder) {
    guard let value = HKBloodType(rawValue: coder.decodeInteger(forKey: "ValueKey")) else {
      return nil
    }
    bloodType = value
  }

  /// Writes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(bloodType.rawValue, forKey: "ValueKey")
  }
}

/// A person's skin type, as the store gives it.
open class HKFitzpatrickSkinTypeObject: NSObject, NSSecureCoding, NSCopying,
  @unchecked Sendable
{
  /// The skin type.
  public let skinType: HKFitzpatrickSkinType

  /// An object for what nobody has entered.
  public override init() { skinType = .notSet }

  /// An object for the value.
  package init(_ skinType: HKFitzpatrickSkinType) {
    self.skinType = skinType
  }

  /// Compares the values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKFitzpatrickSkinTypeObject)?.skinType == skinType
  }

  /// The hash of the value.
  open override var hash: Int { skinType.hashValue }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Objects are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value; nil if it is not a known one.
  public required init?(coder: NSCoder) {
    guard let value = HKFitzpatrickSkinType(rawValue: coder.decodeInteger(forKey: "ValueKey"))
    else {
      return nil
    }
    skinType = value
  }

  /// Writes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(skinType.rawValue, forKey: "ValueKey")
  }
}

/// A person's use of a wheelchair, as the store gives it.
open class HKWheelchairUseObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The use of a wheelchair.
  public let wheelchairUse: HKWheelchairUse

  /// An object for what nobody has entered.
  public override init() { wheelchairUse = .notSet }

  /// An object for the value.
  package init(_ wheelchairUse: HKWheelchairUse) {
    self.wheelchairUse = wheelchairUse
  }

  /// Compares the values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKWheelchairUseObject)?.wheelchairUse == wheelchairUse
  }

  /// The hash of the value.
  open override var hash: Int { wheelchairUse.hashValue }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Objects are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value; nil if it is not a known one.
  public required init?(coder: NSCoder) {
    guard let value = HKWheelchairUse(rawValue: coder.decodeInteger(forKey: "ValueKey")) else {
      return nil
    }
    wheelchairUse = value
  }

  /// Writes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(wheelchairUse.rawValue, forKey: "ValueKey")
  }
}

/// A person's mode of the move ring, as the store gives it.
open class HKActivityMoveModeObject: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The mode of the move ring.
  public let activityMoveMode: HKActivityMoveMode

  /// An object for the energy, which fills the ring of most people.
  public override init() { activityMoveMode = .activeEnergy }

  /// An object for the value.
  package init(_ activityMoveMode: HKActivityMoveMode) {
    self.activityMoveMode = activityMoveMode
  }

  /// Compares the values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? HKActivityMoveModeObject)?.activityMoveMode == activityMoveMode
  }

  /// The hash of the value.
  open override var hash: Int { activityMoveMode.hashValue }

  /// Returns itself, being immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Objects are archived securely.
  open class var supportsSecureCoding: Bool { true }

  /// Reads the value; nil if it is not a known one.
  public required init?(coder: NSCoder) {
    guard let value = HKActivityMoveMode(rawValue: coder.decodeInteger(forKey: "ValueKey")) else {
      return nil
    }
    activityMoveMode = value
  }

  /// Writes the value.
  open func encode(with coder: NSCoder) {
    coder.encode(activityMoveMode.rawValue, forKey: "ValueKey")
  }
}
