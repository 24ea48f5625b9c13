// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// Automatic reading: on or off, and how each device is.
  @MainActor struct PassiveScreen: View {
    let app: AppModel
    let services: AppServices

    var body: some View {
      PassiveView(PassiveModel(services.passive))
        // Here a person sees what notices are for.
        .task { await app.askForNotices() }
    }
  }
#endif
