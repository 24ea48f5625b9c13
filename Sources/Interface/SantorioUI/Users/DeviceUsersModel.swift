// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HealthDevices
public import SantorioBluetooth
import SantorioConcurrency

/// Lets a person say which user of a device the person is, where several people use it.
///
/// Until that was said, what automatic reading gets of several users is held back, and a person who
/// reads the device is shown the readings of all. From then on the readings of the others are left
/// alone, and what was held back of this person is sent.
@MainActor public final class DeviceUsersModel: ViewModel<DeviceUsersModel.State> {
  /// What is shown.
  public struct State: Hashable, Sendable {
    /// The person's devices that tell their users apart, the one used last first.
    public internal(set) var devices: [Row] = []
    /// How many readings were held back until the last choice and are sent now; nil for none.
    public internal(set) var released: Phrase?
    /// Why a choice could not be kept, or the devices not be looked up; nil when they could.
    public internal(set) var problem: Problem?
    /// Whether the devices were looked up.
    public internal(set) var isLoaded = false

    /// What is said where there is nothing to choose; nil otherwise.
    public var note: Phrase? { isLoaded && devices.isEmpty ? Phrase(.usersNone) : nil }
  }

  /// One device.
  public struct Row: Hashable, Sendable, Identifiable {
    /// The system's identifier of the device.
    public let id: UUID
    /// Its name.
    public let name: String
    /// The person's number in its readings; nil while that was not said.
    public let own: Int?
    /// Whom the person can be.
    public let users: [User]
    /// What waits for the choice, or what to do before there is one; nil when there is nothing to say.
    public let note: Phrase?
  }

  /// A user of a device.
  public struct User: Hashable, Sendable, Identifiable {
    /// The number in readings.
    public let id: Int
    /// What the device calls the user, as far as that is public.
    public let name: Phrase
  }

  /// How many users are offered of a device that has not shown more.
  private static let usualCount = 4
  private let receiver: BluetoothReceiver
  /// Choices, one after the other: the last one counts.
  private let choices = OrderedWork()
  private var watch: PersonWatch?

  /// A model of the person's devices; ``load()`` looks them up.
  ///
  /// - Parameter receiver: Knows the devices, and keeps the choice.
  public init(_ receiver: BluetoothReceiver) {
    self.receiver = receiver
    super.init(State())
    watch = receiver.session.map { PersonWatch($0) { [weak self] in self?.forget() } }
  }

  /// Another person has signed in, who has devices of their own.
  private func forget() {
    show(State())
    Task { [weak self] in await self?.load() }
  }

  /// Looks up the devices; to be called whenever the screen appears.
  public func load() async {
    do throws(BluetoothError) {
      let devices = try await receiver.enrolments().filter(\.tellsUsersApart).compactMap(Self.row)
      update { ($0.devices, $0.isLoaded, $0.problem) = (devices, true, nil) }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  /// Says which user of a device the person is.
  ///
  /// - Parameters:
  ///   - user: The number in readings; nil takes back what was said.
  ///   - device: The device.
  public func choose(_ user: Int?, of device: UUID) async {
    await choices.add { [self] in await keep(user, of: device) }.value
  }

  private func keep(_ user: Int?, of device: UUID) async {
    update { $0.released = nil }
    do throws(BluetoothError) {
      let count = try await receiver.setUserSlot(user, of: device)
      await load()
      update { $0.released = count > 0 ? Phrase(.usersReleased, .count(count)) : nil }
    } catch {
      update { $0.problem = Problem(error) }
    }
  }

  private static func row(_ device: EnrolledDevice) -> Row? {
    guard let model = device.model else { return nil }
    let users = users(of: model, device.users)
    let held = device.users.heldCount
    let note: Phrase? =
      users.isEmpty
      ? Phrase(.usersUnknown) : held > 0 ? Phrase(.usersHeld, .count(held)) : nil
    return Row(
      id: device.identifier, name: model.name, own: device.users.own, users: users, note: note)
  }

  /// Those whom the device has shown, and where its labels are public those whom it usually has.
  private static func users(of model: DeviceModel, _ known: DeviceUserSlots) -> [User] {
    var slots = known.shown.union(known.own.map { [$0] } ?? [])
    let numbering = model.userNumbering
    if let first = numbering?.first { slots.formUnion(first..<(first + usualCount)) }
    return slots.sorted().map { slot in
      let name = numbering?.label(of: slot).map { Phrase(.userNumber, .count($0)) }
      return User(id: slot, name: name ?? Phrase(.userSlot, .count(slot)))
    }
  }
}
