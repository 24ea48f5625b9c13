// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  private struct TextsKey: EnvironmentKey {
    static let defaultValue = Texts()
  }

  extension EnvironmentValues {
    /// The language of this package's views, and how they write numbers and dates.
    public var santorioTexts: Texts {
      get { self[TextsKey.self] }
      set { self[TextsKey.self] = newValue }
    }
  }

  extension View {
    /// Sets the language of this package's views, and how they write numbers and dates.
    ///
    /// - Parameter texts: The texts.
    /// - Returns: The view with these texts.
    public func santorioTexts(_ texts: Texts) -> some View {
      environment(\.santorioTexts, texts)
    }
  }
#endif
