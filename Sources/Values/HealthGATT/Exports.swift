// SPDX-License-Identifier: Apache-2.0

// Characteristics hold local times, and values with their units.
@_exported public import CivilCalendar
@_exported public import ClinicalUnits
