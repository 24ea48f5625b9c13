// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// The readings that wait until the person has checked them.
  @MainActor struct ReviewTab: View {
    @StateObject private var model: ReviewModel
    private let app: AppModel
    /// How many readings wait, as the app has counted them.
    private let waitingCount: Int

    init(app: AppModel, services: AppServices, waitingCount: Int) {
      _model = StateObject(wrappedValue: ReviewModel(services.context(in: app.units)))
      (self.app, self.waitingCount) = (app, waitingCount)
    }

    var body: some View {
      NavigationStack { ReviewView(model) }
        // Automatic reading may have got one while this is in front.
        .onChange(of: waitingCount) { _ in Task { await model.load() } }
        .onChange(of: model.state.waiting.count) { _ in Task { await app.refresh() } }
    }
  }
#endif
