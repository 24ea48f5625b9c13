// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// The readings that wait until the person has checked them.
  @MainActor struct ReviewTab: View {
    let app: AppModel
    let services: AppServices

    var body: some View {
      NavigationStack { ReviewView(ReviewModel(services.context(in: app.units))) }
    }
  }
#endif
