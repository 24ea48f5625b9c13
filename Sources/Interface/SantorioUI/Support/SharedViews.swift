// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import Foundation
  public import SwiftUI
  #if canImport(UIKit)
    import UIKit
  #endif

  /// The smallest side of what is tapped, in points.
  let leastTapSize: CGFloat = 44

  /// A text of this module.
  struct Words: View {
    @Environment(\.santorioTexts) private var texts
    let phrase: Phrase

    init(_ phrase: Phrase) { self.phrase = phrase }
    init(_ key: TextKey) { phrase = Phrase(key) }

    var body: some View {
      Text(verbatim: texts(phrase)).fixedSize(horizontal: false, vertical: true)
    }
  }

  /// A button with a text of this module, large enough for a finger.
  struct WordButton: View {
    let key: TextKey
    var role: ButtonRole?
    var isProminent = false
    let action: () -> Void

    init(
      _ key: TextKey, role: ButtonRole? = nil, isProminent: Bool = false,
      action: @escaping () -> Void
    ) {
      (self.key, self.role, self.isProminent, self.action) = (key, role, isProminent, action)
    }

    var body: some View {
      if isProminent {
        button.buttonStyle(.borderedProminent)
      } else {
        button.buttonStyle(.borderless)
      }
    }

    private var button: some View {
      Button(role: role, action: action) {
        Words(key).frame(
          maxWidth: isProminent ? .infinity : nil, minHeight: leastTapSize)
      }
    }
  }

  /// A button of a dialog, which the system draws.
  func dialogButton(
    _ texts: Texts, _ key: TextKey, role: ButtonRole, action: @escaping () -> Void
  ) -> Button<Text> {
    Button(role: role, action: action) { Text(verbatim: texts(key)) }
  }

  /// What went wrong, and a button for what to do about it.
  public struct ProblemView: View {
    let problem: Problem
    var tryAgain: (() -> Void)?
    var pair: (() -> Void)?
    var enterKey: (() -> Void)?

    /// A view of a problem.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - tryAgain: Does the same again; there is no button for it when nil.
    ///   - pair: Pairs the device; there is no button for it when nil.
    ///   - enterKey: Asks for the device's key; there is no button for it when nil.
    public init(
      problem: Problem, tryAgain: (() -> Void)? = nil, pair: (() -> Void)? = nil,
      enterKey: (() -> Void)? = nil
    ) {
      (self.problem, self.tryAgain) = (problem, tryAgain)
      (self.pair, self.enterKey) = (pair, enterKey)
    }

    /// The text, and the button.
    public var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        Label {
          Words(problem.text)
        } icon: {
          Image(systemName: "exclamationmark.triangle.fill").foregroundStyle(.orange)
            .accessibilityHidden(true)
        }
        .accessibilityElement(children: .combine)
        remedy
      }
    }

    @ViewBuilder private var remedy: some View {
      switch problem.remedy {
      case .tryAgain:
        if let tryAgain { WordButton(.tryAgain, action: tryAgain) }
      case .pair:
        if let pair { WordButton(.pairAgain, action: pair) }
      case .enterKey:
        if let enterKey { WordButton(.enterKey, action: enterKey) }
      case .openSettings: SettingsButton()
      case .none, .signIn: EmptyView()
      }
    }
  }

  /// Opens the app's page of the system's settings.
  struct SettingsButton: View {
    @Environment(\.openURL) private var openURL

    var body: some View {
      #if canImport(UIKit)
        WordButton(.openSettings) {
          if let url = URL(string: UIApplication.openSettingsURLString) { openURL(url) }
        }
      #endif
    }
  }

  /// A step of what is under way: a sign that it goes on, and what is said about it.
  struct StepView: View {
    @Environment(\.santorioTexts) private var texts
    let message: Phrase?
    let isBusy: Bool

    var body: some View {
      HStack(spacing: 12) {
        if isBusy { ProgressView().accessibilityHidden(true) }
        if let message { Words(message).font(.headline) }
      }
      .frame(maxWidth: .infinity, minHeight: leastTapSize, alignment: .leading)
      .accessibilityElement(children: .combine)
      .announces(message.map { texts($0) })
    }
  }

  /// The picture of a device.
  struct DevicePictureView: View {
    let url: URL?
    let side: CGFloat

    var body: some View {
      AsyncImage(url: url) { image in
        image.resizable().scaledToFit()
      } placeholder: {
        Image(systemName: "wave.3.right.circle").resizable().scaledToFit()
          .foregroundStyle(.secondary)
      }
      .frame(width: side, height: side)
    }
  }
#endif
