// SPDX-License-Identifier: Apache-2.0

import HealthDevices

private func listMonitors() {
  for monitor in DeviceModel.supported(.bloodPressure) {
    print(monitor.id, monitor.name, monitor.instructions)
  }
}
