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
      case takeOver(DeviceModel)
      case read(DeviceModel)
      case display
    }

    let app: AppModel
    let services: AppServices
    @State private var path: [Screen] = []
    @State private var isAskingToTakeOver = false

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
          case .pair(let device): pairing(device).safeAreaInset(edge: .bottom) { takeOver(device) }
          case .takeOver(let device): pairing(device, takingOver: true)
          case .read(let device): reading(device)
          case .display: DisplayScreen(services: services) { path = [] }
          }
        }
      }
      .onChange(of: path) { _ in
        // What was read and left is counted beside "Check", and what was paired is read automatically.
        Task { await app.refresh() }
      }
    }

    private func pairing(_ device: DeviceModel, takingOver: Bool = false) -> some View {
      PairingView(
        PairingModel(device, services.context(in: app.units, takingOver: takingOver))
      ) {
        path = [.read(device)]
      }
    }

    /// Pairing says that a device is another person's; this is what the person then does.
    private func takeOver(_ device: DeviceModel) -> some View {
      Button {
        isAskingToTakeOver = true
      } label: {
        Text(AppText(.takeDeviceOver)).frame(maxWidth: .infinity, minHeight: 44)
      }
      .background(.bar)
      .confirmationDialog(
        Text(AppText(.takeOverQuestion)), isPresented: $isAskingToTakeOver,
        titleVisibility: .visible
      ) {
        Button(role: .destructive) {
          path = [.takeOver(device)]
        } label: {
          Text(AppText(.takeDeviceOver))
        }
        Button(role: .cancel) {
        } label: {
          Text(AppText(.cancel))
        }
      } message: {
        Text(AppText(.takeOverExplained))
      }
    }

    private func reading(_ device: DeviceModel) -> some View {
      ReadingView(
        ReadingModel(device, services.context(in: app.units)),
        pair: { path = [.pair(device)] }, close: { path = [] })
    }
  }
#endif
