// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import Santorio
  import SantorioUI
  import SwiftUI

  /// What a person sets once.
  @MainActor struct SettingsTab: View {
    let app: AppModel
    let services: AppServices
    let person: AppModel.Person

    var body: some View {
      NavigationStack {
        List {
          Section {
            link(.automaticReading, "wave.3.right.circle") {
              PassiveScreen(app: app, services: services)
            }
            link(.sharedDevices, "person.2") {
              DeviceUsersView(DeviceUsersModel(services.passive.receiver))
            }
            link(.appleHealth, "heart.text.square") { HealthScreen(services: services) }
            link(.units, "ruler") { UnitsView(app.makeUnits()) }
          }
          Section {
            link(.account, "person.crop.circle") { AccountView(AccountModel(person, app)) }
          }
        }
        .navigationTitle(Text(AppText(.settings)))
      }
    }

    private func link(
      _ title: AppText.Key, _ symbol: String, @ViewBuilder to screen: () -> some View
    ) -> some View {
      NavigationLink(destination: screen()) { Label(AppText(title), symbol: symbol) }
    }
  }
#endif
