// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension VirtualDeviceModel {
  static let streamScales = [
    renphoMSC04, qnES26M, qnFFE0, hutbit, runstarR6, koogeekS1, etekcityESF551, pylePHLSCBT4,
    eufyC1,
    yunmaiMini,
  ]

  /// The Renpho R-MSC04: sends weights after a start command; its final frame is a captured one.
  package static let renphoMSC04 = VirtualDeviceModel(
    id: "renpho-msc04", summary: "Renpho R-MSC04: a stream of weights; plays a captured frame.",
    peripheralID: 10510, advertisedName: "R-MSC04", advertisedServices: ["1A10"], readingCount: 1
  ) { _ in
    let (live, final) = (GATTAttribute("1A10", "2A10"), GATTAttribute("1A10", "2A12"))
    let command = GATTAttribute("1A10", "2A11")
    return VirtualStreamScale(
      [.init(weight: 95.55, impedance: 0)],
      .init(
        services: [
          VirtualService(
            "1A10",
            [
              VirtualCharacteristic("2A10", .notify), VirtualCharacteristic("2A12", .indicate),
              VirtualCharacteristic("2A11", [.write, .writeWithoutResponse]),
            ])
        ], sources: [live, final], dialogue: [.init(command, RenphoFrame.start.payload)]
      ) { weighing in
        let (first, last) = (weighing.hundredths(rising: true), weighing.hundredths())
        let word = [UInt8(last >> 8), UInt8(last & 0xFF)]
        let rising = [UInt8(first >> 8), UInt8(first & 0xFF)]
        return [
          (live, RenphoFrame(0x21, [1, 0, 0] + rising).payload),
          (live, RenphoFrame(0x21, [1, 0, 0] + word).payload),
          (final, RenphoFrame(0x24, [1, 0x11, 0, 0] + word).payload),
          (final, RenphoFrame(0x24, [1, 0x11, 0, 0] + word).payload),
        ]
      })
  }

  /// The QN scale ES-26M (Renpho and others): requests unit, time and start; composed frames around
  /// a captured one.
  package static let qnES26M = VirtualDeviceModel(
    id: "qn-es26m", summary: "QN ES-26M (Renpho): three requests, then sends weights.",
    peripheralID: 10511, advertisedName: "QN-Scale", advertisedServices: ["FFF0"], readingCount: 1
  ) { _ in qn(GATTAttribute("FFF0", "FFF1"), GATTAttribute("FFF0", "FFF2")) }

  /// The same with the service of older QN scales; composed frames.
  package static let qnFFE0 = VirtualDeviceModel(
    id: "qn-ffe0", summary: "QN scale with the service FFE0: like the ES-26M.",
    peripheralID: 10511, advertisedName: "SEB-SCALE", advertisedServices: ["FFE0"],
    readingCount: 1
  ) { _ in qn(GATTAttribute("FFE0", "FFE1"), GATTAttribute("FFE0", "FFE3")) }

  private static func qn(_ notify: GATTAttribute, _ write: GATTAttribute) -> VirtualStreamScale {
    let information = [0xFF] + [UInt8](repeating: 0x11, count: 14)
    func exchange(_ opcode: QNFrame.Opcode, _ count: Int, then next: QNFrame?)
      -> VirtualStreamScale.Exchange
    {
      .init(write, answers: next.map { [$0.payload] } ?? []) { bytes in
        guard let frame = try? QNFrame(payload: bytes) else { return false }
        return frame.opcode == opcode && frame.content.count == count && frame.content[0] == 0
      }
    }
    return VirtualStreamScale(
      [.init(weight: 97.85, impedance: 501)],
      .init(
        services: [
          VirtualService(
            notify.service,
            [
              VirtualCharacteristic(notify.characteristic, .notify),
              VirtualCharacteristic(write.characteristic, [.write, .writeWithoutResponse]),
            ])
        ], sources: [notify], greeting: QNFrame(.information, information).payload,
        dialogue: [
          exchange(.configuration, 6, then: QNFrame(.ready, [0xFF, 0, 0, 1, 0, 0, 0, 0])),
          exchange(.time, 5, then: QNFrame(.configurationRequest, [0xFF, 1])),
          exchange(.start, 3, then: nil),
        ],
        frames: { weighing in
          func weight(_ state: UInt8, rising: Bool = false, _ ohms: UInt16) -> [UInt8] {
            QNWeight(
              scaleProtocol: 0xFF, state: state, weight: weighing.hundredths(rising: rising),
              resistance1: ohms, resistance2: ohms, prefix: 1, trailingBytes: [0x01, 0x34]
            ).payload
          }
          return [weight(0, rising: true, 0), weight(2, 0), weight(2, weighing.impedance)]
            .map { (notify, $0) }
        }, isExpected: { (try? QNFrame(payload: $0))?.opcode == .stop }))
  }

  /// The Hutbit scale: needs five commands, then sends a weight and the impedance after it.
  package static let hutbit = VirtualDeviceModel(
    id: "hutbit", summary: "Hutbit: needs five commands; sends weight and impedance.",
    peripheralID: 10512, advertisedName: "Hutbit Scale", advertisedServices: ["FFB0"],
    readingCount: 1
  ) { _ in
    let (live, command) = (GATTAttribute("FFB0", "FFB2"), GATTAttribute("FFB0", "FFB1"))
    // As captured.
    let requests: [[UInt8]] = [
      [0xAC, 0x02, 0xFA, 0x01, 0x00, 0x00, 0xCC, 0xC7],
      [0xAC, 0x02, 0xFB, 0x02, 0x1F, 0xA5, 0xCC, 0x8D],
      [0xAC, 0x02, 0xFD, 0xE2, 0x01, 0x01, 0xCC, 0xAD],
      [0xAC, 0x02, 0xFC, 0x01, 0x00, 0x00, 0xCC, 0xC9],
      [0xAC, 0x02, 0xFE, 0x06, 0x00, 0x00, 0xCC, 0xD0],
    ]
    return VirtualStreamScale(
      [.init(weight: 84.1, impedance: 518)],
      .init(
        services: [icomonService(hasResult: false)], sources: [live],
        dialogue: requests.map { .init(command, $0) }
      ) { weighing in
        [
          HutbitFrame(tenthsOfKilogram: weighing.tenths(rising: true), isSettled: false),
          HutbitFrame(tenthsOfKilogram: weighing.tenths(), isSettled: true),
          HutbitFrame(tenthsOfKilogram: weighing.tenths(), isSettled: true),
          HutbitFrame(ohms: weighing.impedance),
        ].map { (live, $0.payload) }
      })
  }

  /// The Runstar R6: live weights, then a result that must be acknowledged.
  package static let runstarR6 = VirtualDeviceModel(
    id: "runstar-r6", summary: "Runstar R6: live weights, then an acknowledged result.",
    peripheralID: 10513, advertisedName: "Runstar-R6", advertisedServices: ["FFB0"],
    readingCount: 1
  ) { _ in
    let (live, result) = (GATTAttribute("FFB0", "FFB2"), GATTAttribute("FFB0", "FFB3"))
    return VirtualStreamScale(
      [.init(weight: 77.25, impedance: 500)],
      .init(
        services: [icomonService(hasResult: true)], sources: [live, result],
        frames: { weighing in
          let ohms = [UInt8(weighing.impedance >> 8), UInt8(weighing.impedance & 0xFF)]
          return [
            (
              live,
              ICOMONFrame(sequence: 0, type: 0xA2, [1, 0] + weighing.grams(rising: true)).payload
            ),
            (live, ICOMONFrame(sequence: 1, type: 0xA2, [4, 0] + weighing.grams()).payload),
            (
              result,
              ICOMONFrame(sequence: 2, type: 0xA3, [0] + weighing.grams() + [72] + ohms).payload
            ),
          ]
        }, isExpected: { (try? ICOMONFrame(payload: $0))?.type == 0xB0 }))
  }

  private static func icomonService(hasResult: Bool) -> VirtualService {
    VirtualService(
      "FFB0",
      [
        VirtualCharacteristic("FFB1", [.write, .writeWithoutResponse]),
        VirtualCharacteristic("FFB2", .notify),
      ] + (hasResult ? [VirtualCharacteristic("FFB3", .indicate)] : []))
  }

  /// The Koogeek S1: starts after a handshake; plays captured frames.
  package static let koogeekS1 = VirtualDeviceModel(
    id: "koogeek-s1", summary: "Koogeek S1: needs a handshake, then sends weights.",
    peripheralID: 10514, advertisedName: "Koogeek-S1", advertisedServices: ["FFF0"],
    readingCount: 1
  ) { _ in
    let (weight, answer) = (GATTAttribute("FFF0", "FFF4"), GATTAttribute("FFF0", "FFF3"))
    // As captured.
    let greeting: [UInt8] = [
      0x55, 0xAA, 0x55, 0xAA, 0x01, 0x0D, 0x01, 0x01, 0x01, 0x16, 0x26, 0x01, 0x73, 0x55, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x1A,
    ]
    return VirtualStreamScale(
      [.init(weight: 78.3, impedance: 470)],
      .init(
        services: [
          VirtualService(
            "FFF0",
            [
              VirtualCharacteristic("FFF3", .writeWithoutResponse),
              VirtualCharacteristic("FFF4", .notify),
            ])
        ], sources: [weight], greeting: greeting,
        dialogue: [.init(answer, [0x55, 0xAA, 0x55, 0xAA, 0x81, 0x01, 0x01, 0x81])]
      ) { weighing in
        var live = KoogeekMeasurement(weight: weighing.tenths(rising: true), impedance: 0).payload
        live[4] = KoogeekFrame.Command.live
        live[live.count - 1] ^= KoogeekFrame.Command.live ^ KoogeekFrame.Command.settled
        return [
          (weight, live),
          (weight, KoogeekMeasurement(weight: weighing.tenths(), impedance: 0).payload),
          (
            weight,
            KoogeekMeasurement(weight: weighing.tenths(), impedance: weighing.impedance).payload
          ),
        ]
      })
  }

  /// The Etekcity ESF-551: a stream of weights, the impedance with the last of them; composed
  /// frames.
  package static let etekcityESF551 = VirtualDeviceModel(
    id: "etekcity-esf551", summary: "Etekcity ESF-551: a stream of weights, then the impedance.",
    peripheralID: 10515, advertisedName: "Etekcity Smart Fitness Scale",
    advertisedServices: ["FFF0"], readingCount: 1
  ) { _ in
    let weight = GATTAttribute("FFF0", "FFF1")
    return VirtualStreamScale(
      [.init(weight: 80.55, impedance: 500)],
      .init(
        services: [VirtualService("FFF0", [VirtualCharacteristic("FFF1", .notify)])],
        sources: [weight]
      ) { weighing in
        let (first, last) = (weighing.hundredths(rising: true), weighing.hundredths())
        return [
          EtekcityWeight(grams: UInt32(first) * 10, ohms: nil, isSettled: false),
          EtekcityWeight(grams: UInt32(last) * 10, ohms: nil, isSettled: true),
          EtekcityWeight(grams: UInt32(last) * 10, ohms: weighing.impedance, isSettled: true),
        ].map { (weight, $0.payload) }
      })
  }

  /// The Pyle PHLSCBT4: composed frames, since no capture is public.
  package static let pylePHLSCBT4 = VirtualDeviceModel(
    id: "pyle-phlscbt4", summary: "Pyle PHLSCBT4: a stream of weights.",
    peripheralID: 11, advertisedName: "Samico Scales", advertisedServices: ["FFF0"],
    readingCount: 1
  ) { _ in
    let weight = GATTAttribute("FFF0", "FFF4")
    return VirtualStreamScale(
      [.init(weight: 78.5, impedance: 0)],
      .init(
        services: [VirtualService("FFF0", [VirtualCharacteristic("FFF4", .notify)])],
        sources: [weight]
      ) { weighing in
        [
          SamicoWeight(tenthsOfKilogram: weighing.tenths(rising: true), isSettled: false),
          SamicoWeight(tenthsOfKilogram: weighing.tenths(), isSettled: true),
          SamicoWeight(tenthsOfKilogram: weighing.tenths(), isSettled: true),
        ].map { (weight, $0.payload) }
      })
  }

  /// The Eufy C1 (1byone): a stored weighing, then one of this moment; composed frames.
  package static let eufyC1 = VirtualDeviceModel(
    id: "eufy-c1", summary: "Eufy C1 (1byone): a stored weighing, then a live one.",
    peripheralID: 10517, advertisedName: "eufy T9146", advertisedServices: ["FFF0"],
    readingCount: 2
  ) { _ in
    let (weight, command) = (GATTAttribute("FFF0", "FFF4"), GATTAttribute("FFF0", "FFF1"))
    let stored = OneByoneMeasurement(
      weight: 7040, tenthsOfOhm: 5010,
      time: LocalDateTime(year: 2026, month: 3, day: 28, hour: 7, minute: 30, second: 0))
    return VirtualStreamScale(
      [.init(weight: 70.25, impedance: 499)],
      .init(
        services: [
          VirtualService(
            "FFF0",
            [
              VirtualCharacteristic("FFF1", [.write, .writeWithoutResponse]),
              VirtualCharacteristic("FFF4", .notify),
            ])
        ], sources: [weight],
        dialogue: [
          .init(command) { $0.starts(with: [0xFD, 0x37]) && $0.reduce(0, ^) == 0 },
          .init(command, answers: [[0xF1, 0x00]]) { $0.first == 0xF1 && $0.count == 8 },
          .init(command, answers: [stored.payload, [0xF2, 0x00]]) { $0 == [0xF2, 0x00] },
        ]
      ) { weighing in
        [
          OneByoneMeasurement(weight: weighing.hundredths(rising: true), tenthsOfOhm: nil),
          OneByoneMeasurement(weight: weighing.hundredths(), tenthsOfOhm: nil),
          OneByoneMeasurement(
            weight: weighing.hundredths(), tenthsOfOhm: weighing.impedance * 10),
        ].map { (weight, $0.payload) }
      })
  }

  /// The Yunmai Mini: needs time and start, sends a weighing with its time; composed frames.
  package static let yunmaiMini = VirtualDeviceModel(
    id: "yunmai-mini", summary: "Yunmai Mini: sends a weighing with body fat.",
    peripheralID: 10518, advertisedName: "YUNMAI-ISM", advertisedServices: ["FFE0"],
    readingCount: 1
  ) { _ in
    let (weight, command) = (GATTAttribute("FFE0", "FFE4"), GATTAttribute("FFE5", "FFE9"))
    return VirtualStreamScale(
      [.init(weight: 77.2, impedance: 500)],
      .init(
        services: [
          VirtualService("FFE0", [VirtualCharacteristic("FFE4", .notify)]),
          VirtualService("FFE5", [VirtualCharacteristic("FFE9", [.write, .writeWithoutResponse])]),
        ], sources: [weight],
        dialogue: [
          .init(command) {
            $0.count == 13 && $0.starts(with: [0x0D, 0x0D, 0x11])
              && $0.dropFirst().reduce(0, ^) == 0
          },
          .init(command, [0x0D, 0x05, 0x13, 0x00, 0x16]),
        ]
      ) { weighing in
        func words(_ values: [UInt16]) -> [UInt8] {
          values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        }
        let head: [UInt8] = [0, 0x69, 0xC9, 0x14, 0x40, 0, 0, 0, 1]
        let tail = words([weighing.hundredths(), weighing.impedance, 2230])
        let measurement = YunmaiFrame(version: 0x1E, type: 2, head + tail).payload
        return [
          (weight, YunmaiFrame(version: 0x1E, type: 1, head + words([7570])).payload),
          (weight, measurement), (weight, measurement),
        ]
      })
  }
}
