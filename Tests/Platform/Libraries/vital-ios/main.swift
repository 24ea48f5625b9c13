// SPDX-License-Identifier: Apache-2.0

// The library's client speaks to its maker's servers: that it is linked is all that is tried here; its tests do more.
import VitalHealthKit

print("step compiled ok")
