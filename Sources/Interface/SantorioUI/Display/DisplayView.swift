// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI) && os(iOS)
  import DigitReader
  import SantorioOCR
  public import SwiftUI

  /// Reads a display with the camera, and lets a person check what was read.
  @MainActor public struct DisplayView: View {
    @StateObject private var model: DisplayModel
    @Environment(\.santorioTexts) private var texts
    private let close: (() -> Void)?

    /// A screen that reads a display.
    ///
    /// - Parameters:
    ///   - model: What is shown.
    ///   - close: Called when the person is done.
    public init(
      _ model: @autoclosure @escaping () -> DisplayModel, close: (() -> Void)? = nil
    ) {
      _model = StateObject(wrappedValue: model())
      self.close = close
    }

    /// The screen.
    public var body: some View {
      Group {
        switch model.state.step {
        case .choosing: choice
        case .capturing: camera
        case .checking, .sending: check
        case .sent: sent
        }
      }
      .navigationTitle(Text(verbatim: texts(.displayTitle)))
    }

    private var choice: some View {
      List {
        Words(.displayExplained).foregroundStyle(.secondary)
        problem
        Section {
          ForEach(model.state.displays) { display in row(display) }
        } header: {
          Words(.chooseDisplay)
        }
        if let display = model.state.display {
          if !display.units.isEmpty { units(of: display) }
          WordButton(.startCamera, isProminent: true) { model.start() }
        }
      }
    }

    private func row(_ display: OCRPeripheral) -> some View {
      Button {
        model.choose(display)
      } label: {
        HStack {
          DevicePictureView(url: display.imageURL, side: leastTapSize).accessibilityHidden(true)
          Words(Phrase(english: display.name)).foregroundStyle(.primary)
          Spacer()
          if model.state.display == display {
            Image(systemName: "checkmark").accessibilityHidden(true)
          }
        }
        .frame(minHeight: leastTapSize)
      }
      .accessibilityElement(children: .combine)
      .accessibilityAddTraits(
        model.state.display == display ? [.isButton, .isSelected] : .isButton)
    }

    private func units(of display: OCRPeripheral) -> some View {
      Picker(selection: Binding(get: { model.state.unit }, set: { model.choose(unit: $0) })) {
        Words(.unitFromDisplay).tag(DisplayUnit?.none)
        ForEach(display.units, id: \.self) { unit in
          Text(verbatim: unit.rawValue).tag(Optional(unit))
        }
      } label: {
        Words(.chooseUnit)
      }
      .frame(minHeight: leastTapSize)
    }

    @ViewBuilder private var problem: some View {
      if let problem = model.state.problem {
        ProblemView(problem: problem).announces(texts(problem.text))
      }
    }

    @ViewBuilder private var camera: some View {
      if let display = model.state.display {
        DisplayCameraView(model: model, display: display).ignoresSafeArea()
          .overlay(alignment: .bottom) { progress }
      }
    }

    @ViewBuilder private var progress: some View {
      if case .capturing(let digits, let advice) = model.state.step {
        VStack(spacing: 12) {
          if !digits.isEmpty {
            Words(Phrase(.valueSoFar, .verbatim(digits))).font(.title2)
          }
          if let advice { Words(advice) }
          problem
          WordButton(.cancel, role: .cancel) { model.cancel() }
        }
        .padding()
        .frame(maxWidth: .infinity)
        .background(.regularMaterial)
        .announces(advice.map { texts($0) })
      }
    }

    private var check: some View {
      Form {
        Words(.checkValues)
        ForEach(model.state.fields) { field in fieldRow(field) }
        problem
        WordButton(.confirmAll, isProminent: true) { Task { await model.send() } }
          .disabled(
            model.state.step == .sending || model.state.fields.contains { $0.problem != nil })
        WordButton(.readAgain) { model.start() }
      }
    }

    private func fieldRow(_ field: DisplayModel.Field) -> some View {
      VStack(alignment: .leading) {
        Words(field.name)
        HStack {
          TextField(
            texts(field.name),
            text: Binding(get: { field.text }, set: { model.correct(field.type, to: $0) })
          )
          .keyboardType(.decimalPad)
          .font(.title2)
          .accessibilityLabel(Text(verbatim: "\(texts(field.name)), \(field.unit)"))
          Text(verbatim: field.unit).accessibilityHidden(true)
        }
        .frame(minHeight: leastTapSize)
        if let problem = field.problem {
          Words(problem).font(.footnote).announces(texts(problem))
        }
      }
    }

    private var sent: some View {
      VStack(spacing: 20) {
        StepView(message: Phrase(.displaySent), isBusy: false)
        WordButton(.readAgain) { model.start() }
        if let close { WordButton(.close, isProminent: true) { close() } }
      }
      .padding()
    }
  }
#endif
