// SPDX-License-Identifier: Apache-2.0

import HealthGATT

// The entries stand in the files beside this one, by what they measure. Facts about advertisements
// and pairing: the manufacturers' manuals and sample code, and public captures. Numbers below 10000
// are Validic's, where it has one for the device.
extension DeviceModel {
  /// All peripherals that can be read, in the order of their numbers.
  public static let supported: [DeviceModel] = catalogue.filter { !$0.isDisabled }

  /// All peripherals of one type.
  ///
  /// - Parameter type: What they measure.
  /// - Returns: The entries, in the order of their numbers.
  public static func supported(_ type: PeripheralType) -> [DeviceModel] {
    supported.filter { $0.type == type }
  }

  /// The peripheral of a number.
  ///
  /// - Parameter id: The number in the catalogue.
  public init?(id: Int) {
    guard let entry = Self.catalogue.first(where: { $0.id == id }) else { return nil }
    self = entry
  }

  /// The entry that knows most of an advertisement; of several that know as much, the first.
  package static func best(
    of candidates: [DeviceModel], for advertisement: Advertisement
  ) -> DeviceModel? {
    var best: (entry: DeviceModel, specificity: Specificity)?
    for entry in candidates {
      guard let specificity = entry.specificity(of: advertisement) else { continue }
      if let best, specificity <= best.specificity { continue }
      best = (entry, specificity)
    }
    return best?.entry
  }

  /// All entries, also those that are disabled.
  package static let catalogue: [DeviceModel] = [
    aAndDDevices, aetDevices, andesFitDevices, aojDevices, ascensiaDevices, berryDevices,
    beurerDevices, biolandDevices, bloodPressureDevices, chipseaDevices, choiceMMedDevices,
    etekcityDevices, glucoseDevices, guangdongHealthDevices, heartRateSensors, iSensDevices,
    icomonDevices, jumperDevices, kinsaDevices, koogeekDevices, licensedDevices, lifeScanDevices,
    medisanaDevices, microlifeDevices, noninDevices, omronDevices, oneByoneDevices,
    pulseOximeterDevices, pyleDevices, qardioDevices, qnDevices, renphoDevices, rocheDevices,
    samicoDevices, standIns, taiDocDevices, thermometerDevices, transtekDevices, trividiaDevices,
    unbrandedDevices, unreadDevices, viatomDevices, weightScaleDevices, xiaomiDevices,
    yonkerDevices, yunmaiDevices,
  ]
  .flatMap { $0 }
  .sorted { $0.id < $1.id }
}
