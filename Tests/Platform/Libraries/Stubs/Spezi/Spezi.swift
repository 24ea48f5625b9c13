// SPDX-License-Identifier: Apache-2.0

// What public libraries use of Spezi: modules that are configured, and one standard that gets data.
import Foundation

/// A part of an app.
public protocol Module: AnyObject {
  /// Called once the modules are known.
  @MainActor func configure()
}

extension Module {
  /// Does nothing.
  public func configure() {}
}

/// A module that can be made without arguments.
public protocol DefaultInitializable {
  /// Makes it.
  init()
}

/// A module that views find in their environment; here there are none.
public protocol EnvironmentAccessible: AnyObject {}

/// The place to which an app's data goes.
public protocol Standard: Actor {}

/// The app's standard.
@MainActor public enum SpeziApp {
  /// Set before modules are configured.
  nonisolated(unsafe) public static var standard: (any Standard)?
}

/// The app's standard, as a module sees it.
@propertyWrapper public struct StandardActor<Constraint>: @unchecked Sendable {
  /// Finds the standard when it is used.
  public init() {}

  /// The standard.
  public var wrappedValue: Constraint {
    guard let standard = SpeziApp.standard as? Constraint else {
      preconditionFailure("the app has no standard of this kind")
    }
    return standard
  }
}

/// Another module; it is made for the one that needs it.
@propertyWrapper public struct Dependency<Needed: DefaultInitializable>: @unchecked Sendable {
  /// The module.
  public let wrappedValue: Needed

  /// Makes the module.
  public init(_ type: Needed.Type) {
    wrappedValue = Needed()
  }
}
