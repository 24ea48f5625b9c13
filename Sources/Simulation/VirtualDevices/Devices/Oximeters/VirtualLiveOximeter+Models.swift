// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let liveOximeters = [
    nonin3230, pc60FW, jpd500, bm1000, md300C228, jks50f, fs20f,
  ]

  /// The Nonin 3230: marks the value to record (SmartPoint), and is switched off afterwards.
  package static let nonin3230 = live(
    id: "nonin-3230", summary: "Nonin 3230: spot check with SmartPoint; composed frames.",
    peripheralID: 13, name: "Nonin3230_502645619", advertised: [.noninOximetry],
    VirtualLiveOximeter.Model(
      services: [
        service(
          .noninOximetry, .notify, extra: (.noninControlPoint, [.write, .indicate])),
        .deviceInformation(
          manufacturer: "Nonin Medical", model: "3230", serialNumber: "502645619",
          firmwareRevision: "1.10"),
      ], source: .noninOximetry,
      release: .init(.noninControlPoint, NoninOximetry.measurementComplete),
      first: .init(saturation: 97, pulseRate: 72)
    ) { moment in
      let found: NoninOximetry.Status =
        moment.saturation == nil ? [.sensorIsCorrect, .searching] : .sensorIsCorrect
      return [
        NoninOximetry(
          status: moment.isSettled ? found.union(.smartPoint) : found,
          pulseAmplitudeHundredths: 250, counter: UInt16(moment.second),
          saturation: moment.saturation, pulseRate: moment.pulseRate.map(UInt16.init)
        ).payload
      ]
    })

  /// The Viatom PC-60FW: values once a second, and the curve between them.
  ///
  /// The first finger has the values of the frame in the README of sza2/viatom_pc60fw.
  package static let pc60FW = live(
    id: "pc-60fw", summary: "Viatom PC-60FW: live values and curve; begins with captured values.",
    peripheralID: 10303, name: "PC-60FW_SN012345", advertised: [],
    VirtualLiveOximeter.Model(
      services: [
        service(.pc60Frames, .notify, extra: (.nordicUARTInput, [.writeWithoutResponse])),
        .deviceInformation(
          manufacturer: "Viatom", model: "PC-60FW", serialNumber: "012345",
          firmwareRevision: "1.0"),
      ], source: .pc60Frames, first: .init(saturation: 96, pulseRate: 62)
    ) { moment in
      let values = PC60Frame(
        function: 1,
        bytes: [moment.saturation ?? 0, moment.pulseRate ?? 0, 0x00, 0x50, 0x00, 0xC0])
      let wave = PC60Frame(function: 2, bytes: [0x3B, 0x38, 0x35, 0x32, 0x2F])
      // Notifications of the real one do not end at frame boundaries either.
      return (values.payload + wave.payload).cut(into: 20)
    })

  /// A Jumper JPD-500F: values and curve in separate notifications.
  package static let jpd500 = live(
    id: "jpd-500f", summary: "Jumper JPD-500F: live values and curve; composed frames.",
    peripheralID: 10304, name: "My Oximeter", advertised: [.jumperOximetry],
    VirtualLiveOximeter.Model(
      services: [service(.jumperOximetry, .notify)], source: .jumperOximetry,
      first: .init(saturation: 98, pulseRate: 66)
    ) { moment in
      [
        JumperOximetry(wave: [0x10, 0x20, 0x30, 0x28, 0x18]).payload,
        JumperOximetry(
          saturation: moment.saturation, pulseRate: moment.pulseRate, perfusionTenths: 28
        ).payload,
      ]
    })

  /// A Berry BM1000C: a stream of packets that do not align with notifications.
  package static let bm1000 = live(
    id: "bm1000c", summary: "Berry BM1000C: a stream of BCI packets; composed.",
    peripheralID: 10305, name: "BerryMed", advertised: [.berryPackets],
    VirtualLiveOximeter.Model(
      services: [service(.berryPackets, .notify)], source: .berryPackets,
      period: .milliseconds(200), first: .init(saturation: 97, pulseRate: 173)
    ) { moment in
      let packet = BerryPacket(
        saturation: moment.saturation, pulseRate: moment.pulseRate, pleth: 64)
      return [[UInt8]](repeating: packet.payload, count: 4).flatMap { $0 }.cut(into: 13)
    })

  /// The ChoiceMMed MD300C228: sends values after a start command.
  package static let md300C228 = live(
    id: "md300c228", summary: "ChoiceMMed MD300C228: needs a start command; composed frames.",
    peripheralID: 25, name: "iChoice", advertised: [],
    VirtualLiveOximeter.Model(
      services: [
        VirtualService(
          Self.choiceMMedService,
          ["CD01", "CD02", "CD03", "CD04"].map { VirtualCharacteristic($0, .notify) } + [
            VirtualCharacteristic("CD20", .write)
          ])
      ], source: GATTAttribute(Self.choiceMMedService, "CD04"),
      startCommand: .init(
        GATTAttribute(Self.choiceMMedService, "CD20"), ChoiceMMedOximetry.greeting),
      first: .init(saturation: 97, pulseRate: 70)
    ) { moment in
      [
        ChoiceMMedOximetry(
          saturation: moment.saturation ?? 0, pulseRate: moment.pulseRate ?? 0
        ).payload
      ]
    })

  /// A JKS50F: frames of 69 bytes over several notifications.
  package static let jks50f = live(
    id: "jks50f", summary: "JKS50F: live values in long frames; values of a public test.",
    peripheralID: 10307, name: "OXIMETER", advertised: [],
    VirtualLiveOximeter.Model(
      services: [service(.jks50fFrames, [.notify, .writeWithoutResponse])],
      source: .jks50fFrames, first: .init(saturation: 100, pulseRate: 80)
    ) { moment in
      JKS50FFrame(
        saturation: moment.saturation, pulseRate: moment.pulseRate, perfusionHundredths: 550
      ).payload.cut(into: 20)
    })

  /// An FS20F.
  package static let fs20f = live(
    id: "fs20f", summary: "FS20F: live values; composed frames.",
    peripheralID: 10308, name: "VTM 20F", advertised: [],
    VirtualLiveOximeter.Model(
      services: [service(.fs20fOximetry, .notify)], source: .fs20fOximetry,
      first: .init(saturation: 96, pulseRate: 75)
    ) { moment in
      [
        FS20FOximetry(
          saturation: moment.saturation ?? 0, pulseRate: UInt16(moment.pulseRate ?? 0),
          perfusionThousandths: 1200
        ).payload
      ]
    })

  /// Ends with the last five bytes of the device's address, as real units do.
  private static let choiceMMedService = "BA11F08C-5F14-0B0D-1080-007CBE238851"

  private static func service(
    _ source: GATTAttribute, _ properties: VirtualCharacteristic.Properties,
    extra: (GATTAttribute, VirtualCharacteristic.Properties)? = nil
  ) -> VirtualService {
    VirtualService(
      source.service,
      [VirtualCharacteristic(source.characteristic, properties)]
        + (extra.map { [VirtualCharacteristic($0.0.characteristic, $0.1)] } ?? []))
  }

  private static func live(
    id: String, summary: String, peripheralID: Int, name: String, advertised: [GATTAttribute],
    _ model: VirtualLiveOximeter.Model
  ) -> VirtualDeviceModel {
    VirtualDeviceModel(
      id: id, summary: summary, peripheralID: peripheralID, advertisedName: name,
      advertisedServices: advertised.map(\.service), readingCount: 1
    ) { _ in VirtualLiveOximeter(model) }
  }
}

extension GATTAttribute {
  /// The characteristic of the Nordic UART service that receives bytes.
  fileprivate static let nordicUARTInput = GATTAttribute(
    pc60Frames.service, "6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
}

extension [UInt8] {
  /// The bytes in pieces of a maximum size, as a link with small packets carries them.
  func cut(into size: Int) -> [[UInt8]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
