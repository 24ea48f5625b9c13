// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A source of events on run loops, which any thread can signal.
final class RunLoopSource: @unchecked Sendable {
  /// Retained by the run loop, which may still call it when the source is released elsewhere.
  private final class Target {
    weak var source: RunLoopSource?
  }

  private struct Entry {
    let loop: RunLoop
    let mode: RunLoop.Mode
    /// Nil until a loop of another thread has run.
    var core: CFRunLoop?

    /// Whether the loop is running.
    var runs: Bool {
      guard let current = loop.currentMode else { return false }
      return current == mode || mode == .common
    }
  }

  private struct State {
    var entries: [Entry] = []
    var signals = 0
    var handled = 0
    /// How many checks in a row found a pending signal but no running loop.
    var checks = 0
  }

  private let action: () -> Void
  private let state = Locked(State())
  private let core: CFRunLoopSource?

  /// A source that is not on any run loop yet.
  init(_ action: @escaping () -> Void) {
    self.action = action
    let target = Target()
    core = withExtendedLifetime(target) { Self.makeCore(for: target) }
    target.source = self
  }

  deinit {
    if let core { CFRunLoopSourceInvalidate(core) }
  }

  private static func makeCore(for target: Target) -> CFRunLoopSource? {
    var context = CFRunLoopSourceContext()
    context.info = Unmanaged.passUnretained(target).toOpaque()
    context.retain = { info in
      info.map { UnsafeRawPointer(Unmanaged<Target>.fromOpaque($0).retain().toOpaque()) }
    }
    context.release = { info in
      if let info { Unmanaged<Target>.fromOpaque(info).release() }
    }
    context.perform = { info in
      guard let info else { return }
      Unmanaged<Target>.fromOpaque(info).takeUnretainedValue().source?.perform()
    }
    return CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
  }

  private func perform() {
    let signals = state.withLock { $0.signals }
    action()
    state.withLock { state in
      state.handled = max(state.handled, signals)
      // A loop that was found not to run stays so until `isAwaited` sees it running.
      if state.checks < Self.maximumChecks { state.checks = 0 }
    }
  }

  // MARK: - Scheduling

  func add(to loop: RunLoop, mode: RunLoop.Mode) {
    let core = Self.core(of: loop)
    let isNew = state.withLock { state in
      if state.entries.contains(where: { $0.loop === loop && $0.mode == mode }) { return false }
      state.entries.append(Entry(loop: loop, mode: mode, core: core))
      return true
    }
    guard isNew else { return }
    if let core {
      attach(to: core, mode)
    } else {
      attachLater(to: loop, mode)
    }
  }

  func remove(from loop: RunLoop, mode: RunLoop.Mode) {
    let removed = take { $0.loop === loop && $0.mode == mode }
    detach(removed)
  }

  func removeAll() {
    detach(take { _ in true })
  }

  private func take(_ condition: (Entry) -> Bool) -> [Entry] {
    state.withLock { state in
      defer { state.entries.removeAll(where: condition) }
      return state.entries.filter(condition)
    }
  }

  private func detach(_ entries: [Entry]) {
    for entry in entries {
      if let loop = entry.core { CFRunLoopRemoveSource(loop, core, entry.mode.core) }
    }
  }

  private func attach(to loop: CFRunLoop, _ mode: RunLoop.Mode) {
    CFRunLoopAddSource(loop, core, mode.core)
    signal()
  }

  /// Attaches through a timer, because Foundation does not give the loop of another thread.
  ///
  /// The timer runs there and wakes the loop. Its block retains nothing: Foundation never frees a
  /// timer on Linux.
  private func attachLater(to loop: RunLoop, _ mode: RunLoop.Mode) {
    let timer = Timer(fire: Date(), interval: 0, repeats: false) { [weak self] _ in
      let loop = RunLoop.current
      guard let self, let core = CFRunLoopGetCurrent() else { return }
      let isWanted = state.withLock { state in
        guard
          let index = state.entries.firstIndex(where: { $0.loop === loop && $0.mode == mode })
        else { return false }
        state.entries[index].core = core
        return true
      }
      if isWanted { attach(to: core, mode) }
    }
    loop.add(timer, forMode: mode)
  }

  private static func core(of loop: RunLoop) -> CFRunLoop? {
    if loop === RunLoop.current { return CFRunLoopGetCurrent() }
    return loop === RunLoop.main ? CFRunLoopGetMain() : nil
  }

  // MARK: - Signalling

  /// Schedules a call of the action on one of the run loops.
  func signal() {
    let loops = state.withLock { state in
      state.signals += 1
      return state.entries.compactMap(\.core)
    }
    if let core { CFRunLoopSourceSignal(core) }
    for loop in loops { CFRunLoopWakeUp(loop) }
  }

  /// Whether a run loop has a signal to handle.
  ///
  /// Between two iterations a loop looks as if it did not run, and its thread may have to wait for
  /// the processor. So a loop counts as not running only after many checks, and then until a check
  /// finds it running.
  var isAwaited: Bool {
    state.withLock { state in
      guard state.handled < state.signals, !state.entries.isEmpty else { return false }
      if state.entries.contains(where: \.runs) { state.checks = 0 }
      guard state.checks < Self.maximumChecks else { return false }
      state.checks += 1
      return true
    }
  }

  /// The limit of checks, of which there are at most ten per millisecond.
  private static let maximumChecks = 20_000
}

extension RunLoop.Mode {
  fileprivate var core: CFRunLoopMode? {
    #if canImport(ObjectiveC)
      switch self {
      case .default: .defaultMode
      case .common: .commonModes
      default: CFRunLoopMode(rawValue as CFString)
      }
    #else
      switch self {
      case .default: kCFRunLoopDefaultMode
      case .common: kCFRunLoopCommonModes
      default: CFStringCreateWithCString(nil, rawValue, CFStringBuiltInEncodings.UTF8.rawValue)
      }
    #endif
  }
}
