// SPDX-License-Identifier: Apache-2.0

import Foundation

// What the code of the documents needs around it: UIKit's names where there is no UIKit, and functions
// in place of the system's that keep what is printed, so that tests can read it.

#if !canImport(UIKit)
  final class UIApplication {
    struct LaunchOptionsKey: Hashable {}

    enum State {
      case active, inactive, background
    }

    static let shared = UIApplication()

    var applicationState = State.active
  }

  final class UISwitch {
    var isOn = false
  }
#endif

/// What was printed.
final class Output: @unchecked Sendable {
  static let shared = Output()

  private let lock = NSLock()
  private var printed: [String] = []

  /// The lines, which are then forgotten.
  func take() -> [String] {
    lock.lock()
    defer { lock.unlock() }
    defer { printed = [] }
    return printed
  }

  func add(_ line: String) {
    lock.lock()
    defer { lock.unlock() }
    printed.append(line)
  }
}

/// In place of Swift's function.
func print(_ item: Any) { Output.shared.add("\(item)") }

/// In place of Foundation's function.
func NSLog(_ format: String, _ arguments: any CVarArg...) {
  Output.shared.add(String(format: format, arguments: arguments))
}
