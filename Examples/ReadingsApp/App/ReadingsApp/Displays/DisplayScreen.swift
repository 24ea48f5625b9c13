// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// Reading a display with the camera, of a device that has no Bluetooth.
  @MainActor struct DisplayScreen: View {
    let services: AppServices
    let close: () -> Void

    var body: some View { DisplayView(DisplayModel(services.session), close: close) }
  }
#endif
