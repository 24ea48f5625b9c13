// SPDX-License-Identifier: Apache-2.0

// The library's client needs an app: that the rest is linked is all that is tried.
import VitalHealthKit

print("step compiled ok")
