// SPDX-License-Identifier: Apache-2.0

// What Spezi has on Apple's platforms only, and the library needs.
public import Observation

/// A module that views can read.
public protocol EnvironmentAccessible: AnyObject, Observable {}
