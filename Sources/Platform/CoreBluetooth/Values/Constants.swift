// SPDX-License-Identifier: Apache-2.0

// Where the literal is not publicly known it is the constant's own name; no behaviour depends on
// the text of any of them.

// MARK: - Advertisement data

/// The name in the advertisement (`String`).
public let CBAdvertisementDataLocalNameKey: String = "kCBAdvDataLocalName"
/// The transmit power in dBm (`NSNumber`).
public let CBAdvertisementDataTxPowerLevelKey: String = "kCBAdvDataTxPowerLevel"
/// The advertised services (`[CBUUID]`).
public let CBAdvertisementDataServiceUUIDsKey: String = "kCBAdvDataServiceUUIDs"
/// Data by service (`[CBUUID: Data]`).
public let CBAdvertisementDataServiceDataKey: String = "kCBAdvDataServiceData"
/// Data of the manufacturer (`Data`), the company identifier first, little-endian.
public let CBAdvertisementDataManufacturerDataKey: String = "kCBAdvDataManufacturerData"
/// Services that did not fit into the advertisement (`[CBUUID]`).
public let CBAdvertisementDataOverflowServiceUUIDsKey: String = "kCBAdvDataHashedServiceUUIDs"
/// Whether the advertiser accepts connections (`NSNumber`).
public let CBAdvertisementDataIsConnectable: String = "kCBAdvDataIsConnectable"
/// Services that the advertiser looks for (`[CBUUID]`).
public let CBAdvertisementDataSolicitedServiceUUIDsKey: String = "kCBAdvDataSolicitedServiceUUIDs"

// MARK: - Central manager

/// Whether the system warns when Bluetooth is off (`NSNumber`); Linux shows no alert.
public let CBCentralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"
/// The identifier for state restoration (`String`).
public let CBCentralManagerOptionRestoreIdentifierKey: String = "kCBInitOptionRestoreIdentifier"
/// Restricts access to media accessories; without effect on Linux.
public let CBCentralManagerOptionDeviceAccessForMedia: String =
  "CBCentralManagerOptionDeviceAccessForMedia"
/// Whether every packet received is reported as a discovery (`NSNumber`).
public let CBCentralManagerScanOptionAllowDuplicatesKey: String = "kCBScanOptionAllowDuplicates"
/// Solicited services that also match (`[CBUUID]`).
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey: String =
  "kCBScanOptionSolicitedServiceUUIDs"
/// Whether the system alerts on connection in the background; without effect on Linux.
public let CBConnectPeripheralOptionNotifyOnConnectionKey: String =
  "kCBConnectOptionNotifyOnConnection"
/// Whether the system alerts on disconnection in the background; without effect on Linux.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey: String =
  "kCBConnectOptionNotifyOnDisconnection"
/// Whether the system alerts on notifications in the background; without effect on Linux.
public let CBConnectPeripheralOptionNotifyOnNotificationKey: String =
  "kCBConnectOptionNotifyOnNotification"
/// Seconds to wait before connecting (`NSNumber`).
public let CBConnectPeripheralOptionStartDelayKey: String = "kCBConnectOptionStartDelay"
/// Whether the classic transport is brought up too; without effect on Linux.
public let CBConnectPeripheralOptionEnableTransportBridgingKey: String =
  "kCBConnectOptionEnableTransportBridging"
/// Whether the link needs Apple's notification service; Linux has none.
public let CBConnectPeripheralOptionRequiresANCS: String = "kCBConnectOptionRequiresANCS"
/// Whether the system reconnects after a loss of the link (`NSNumber`).
public let CBConnectPeripheralOptionEnableAutoReconnect: String =
  "kCBConnectOptionEnableAutoReconnect"
/// The restored peripherals (`[CBPeripheral]`).
public let CBCentralManagerRestoredStatePeripheralsKey: String = "kCBRestoredPeripherals"
/// The services that the restored scan looks for (`[CBUUID]`).
public let CBCentralManagerRestoredStateScanServicesKey: String = "kCBRestoredScanServices"
/// The options of the restored scan (`[String: Any]`).
public let CBCentralManagerRestoredStateScanOptionsKey: String = "kCBRestoredScanOptions"

/// A filter of ``CBCentralManager/registerForConnectionEvents(options:)``.
public struct CBConnectionEventMatchingOption: Hashable, RawRepresentable, Sendable {
  /// The text of the key.
  public let rawValue: String

  /// A filter of that text.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Peers with one of these services (`[CBUUID]`, at most 4).
  public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
  /// These peers (`[UUID]`).
  public static let peripheralUUIDs = Self(
    rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
}

// MARK: - Peripheral manager

/// Whether the system warns when Bluetooth is off (`NSNumber`); Linux shows no alert.
public let CBPeripheralManagerOptionShowPowerAlertKey: String = "kCBInitOptionShowPowerAlert"
/// The identifier for state restoration (`String`).
public let CBPeripheralManagerOptionRestoreIdentifierKey: String =
  "kCBInitOptionRestoreIdentifier"
/// The restored services (`[CBMutableService]`).
public let CBPeripheralManagerRestoredStateServicesKey: String = "kCBRestoredServices"
/// The restored advertisement (`[String: Any]`).
public let CBPeripheralManagerRestoredStateAdvertisementDataKey: String =
  "kCBRestoredAdvertisement"

// MARK: - Descriptors

/// The extended properties; the descriptor's value is an `NSNumber`.
public let CBUUIDCharacteristicExtendedPropertiesString: String = "2900"
/// The user description; the descriptor's value is a `String`.
public let CBUUIDCharacteristicUserDescriptionString: String = "2901"
/// The client's configuration; the descriptor's value is an `NSNumber`.
public let CBUUIDClientCharacteristicConfigurationString: String = "2902"
/// The server's configuration; the descriptor's value is an `NSNumber`.
public let CBUUIDServerCharacteristicConfigurationString: String = "2903"
/// The presentation format; the descriptor's value is `Data`.
public let CBUUIDCharacteristicFormatString: String = "2904"
/// The aggregate format.
public let CBUUIDCharacteristicAggregateFormatString: String = "2905"
/// The valid range; the descriptor's value is `Data`.
public let CBUUIDCharacteristicValidRangeString: String = "2906"
/// The observation schedule.
public let CBUUIDCharacteristicObservationScheduleString: String = "2910"
/// The characteristic that holds a channel's PSM, a little-endian `UInt16`.
public let CBUUIDL2CAPPSMCharacteristicString: String = "ABDD3056-28FA-441D-A470-55A75A52553A"
