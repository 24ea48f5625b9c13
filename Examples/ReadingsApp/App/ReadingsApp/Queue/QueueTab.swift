// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// What waits for the server, what it has refused, and what is kept of earlier sign-ins.
  @MainActor struct QueueTab: View {
    let app: AppModel
    let services: AppServices

    var body: some View {
      NavigationStack { QueueView(QueueModel(services.session, units: app.units)) }
    }
  }
#endif
