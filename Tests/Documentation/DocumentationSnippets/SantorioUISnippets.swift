// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import SantorioBluetooth
import SantorioCore
import SantorioUI

#if canImport(SwiftUI)
  import SwiftUI
#endif

/// What the screens of one person need; made once, when the person has signed in.
@MainActor func signedIn(_ session: SantorioSession) -> CaptureContext {
  CaptureContext(session: session, units: UnitsModel().state.units)
}

#if os(iOS)
  /// The screens of a person's devices.
  @MainActor struct DevicesScreen: View {
    enum Screen: Hashable {
      case pair(DeviceModel)
      case read(DeviceModel)
      case review
    }

    let context: CaptureContext
    @State private var path: [Screen] = []

    var body: some View {
      NavigationStack(path: $path) {
        DeviceChooserView(DeviceChooserModel(receiver: context.receiver)) { device in
          path.append(device.requiresPairing ? .pair(device) : .read(device))
        }
        .navigationDestination(for: Screen.self) { screen in
          switch screen {
          case .pair(let device):
            PairingView(PairingModel(device, context)) { path = [.read(device)] }
          case .read(let device):
            ReadingView(
              ReadingModel(device, context), pair: { path = [.pair(device)] }, close: { path = [] })
          case .review: ReviewView(ReviewModel(context))
          }
        }
      }
      .task { await showWhatWaits() }
    }

    /// Readings that were received and not decided, perhaps before the app was ended.
    private func showWhatWaits() async {
      let review = ReviewModel(context)
      await review.load()
      if !review.state.waiting.isEmpty { path = [.review] }
    }
  }
#endif

/// Reads a device with a screen of one's own.
@MainActor func read(_ device: DeviceModel, _ context: CaptureContext) async {
  let model = ReadingModel(device, context)
  let texts = Texts()
  model.start()
  for await state in model.states {
    if let message = state.message { print(texts(message)) }
    switch state.step {
    case .review: model.confirm()
    case .sent, .declined, .nothingNew, .cancelled, .failed: return
    default: break
    }
  }
}
