// SPDX-License-Identifier: Apache-2.0

internal import SantorioConcurrency

/// A read or a write by a central, or one part of a long write.
open class CBATTRequest: NSObject {
  /// Whether the request was answered; the parts of one write share it.
  final class ReplyToken {
    let number: RequestNumber
    let isRead: Bool
    private let isAnswered = Locked(false)

    init(number: RequestNumber, isRead: Bool) {
      self.number = number
      self.isRead = isRead
    }

    /// Marks the request as answered; true the first time.
    func markAnswered() -> Bool {
      isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
    }
  }

  let replyToken: ReplyToken
  private let origin: CBCentral
  private let target: CBCharacteristic
  private let start: Int
  private let content: Locked<Data?>

  /// Requests come from the radio.
  @available(*, unavailable)
  public override init() {
    replyToken = ReplyToken(number: 0, isRead: true)
    origin = CBCentral(RemoteCentral(identifier: UUID(), maximumUpdate: 0))
    target = CBCharacteristic(uuid: CBUUID(), properties: [])
    start = 0
    content = Locked(nil)
  }

  init(
    replyToken: ReplyToken, central: CBCentral, characteristic: CBCharacteristic, offset: Int,
    value: Data?
  ) {
    self.replyToken = replyToken
    origin = central
    target = characteristic
    start = offset
    content = Locked(value)
  }

  /// The central that made the request.
  open var central: CBCentral { origin }

  /// The characteristic that is read or written.
  open var characteristic: CBCharacteristic { target }

  /// The first byte that is read or written.
  open var offset: Int { start }

  /// The value written, or the value to return to the reader, from the offset on.
  open var value: Data? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
