// SPDX-License-Identifier: Apache-2.0

// Who reads a device names its model.
@_exported public import HealthDevices
