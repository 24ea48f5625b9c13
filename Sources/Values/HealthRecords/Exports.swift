// SPDX-License-Identifier: Apache-2.0

// Records have local times, and their metrics have units.
@_exported public import CivilCalendar
@_exported public import ClinicalUnits
