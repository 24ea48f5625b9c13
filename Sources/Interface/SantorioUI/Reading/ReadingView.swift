// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import HealthDevices
  public import SwiftUI

  /// Reads a device: what to do, the readings as they arrive, and the question whether to send them.
  @MainActor public struct ReadingView: View {
    @StateObject private var model: ReadingModel
    @Environment(\.santorioTexts) private var texts
    @Environment(\.santorioUnits) private var units
    @State private var askedKey: DeviceKeyRequest?
    private let pair: (() -> Void)?
    private let close: (() -> Void)?

    /// A screen that reads a device.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - pair: Called when the device has to be paired anew.
    ///   - close: Called when the person is done.
    public init(
      _ model: @autoclosure @escaping () -> ReadingModel, pair: (() -> Void)? = nil,
      close: (() -> Void)? = nil
    ) {
      _model = StateObject(wrappedValue: model())
      (self.pair, self.close) = (pair, close)
    }

    /// The screen.
    public var body: some View {
      List {
        if let instructions = model.state.instructions { Words(instructions) }
        step
        ForEach(model.state.readings) { ReviewItemView(item: $0) }
        if let message = model.state.rejectionMessage {
          VStack(alignment: .leading) {
            Words(message)
            ForEach(Array(Set(model.state.rejections)), id: \.self) { Words($0) }
          }
          .font(.footnote)
          .accessibilityElement(children: .combine)
        }
        actions
      }
      .navigationTitle(
        Text(verbatim: texts(Phrase(.readTitle, .verbatim(model.state.device.name))))
      )
      .onDisappear { model.leave() }
      .task(id: units) { if let units { model.show(in: units) } }
      .asksForKey($askedKey) { model.key($0) }
    }

    private var enterKey: (() -> Void)? {
      model.state.keyRequest.map { request in { askedKey = request } }
    }

    @ViewBuilder private var step: some View {
      if case .failed(let problem, _) = model.state.step {
        ProblemView(problem: problem, pair: pair, enterKey: enterKey)
          .announces(texts(problem.text))
      } else {
        StepView(message: model.state.message, isBusy: model.state.isBusy)
      }
      if let kept = model.state.keptMessage { Words(kept) }
      if let older = model.state.olderMessage { Words(older) }
      if let undecided = model.state.undecidedMessage {
        Words(undecided).announces(texts(undecided))
      }
    }

    @ViewBuilder private var actions: some View {
      switch model.state.step {
      case .review:
        WordButton(.confirmAll, isProminent: true) { model.confirm() }
        WordButton(.declineAll, role: .destructive) { model.decline() }
      case .deciding: EmptyView()
      case .idle: WordButton(.startReading, isProminent: true) { model.start() }
      case .sent, .declined:
        if let close { WordButton(.done, isProminent: true) { close() } }
      case _ where model.state.isBusy: WordButton(.cancel, role: .cancel) { model.cancel() }
      default: WordButton(.tryAgain, isProminent: true) { model.start() }
      }
    }
  }
#endif
