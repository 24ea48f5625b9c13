// SPDX-License-Identifier: Apache-2.0

import CMosquitto
import Glibc
import SantorioCryptography

/// One attempt to connect and the connection that follows, by a libmosquitto handle of its own.
///
/// A handle that connects again would send again what it has not seen acknowledged, after newer
/// messages of the same topic. All methods are called on one thread; libmosquitto calls back within
/// them only, so that the callbacks' context is alive.
@safe final class MQTTConnection {
  /// What the broker has sent.
  enum Incident {
    /// It has answered the request to connect; 0 stands for consent.
    case answered(Int32)
    case acknowledged(Int32)
    case subscribed(Int32, isRefused: Bool)
    case message(MQTTMessage)
  }

  private let handle: OpaquePointer
  private let settings: MQTTSettings
  fileprivate var incidents: [Incident] = []
  /// The broker's refusal of the connection.
  private var refusal: Int32 = 0
  /// The bytes that had been read when the last packet was complete.
  private var completed: Int64 = 0

  /// The most that the broker may send in one packet.
  ///
  /// libmosquitto takes any size that MQTT 3.1.1 knows, up to 256 MiB.
  private static let largestPacket: Int64 = 262_144

  /// The size of the socket's receive buffer that is requested, in bytes; Linux doubles it.
  ///
  /// Without a limit, Linux enlarges the buffer to several MiB while a broker sends without a pause.
  private static let receiveBufferSize: Int32 = 16_384

  private static let isReady =
    OpenSSL.outlivesThreads && mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

  /// Prepares a connection.
  ///
  /// - Throws: ``MQTTError`` when the settings cannot be used.
  init(_ settings: MQTTSettings) throws(MQTTError) {
    guard Self.isReady, let handle = unsafe mosquitto_new(settings.clientID, true, nil) else {
      throw MQTTError(
        .invalidSettings, "the client's name is empty, or libmosquitto could not start")
    }
    unsafe self.handle = handle
    self.settings = settings
    unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    unsafe mosquitto_connect_callback_set(handle, mqttDidAnswer)
    unsafe mosquitto_publish_callback_set(handle, mqttDidAcknowledge)
    unsafe mosquitto_subscribe_callback_set(handle, mqttDidSubscribe)
    unsafe mosquitto_message_callback_set(handle, mqttDidReceive)
    try applyCredentials()
    try applyPresence()
    try applyTrust()
  }

  deinit { unsafe mosquitto_destroy(handle) }

  // MARK: - Settings

  private func applyCredentials() throws(MQTTError) {
    guard let username = settings.username else {
      guard settings.password == nil else {
        throw MQTTError(.invalidSettings, "a password needs a user name")
      }
      return
    }
    guard settings.password?.contains(0) != true, !username.utf8.contains(0) else {
      throw MQTTError(.invalidSettings, "the user name and the password must not have zero bytes")
    }
    let password = settings.password.map { bytes in bytes.map { CChar(bitPattern: $0) } + [0] }
    guard unsafe Self.succeeds(mosquitto_username_pw_set(handle, username, password)) else {
      throw MQTTError(.invalidSettings, "the user name or the password cannot be used")
    }
  }

  private func applyPresence() throws(MQTTError) {
    guard let presence = settings.presence else { return }
    let offline = presence.offline
    let code = unsafe mosquitto_will_set(
      handle, presence.topic, Int32(clamping: offline.count), offline, 1, true)
    guard Self.succeeds(code) else {
      throw MQTTError(.invalidSettings, "the topic of the last will cannot be used")
    }
  }

