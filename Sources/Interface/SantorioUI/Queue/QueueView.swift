// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// What waits for the server, what it has refused, and what is kept of earlier sessions.
  @MainActor public struct QueueView: View {
    @StateObject private var model: QueueModel
    @Environment(\.santorioTexts) private var texts
    @Environment(\.santorioUnits) private var units

    /// A screen of a queue.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> QueueModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      List {
        Section {
          Words(model.state.upload.text).announces(texts(model.state.upload.text))
          Words(Phrase(.waitingCount, .count(model.state.waitingCount)))
          Words(Phrase(.heldCount, .count(model.state.heldCount)))
          Words(Phrase(.quarantinedCount, .count(model.state.refused.count)))
          if let oldest = model.state.oldest { Words(Phrase(.oldestWaiting, .date(oldest))) }
          if let problem = model.state.problem {
            ProblemView(problem: problem).announces(texts(problem.text))
          }
          WordButton(.uploadNow) { model.uploadNow() }
        }
        if !model.state.refused.isEmpty { refused }
        if !model.state.archives.isEmpty { archives }
      }
      .navigationTitle(Text(verbatim: texts(.queueTitle)))
      .task { await model.follow() }
      .task(id: units) { if let units { await model.show(in: units) } }
      .confirmationDialog(
        Text(verbatim: model.state.question.map { texts($0.text) } ?? ""), isPresented: isAsking,
        titleVisibility: .visible
      ) {
        let question = model.state.question
        dialogButton(texts, .discardOne, role: .destructive) {
          Task {
            // The dialog may have taken the question back already.
            if let question { model.ask(question) }
            await model.confirmDeletion()
          }
        }
        dialogButton(texts, .cancel, role: .cancel) { model.keep() }
      }
    }

    private var isAsking: Binding<Bool> {
      Binding(get: { model.state.question != nil }, set: { if !$0 { model.keep() } })
    }

    private var refused: some View {
      Section {
        WordButton(.retryAll) { Task { await model.retry() } }
        ForEach(model.state.refused) { refused in
          VStack(alignment: .leading, spacing: 4) {
            ForEach(Array(refused.values.enumerated()), id: \.offset) { _, value in
              Words(Phrase(.nameAndValue, .phrase(value.name), .phrase(value.text)))
            }
            if let note = refused.note { Words(note) }
            Text(verbatim: texts.text(of: refused.date)).font(.footnote)
            Words(Phrase(.quarantineReason, .phrase(refused.reason))).font(.footnote)
          }
          .accessibilityElement(children: .combine)
          if refused.isOwn {
            HStack {
              WordButton(.retryOne) { Task { await model.retry(refused.id) } }
              Spacer()
              WordButton(.discardOne, role: .destructive) { model.ask(.discard(refused.id)) }
            }
          }
        }
      } header: {
        Words(.quarantineTitle)
      }
    }

    private var archives: some View {
      Section {
        ForEach(model.state.archives) { archive in
          Words(archive.content)
          if archive.isOwn {
            HStack {
              WordButton(.returnArchive) { Task { await model.returnArchive(archive.id) } }
              Spacer()
              WordButton(.removeArchive, role: .destructive) {
                model.ask(.removeArchive(archive.id))
              }
            }
          } else {
            Words(Phrase(.notYours))
          }
        }
      } header: {
        Words(.archivesTitle)
      }
    }
  }
#endif
