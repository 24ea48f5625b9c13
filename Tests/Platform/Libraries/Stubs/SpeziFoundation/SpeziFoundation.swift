// SPDX-License-Identifier: Apache-2.0

/// Runs code that raises an exception of Objective-C on Apple's platforms; Linux has none.
public func catchingNSException<Value>(_ body: () throws -> Value) throws -> Value { try body() }
