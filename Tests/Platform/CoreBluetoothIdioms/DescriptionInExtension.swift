// SPDX-License-Identifier: Apache-2.0

// Differs: N9.
import CoreBluetooth

final class Client: NSObject {}

extension Client {
  override var description: String { "client" }
}
