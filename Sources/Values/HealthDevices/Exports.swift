// SPDX-License-Identifier: Apache-2.0

// Who asks a model what it measures names its type.
@_exported public import PeripheralTypes
