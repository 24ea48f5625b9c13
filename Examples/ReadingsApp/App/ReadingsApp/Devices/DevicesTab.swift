// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import Santorio
  import SantorioUI
  import SwiftUI

  /// Choosing a device, pairing it, and reading it.
  @MainActor struct DevicesTab: View {
    private enum Screen: Hashable {
      case pair(DeviceModel)
      case read(DeviceModel)
      case display
    }

    let app: AppModel
    let services: AppServices
    @State private var path: [Screen] = []

    var body: some View {
      NavigationStack(path: $path) {
        DeviceChooserView(
          DeviceChooserModel(receiver: services.passive.receiver),
          pair: { path.append(.pair($0)) }, read: { path.append(.read($0)) }
        )
        .toolbar {
          Button {
            path.append(.display)
          } label: {
            Label(AppText(.readDisplay), symbol: "camera.viewfinder")
          }
        }
        .navigationDestination(for: Screen.self) { screen in
          switch screen {
          case .pair(let device): pairing(device)
          case .read(let device): reading(device)
          case .display: DisplayScreen(services: services) { path = [] }
          }
        }
      }
      .onChange(of: path) { _ in
        Task {
          // What was read and left is counted beside "Check".
          await app.refresh()
          // A device that was just paired is read automatically, too, if the person wants that.
          await PassiveModel(services.passive).load()
        }
      }
    }

    private func pairing(_ device: DeviceModel) -> some View {
      PairingView(PairingModel(device, services.context(in: app.units))) {
        path = [.read(device)]
      }
    }

    private func reading(_ device: DeviceModel) -> some View {
      ReadingView(
        ReadingModel(device, services.context(in: app.units)),
        pair: { path = [.pair(device)] }, close: { path = [] })
    }
  }
#endif
