// SPDX-License-Identifier: Apache-2.0

// One import for an app that captures readings and uploads them.
@_exported public import CivilCalendar
@_exported public import HealthDevices
@_exported public import HealthRecords
@_exported public import SantorioBluetooth
@_exported public import SantorioCore
