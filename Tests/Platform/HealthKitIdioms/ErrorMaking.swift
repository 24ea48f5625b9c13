// SPDX-License-Identifier: Apache-2.0

import HealthKit

let error = HKError(.errorInvalidArgument)
let withReason = HKError(.errorNoData, userInfo: [NSLocalizedDescriptionKey: "Nothing."])
let code: HKError.Code = withReason.code
let bridged = NSError(domain: HKErrorDomain, code: HKError.Code.errorNoData.rawValue) as any Error
let isNoData = (bridged as? HKError)?.code == .errorNoData
