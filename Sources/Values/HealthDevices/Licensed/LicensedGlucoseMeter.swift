// SPDX-License-Identifier: Apache-2.0

import HealthGATT

extension Attribute {
  /// Where AgaMatrix's meters want to be told who reads them.
  package static let agaMatrixAuthentication = Attribute(
    "1808", "521CD437-67BB-4ACC-9FF8-D2D39C5CA158")
}

extension DriverModel {
  /// The Glucose Profile behind the stand-in for AgaMatrix's authentication.
  package static let agaMatrix = DriverModel(
    id: "agamatrix", name: "AgaMatrix, Glucose Profile after authentication",
    required: glucoseProfile.required + [.agaMatrixAuthentication],
    optional: glucoseProfile.optional, confidence: .standIn,
    sources: [
      "This project; AgaMatrix gives its authentication to licensees",
      "weliem/LivecareBluetoothSDK (that there is one, and where)",
    ]
  ) { context in
    AuthenticatedDriver(
      context, writing: .agaMatrixAuthentication,
      before: GlucoseDriver(context, dialect: GlucoseDialect()))
  }
}
