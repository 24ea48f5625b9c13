// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import SwiftUI

  /// A reading with its values, its time and its doubts.
  struct ReviewItemView: View {
    @Environment(\.santorioTexts) private var texts
    let item: ReviewItem

    var body: some View {
      VStack(alignment: .leading, spacing: 6) {
        ForEach(Array(item.values.enumerated()), id: \.offset) { _, value in row(value) }
        Text(verbatim: time).font(.subheadline).foregroundStyle(.secondary)
        Words(item.timeOrigin).font(.footnote).foregroundStyle(.secondary)
        if let device = item.device {
          Text(verbatim: device).font(.footnote).foregroundStyle(.secondary)
        }
        ForEach(item.notes, id: \.self) { Words($0).font(.footnote) }
        ForEach(item.doubts, id: \.self) { doubt in
          Label {
            Words(doubt)
          } icon: {
            Image(systemName: "exclamationmark.triangle").accessibilityHidden(true)
          }
          .font(.footnote)
        }
      }
      .frame(maxWidth: .infinity, alignment: .leading)
      .accessibilityElement(children: .combine)
    }

    private var time: String {
      texts.text(of: item.date, utcOffsetSeconds: item.utcOffsetSeconds)
    }

    /// Name and value, one above the other where large type needs that.
    private func row(_ value: ShownMetric) -> some View {
      ViewThatFits(in: .horizontal) {
        HStack {
          Text(verbatim: texts(value.name))
          Spacer()
          number(value)
        }
        VStack(alignment: .leading) {
          Words(value.name)
          number(value)
        }
      }
      .accessibilityElement(children: .ignore)
      .accessibilityLabel(Text(verbatim: spoken(value)))
    }

    private func spoken(_ value: ShownMetric) -> String {
      let text = texts(Phrase(.nameAndValue, .phrase(value.name), .phrase(value.text)))
      return value.isEntered ? "\(text). \(texts(.enteredByHand))" : text
    }

    @ViewBuilder private func number(_ value: ShownMetric) -> some View {
      Words(value.text).font(.title3.weight(.semibold))
      if value.isEntered { Words(.enteredByHand).font(.footnote) }
    }
  }
#endif
