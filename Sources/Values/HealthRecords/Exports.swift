// SPDX-License-Identifier: Apache-2.0

// Who has a record can ask for what the device's clock showed.
@_exported public import CivilCalendar
