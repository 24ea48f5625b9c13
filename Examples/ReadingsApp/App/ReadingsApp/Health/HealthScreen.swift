// SPDX-License-Identifier: Apache-2.0

#if os(iOS)
  import ReadingsAppModel
  import SantorioUI
  import SwiftUI

  /// What is read from Apple Health, and the permission for it.
  @MainActor struct HealthScreen: View {
    let services: AppServices

    var body: some View {
      HealthView(HealthModel(services.health))
        // A person who borrows the phone would get the owner's data of the day.
        .safeAreaInset(edge: .bottom) {
          Text(AppText(.healthIsSentAsYours))
            .font(.footnote)
            .padding()
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(.bar)
        }
    }
  }
#endif
