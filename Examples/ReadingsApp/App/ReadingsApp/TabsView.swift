// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// The screens of a person who is signed in.
  @MainActor struct TabsView: View {
    @ObservedObject var app: AppModel
    let person: AppModel.Person

    var body: some View {
      if let services = app.services {
        TabView(selection: selection) {
          DevicesTab(app: app, services: services).item(.devices)
          ReviewTab(app: app, services: services, waitingCount: app.state.waitingCount)
            // Other units make other screens.
            .id(app.units)
            .badge(app.state.waitingCount)
            .item(.review)
          QueueTab(app: app, services: services)
            .id(app.units)
            .badge(app.state.asksForQueue ? Text(verbatim: "!") : nil)
            .item(.queue)
          SettingsTab(app: app, services: services, person: person).item(.settings)
        }
        // What was read or checked on one of them is counted when another one is shown.
        .task(id: app.state.tab) { await app.refresh() }
      }
    }

    private var selection: Binding<AppTab> {
      Binding(get: { app.state.tab }, set: { app.show($0) })
    }
  }

  extension View {
    /// Puts a view behind its tab.
    fileprivate func item(_ tab: AppTab) -> some View {
      tabItem { Label(tab.title, symbol: tab.symbol) }.tag(tab)
    }
  }
#endif
