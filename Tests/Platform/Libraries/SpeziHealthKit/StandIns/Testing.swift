// SPDX-License-Identifier: Apache-2.0

// What SpeziTesting has on Apple's platforms only.
import Spezi

/// Configures modules with a standard, as an app's start does.
@MainActor
public func withDependencyResolution<S: Standard>(
  standard: S, @ModuleBuilder _ modules: () -> ModuleCollection
) {
  _ = Spezi(standard: standard, modules: modules().elements, storage: SpeziStorage())
}
