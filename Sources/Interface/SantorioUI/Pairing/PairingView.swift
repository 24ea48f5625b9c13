// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import HealthDevices
  public import SwiftUI

  /// Pairs a device: what to do, what happens, and what went wrong.
  @MainActor public struct PairingView: View {
    @StateObject private var model: PairingModel
    @Environment(\.santorioTexts) private var texts
    @State private var askedKey: DeviceKeyRequest?
    @State private var takesMemory = false
    @ScaledMetric private var pictureSide: CGFloat = 120
    private let read: (() -> Void)?

    /// A screen that pairs a device.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - read: Called when the person wants to read the device that was paired.
    public init(_ model: @autoclosure @escaping () -> PairingModel, read: (() -> Void)? = nil) {
      _model = StateObject(wrappedValue: model())
      self.read = read
    }

    /// The screen.
    public var body: some View {
      ScrollView {
        VStack(alignment: .leading, spacing: 20) {
          DevicePictureView(url: model.state.device.imageURL, side: pictureSide)
            .accessibilityLabel(
              Text(verbatim: texts(Phrase(.pictureOf, .verbatim(model.state.device.name))))
            )
            .frame(maxWidth: .infinity)
          Words(.pairingExplained).foregroundStyle(.secondary)
          Words(model.state.instructions)
          step
          if let older = model.state.olderMessage { Words(older) }
          if model.state.keyRequest != nil { Words(.keyNeeded) }
          actions
        }
        .padding()
      }
      .navigationTitle(
        Text(verbatim: texts(Phrase(.pairTitle, .verbatim(model.state.device.name))))
      )
      .onDisappear { model.leave() }
      .asksForKey($askedKey) {
        model.key($0)
      } then: {
        model.keyWasAsked()
      }
    }

    @ViewBuilder private var step: some View {
      if case .failed(let problem) = model.state.step {
        ProblemView(problem: problem).announces(texts(problem.text))
      } else {
        StepView(message: model.state.message, isBusy: model.state.isBusy)
      }
    }

    @ViewBuilder private var actions: some View {
      if model.state.isBusy {
        WordButton(.cancel, role: .cancel) { model.cancel() }
      } else if let request = model.state.keyRequest {
        WordButton(.enterKey, isProminent: true) { askedKey = request }
      } else if case .paired = model.state.step {
        if let read { WordButton(.readNow, isProminent: true) { read() } }
        WordButton(.pairAgain) { model.start(takingMemory: takesMemory) }
      } else {
        Toggle(isOn: $takesMemory) { Words(.takeMemory) }
        WordButton(model.state.step == .idle ? .startPairing : .tryAgain, isProminent: true) {
          model.start(takingMemory: takesMemory)
        }
      }
    }
  }
#endif
