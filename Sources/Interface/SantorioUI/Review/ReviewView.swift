// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// The readings that wait for a person, and those that were declined.
  @MainActor public struct ReviewView: View {
    @StateObject private var model: ReviewModel
    @Environment(\.santorioTexts) private var texts

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
        if !model.state.declined.isEmpty { declined }
      }
      .navigationTitle(Text(verbatim: texts(.reviewTitle)))
      .task { await model.load() }
      .confirmationDialog(
        Text(verbatim: texts(.reallyDelete)), isPresented: isAsking, titleVisibility: .visible
      ) {
        WordButton(.deleteForGood, role: .destructive) { Task { await model.confirmDeletion() } }
        WordButton(.cancel, role: .cancel) { model.keepDeclined() }
      }
    }

    private func load() { Task { await model.load() } }

    private var isAsking: Binding<Bool> {
      Binding(get: { !model.state.toDelete.isEmpty }, set: { if !$0 { dismissed() } })
    }

    /// The dialog is gone; its buttons have their say first.
    private func dismissed() { Task { model.keepDeclined() } }

    private var waiting: some View {
      Section {
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

    private var declined: some View {
      Section {
        ForEach(model.state.declined) { item in
          ReviewItemView(item: item)
          HStack {
            WordButton(.sendAfterAll) { Task { await model.sendDeclined([item.id]) } }
            Spacer()
            WordButton(.deleteForGood, role: .destructive) { model.askToDelete([item.id]) }
          }
        }
      } header: {
        Words(.declinedTitle)
      }
    }
  }
#endif