  private func applyTrust() throws(MQTTError) {
    guard let trust = settings.tls else { return }
    let identity = trust.identity
    try Self.checkReadable(trust.authorities, "the file of the authorities' certificates")
    try Self.checkReadable(identity?.certificate, "the file of the client's certificate")
    try Self.checkReadable(identity?.key, "the file of the client's key")
    var isApplied = true
    if trust.authorities == nil {
      isApplied = unsafe Self.succeeds(mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1))
    }
    if trust.authorities != nil || identity != nil {
      // libmosquitto takes a certificate of the client together with authorities only.
      let folder = trust.authorities == nil ? "/etc/ssl/certs" : nil
      isApplied =
        unsafe isApplied
        && Self.succeeds(
          mosquitto_tls_set(
            handle, trust.authorities, folder, identity?.certificate, identity?.key,
            mqttHasNoPassword))
    }
    guard isApplied else {
      throw MQTTError(.invalidSettings, "the files of certificates cannot be used")
    }
  }

  private static func checkReadable(_ path: String?, _ name: String) throws(MQTTError) {
    guard let path, unsafe access(path, R_OK) != 0 else { return }
    let reason = unsafe String(cString: strerror(errno))
    throw MQTTError(.invalidSettings, "\(name) cannot be read: \(reason)")
  }

  private static func succeeds(_ code: Int32) -> Bool { code == MOSQ_ERR_SUCCESS.rawValue }

  // MARK: - The connection

  /// Connects, which may block as long as the system resolves the name and tries its addresses.
  func connect() throws(MQTTError) {
    errno = 0
    let code = unsafe mosquitto_connect(
      handle, settings.host, Int32(clamping: settings.port),
      Int32(clamping: settings.keepAliveSeconds))
    // It also begins TLS, and the broker may have ended that, or the connection, already.
    guard code != MOSQ_ERR_ERRNO.rawValue || [EPROTO, ECONNRESET, EPIPE].contains(errno) else {
      let reason = unsafe String(cString: strerror(errno))
      throw MQTTError(.unreachable, "the broker cannot be reached: \(reason)")
    }
    if let error = error(code) { throw error }
    limitReceiveBuffer()
  }

  /// Limits the memory of the system that a flooding broker can fill.
  private func limitReceiveBuffer() {
    guard let socket else { return }
    var size = Self.receiveBufferSize
    unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The connection's socket; nil once it is closed.
  var socket: Int32? {
    let socket = unsafe mosquitto_socket(handle)
    return socket >= 0 ? socket : nil
  }

  /// Whether something waits to be sent.
  var wantsToWrite: Bool { unsafe mosquitto_want_write(handle) }

  /// Reads and writes as the socket allows, and keeps the connection alive.
  ///
  /// - Returns: The reason when the connection has ended.
  func work(canRead: Bool, canWrite: Bool) -> MQTTError? {
    errno = 0
    if canRead {
      if let error = unsafe error(mosquitto_loop_read(handle, 1)) { return error }
      if let error = checkSize() { return error }
    }
    if canWrite, let error = unsafe error(mosquitto_loop_write(handle, 1)) { return error }
    if let error = unsafe error(mosquitto_loop_misc(handle)) { return error }
    return socket == nil ? MQTTError(.lost, "the broker does not answer any more") : nil
  }

  /// Checks how much the broker has sent since its last complete packet.
  private func checkSize() -> MQTTError? {
    guard let socket else { return nil }
    let count = santorio_bytes_read(socket)
    guard count - completed <= Self.largestPacket else {
      incidents = []
      return MQTTError(
        .protocolRefused,
        "the broker sends a message of more than \(Self.largestPacket / 1024) KiB, which nobody here "
          + "waits for; remove it there if it is retained")
    }
    if !incidents.isEmpty { completed = count }
    return nil
  }

  /// Sends a message with QoS 1.
  ///
  /// - Returns: The number with which the broker will acknowledge it.
  func publish(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
    guard !message.topic.isEmpty, !message.topic.utf8.contains(0) else {
      throw MQTTError(.invalidMessage, "the topic is empty or has a zero byte")
    }
    var number: Int32 = 0
    let code = unsafe mosquitto_publish(
      handle, &number, message.topic, Int32(clamping: message.payload.count), message.payload, 1,
      message.isRetained)
    switch mosq_err_t(rawValue: code) {
    case MOSQ_ERR_SUCCESS: return number
    case MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8:
      throw MQTTError(.invalidMessage, "the topic has a wildcard, or is too long")
    case MOSQ_ERR_PAYLOAD_SIZE:
      throw MQTTError(.invalidMessage, "the message is too large")
    default: throw error(code) ?? MQTTError(.lost, "the message could not be sent")
    }
  }

  /// Asks for the messages of topics.
  ///
  /// - Returns: The number with which the broker will answer.
  func subscribe(_ filter: String) throws(MQTTError) -> Int32 {
    var number: Int32 = 0
    let code = unsafe mosquitto_subscribe(handle, &number, filter, 1)
    guard Self.succeeds(code) else {
      throw MQTTError(.invalidSettings, "the filter of a subscription cannot be used")
    }
    return number
  }

  /// Says to the broker that the connection ends as it should.
  func disconnect() { unsafe mosquitto_disconnect(handle) }

  /// What the broker has sent since the last call.
  func takeIncidents() -> [Incident] {
    defer { incidents = [] }
    return incidents
  }

  // MARK: - Errors

  fileprivate func answered(_ code: Int32) {
    refusal = code
    incidents.append(.answered(code))
  }

  private func error(_ code: Int32) -> MQTTError? {
    let errno = errno
    let reason = unsafe String(cString: mosquitto_strerror(code))
    switch mosq_err_t(rawValue: code) {
    case MOSQ_ERR_SUCCESS, MOSQ_ERR_CONN_PENDING: return nil
    case MOSQ_ERR_CONN_REFUSED where refusal != 0: return Self.refused(refusal)
    case MOSQ_ERR_EAI, MOSQ_ERR_LOOKUP:
      return MQTTError(.unknownHost, "the broker's name is not known")
    // What libmosquitto makes of an alert of TLS, for instance that a certificate is missing.
    case MOSQ_ERR_ERRNO where settings.tls != nil && errno == EPROTO:
      return MQTTError(.tlsFailed, "the broker has ended TLS; perhaps it wants a certificate")
    case MOSQ_ERR_ERRNO:
      let reason = unsafe String(cString: strerror(errno))
      return MQTTError(.lost, "the connection was lost: \(reason)")
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP:
      return MQTTError(.tlsFailed, "the broker's certificate was not accepted, or TLS failed")
    case MOSQ_ERR_PROTOCOL, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_NOT_SUPPORTED:
      return MQTTError(.protocolRefused, "the broker does not keep to MQTT: \(reason)")
    case MOSQ_ERR_INVAL:
      return MQTTError(.invalidSettings, "the host, the port or the keep-alive cannot be used")
    default: return MQTTError(.lost, "the connection was lost: \(reason)")
    }
  }

  /// The return codes of MQTT 3.1.1, section 3.2.2.3.
  private static func refused(_ code: Int32) -> MQTTError {
    switch code {
    case 1: MQTTError(.protocolRefused, "the broker does not accept MQTT 3.1.1")
    case 2: MQTTError(.clientIDRefused, "the broker does not accept the client's name")
    case 3: MQTTError(.serverUnavailable, "the broker cannot serve at present")
    case 4: MQTTError(.credentialsRefused, "the broker does not accept the user or the password")
    case 5: MQTTError(.credentialsRefused, "the broker does not let the user connect")
    default: MQTTError(.protocolRefused, "the broker refused the connection with code \(code)")
    }
  }
}

