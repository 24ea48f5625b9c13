// SPDX-License-Identifier: Apache-2.0

// Who chooses a device with a display names what it measures.
@_exported public import PeripheralTypes
