// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import Foundation
  import ReadingsAppModel
  import SwiftUI

  extension AppText {
    /// The text in the language of the app.
    var localized: String {
      let format = Bundle.main.localizedString(forKey: key.rawValue, value: nil, table: nil)
      return arguments.isEmpty ? format : String(format: format, arguments: arguments)
    }
  }

  extension Text {
    init(_ text: AppText) { self.init(verbatim: text.localized) }
  }

  extension Label where Title == Text, Icon == Image {
    init(_ text: AppText, symbol: String) { self.init(text.localized, systemImage: symbol) }
  }
#endif
