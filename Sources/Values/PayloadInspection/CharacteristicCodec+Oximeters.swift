// SPDX-License-Identifier: Apache-2.0

import HealthDevices
import HealthGATT

extension CharacteristicCodec {
  static let oximeters = [
    CharacteristicCodec("nonin-oximetry", "Nonin Oximetry Measurement", NoninOximetry.self),
    CharacteristicCodec("viatom-frame", "Viatom Frame", ViatomFrame.self),
    CharacteristicCodec("viatom-live17", "Viatom Live Reading", ViatomLiveReading.self),
    CharacteristicCodec("viatom-rt1b", "Viatom Live Reading with Curve", ViatomWaveReading.self),
    CharacteristicCodec("viatom-vld3-file", "Viatom Recording", ViatomRecording.self),
    CharacteristicCodec("oxyii-live", "O2Ring-S Live Reading", OxyIILiveReading.self),
    CharacteristicCodec("oxyii-file", "O2Ring-S Recording", OxyIIRecording.self),
    CharacteristicCodec("pc60fw-frame", "Viatom PC-60FW Frame", PC60Frame.self),
    CharacteristicCodec("jumper-oximetry", "Jumper Oximetry", JumperOximetry.self),
    CharacteristicCodec("berry-bci", "Berry BCI Packet", BerryPacket.self),
    CharacteristicCodec("po60-record", "Beurer PO60 Record", PO60Record.self),
    CharacteristicCodec("choicemmed-oximetry", "ChoiceMMed Oximetry", ChoiceMMedOximetry.self),
    CharacteristicCodec("jks50f-frame", "JKS50F Frame", JKS50FFrame.self),
    CharacteristicCodec("fs20f-oximetry", "FS20F Oximetry", FS20FOximetry.self),
  ]
}
