// SPDX-License-Identifier: Apache-2.0

import SantorioDBus
import TestSupport

extension BusDaemon {
  var address: DBusAddress { .address(addressText) }
}