// MARK: - Callbacks

private func mqttConnection(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
  unsafe context.map { unsafe Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
}

private func mqttDidAnswer(
  _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ code: Int32
) {
  unsafe mqttConnection(context)?.answered(code)
}

private func mqttDidAcknowledge(
  _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ number: Int32
) {
  unsafe mqttConnection(context)?.incidents.append(.acknowledged(number))
}

private func mqttDidSubscribe(
  _: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _ number: Int32, _ count: Int32,
  _ granted: UnsafePointer<Int32>?
) {
  let codes = unsafe UnsafeBufferPointer(start: granted, count: Int(count))
  let isRefused = unsafe codes.contains { $0 >= 0x80 }
  unsafe mqttConnection(context)?.incidents.append(.subscribed(number, isRefused: isRefused))
}

private func mqttDidReceive(
  _: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
  _ message: UnsafePointer<mosquitto_message>?
) {
  guard let message = unsafe message?.pointee, let topic = unsafe message.topic else { return }
  let payload = unsafe UnsafeRawBufferPointer(
    start: message.payload, count: Int(message.payloadlen))
  let received = unsafe MQTTMessage(
    topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)
  unsafe mqttConnection(context)?.incidents.append(.message(received))
}

/// The password of a client's key: without this, OpenSSL asks for it on the terminal.
private func mqttHasNoPassword(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { 0 }
