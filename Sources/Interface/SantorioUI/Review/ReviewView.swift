// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// The readings that wait for a person, and those that were declined.
  @MainActor public struct ReviewView: View {
    @StateObject private var model: ReviewModel
    @Environment(\.santorioTexts) private var texts
    @Environment(\.santorioUnits) private var units

    /// A screen of what waits.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> ReviewModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      List {
        if let problem = model.state.problem {
          ProblemView(problem: problem, tryAgain: { load() }).announces(texts(problem.text))
        }
        if model.state.isEmpty { Words(.nothingToReview).foregroundStyle(.secondary) }
        if !model.state.waiting.isEmpty { waiting }
        if !model.state.declined.isEmpty {
          kept(model.state.declined, .declinedTitle) { await model.sendDeclined([$0]) }
        }
        if !model.state.older.isEmpty {
          kept(model.state.older, .olderTitle) { await model.sendOlder([$0]) }
        }
      }
      .navigationTitle(Text(verbatim: texts(.reviewTitle)))
      .task(id: units) {
        if let units { await model.show(in: units) } else { await model.load() }
      }
      .confirmationDialog(
        Text(verbatim: texts(.reallyDelete)), isPresented: isAsking, titleVisibility: .visible
      ) {
        let asked = model.state.toDelete
        dialogButton(texts, .deleteForGood, role: .destructive) {
          Task {
            // The dialog may have taken the question back already.
            model.askToDelete(asked)
            await model.confirmDeletion()
          }
        }
        dialogButton(texts, .cancel, role: .cancel) { model.keepDeclined() }
      }
    }

    private func load() { Task { await model.load() } }

    private var isAsking: Binding<Bool> {
      Binding(get: { !model.state.toDelete.isEmpty }, set: { if !$0 { model.keepDeclined() } })
    }

    private var waiting: some View {
      Section {
        if model.state.waiting.count > 1 {
          HStack {
            WordButton(.confirmEverything) { Task { await model.confirm() } }
            Spacer()
            WordButton(.declineEverything, role: .destructive) {
              Task { await model.decline() }
            }
          }
        }
        ForEach(model.state.waiting) { item in
          ReviewItemView(item: item)
          HStack {
            WordButton(.confirmAll) { Task { await model.confirm([item.id]) } }
            Spacer()
            WordButton(.declineAll, role: .destructive) {
              Task { await model.decline([item.id]) }
            }
          }
        }
      } header: {
        Words(.heldTitle)
      }
    }

    private func kept(
      _ items: [ReviewItem], _ title: TextKey, send: @escaping (String) async -> Void
    ) -> some View {
      Section {
        ForEach(items) { item in
          ReviewItemView(item: item)
          HStack {
            WordButton(.sendAfterAll) { Task { await send(item.id) } }
            Spacer()
            WordButton(.deleteForGood, role: .destructive) { model.askToDelete([item.id]) }
          }
        }
      } header: {
        Words(title)
      }
    }
  }
#endif
