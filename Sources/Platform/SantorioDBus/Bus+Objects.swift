// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Dispatch

extension Bus {
  func publish(_ objects: [DBusObject], root: String) throws(DBusError) -> DBusRegistration {
    guard !isClosed else { throw .connectionEnded }
    for path in [root] + objects.map(\.path) {
      guard unsafe sd_bus_object_path_is_valid(path) > 0, !path.utf8.contains(0) else {
        throw DBusError(
          DBusError.invalidArguments, "A path is not a D-Bus object path.")
      }
    }
    var published = PublishedObjects()
    if let present = self.published { published = present } else { try answerCalls() }
    let number = try published.insert(objects, root: root)
    self.published = published
    for object in objects {
      object.bus = self
      emit(
        root, StandardInterface.objectManager, "InterfacesAdded",
        [.objectPath(object.path), object.listing])
    }
    // Not the objects themselves: their methods may hold this registration.
    return registration { $0.withdraw(number) }
  }

  private func withdraw(_ number: Int) {
    guard let (objects, root) = published?.remove(number) else { return }
    for object in objects where object.bus === self {
      object.bus = nil
      emit(
        root, StandardInterface.objectManager, "InterfacesRemoved",
        [.objectPath(object.path), .strings(object.interfaces.keys.sorted())])
    }
  }

  /// Starts handling all calls; until the first object is published, sd-bus refuses them.
  private func answerCalls() throws(DBusError) {
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    try DBusError.check(unsafe sd_bus_add_fallback(handle, nil, "/", callReceived, context))
  }

  fileprivate func handle(_ message: OpaquePointer) {
    // It outlives this callback, and is dropped on the queue only.
    let held = unsafe IncomingMessage(pointer: sd_bus_message_ref(message))
    let answer = DBusIncomingCall.Answer { [self, queue] result in
      queue.async { self.answer(held, result) }
    }
    let reader = unsafe MessageReader(message: message)
    guard let call = reader.signal, let published else {
      return answer.send(
        .failure(DBusError(DBusError.invalidArguments, "The call cannot be read.")))
    }
    published.handle(DBusIncomingCall(call, answer: answer))
  }

  private func answer(_ call: IncomingMessage, _ result: Result<[DBusValue], DBusError>) {
    defer { unsafe sd_bus_message_unref(call.pointer) }
    guard !isClosed, let call = unsafe call.pointer else { return }
    let failure = transmit { () throws(DBusError) in
      switch result {
      case .success(let values): unsafe try Message.answer(values, to: call)
      case .failure(let error): unsafe try Message.answer(error, to: call)
      }
    }
    guard failure != nil else { return }
    transmit { () throws(DBusError) in
      let error = DBusError(DBusError.failed, "The answer could not be sent.")
      return unsafe try Message.answer(error, to: call)
    }
  }
}

/// An incoming call, held until it is answered.
@safe private struct IncomingMessage: @unchecked Sendable {
  // Used on the queue of its bus only.
  let pointer: OpaquePointer?
}

private let callReceived: sd_bus_message_handler_t = { message, context, _ in
  guard let message = unsafe message, let context = unsafe context else { return 0 }
  let bus = unsafe Unmanaged<Bus>.fromOpaque(context).takeUnretainedValue()
  unsafe bus.handle(message)
  return 1
}
