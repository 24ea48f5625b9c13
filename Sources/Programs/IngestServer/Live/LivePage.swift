// SPDX-License-Identifier: Apache-2.0

/// The live page.
enum LivePage {
  static let response = HTTPResponse(200, type: "text/html; charset=utf-8")
}
