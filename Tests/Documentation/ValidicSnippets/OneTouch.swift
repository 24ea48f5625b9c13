// SPDX-License-Identifier: Apache-2.0

import Foundation
import SantorioOneTouch
import ValidicCore
import ValidicOneTouch

// The code of Validic's guide "iOS Native SDK" on LifeScan's kit, which is not public: what the code
// uses of it is declared in OneTouchKit.swift.

/// "Using the convenience initializer".
enum OneTouchSnippets {
  static func read(_ device: OneTouchDevice, anchor: Int?) {
    device.getGlucoseRecords(anchor: anchor, filterType: nil) { (device, anchor, records, error) in
      if error != nil {
        // Changed: what names the device is cut off in the guide.
        // swift-format-ignore: NeverForceUnwrap
        NSLog(
          "getGlucoseRecords() for %@ received error: %@", device.meterSerialNumber,
          error!.localizedDescription)
        // Changed: closing braces, and whatever stood here, are cut off in the guide.
        return
      }
      var validicRecords = [VLDDiabetes]()
      records?.forEach({ (bloodGlucoseRecord) in
        // Changed: the variable is never changed; that it is appended is cut off in the guide.
        let validicDiabetesRecord = VLDDiabetes(record: bloodGlucoseRecord, device: device)
        validicRecords.append(validicDiabetesRecord)
      })
      // Changed: the call is cut off in the guide.
      VLDSession.sharedInstance().submitRecords(validicRecords)
    }
  }
}

/// "Passive Bluetooth".
// Changed: it is not public, as the kit's names are not here.
class VLDLifeScanPassiveDemo {
  // Changed: the guide does not declare these two.
  let deviceManager = OneTouchDeviceManager.shared
  var anchor: Int?

  init() {
    OneTouchDeviceManager.shared.autoClockSync = true
    // Changed: cut off in the guide.
    deviceManager.listener = self
  }

  var passiveRead: Bool = false {
    didSet {
      for device in deviceManager.devices where device.isPaired {
        passiveRead
          ? OneTouchDeviceManager.shared.connect(device)
          : OneTouchDeviceManager.shared.disconnect(device)
      }
    }
  }
}

extension VLDLifeScanPassiveDemo: OneTouchDeviceManagerListener {
  func onDeviceConnected(device: OneTouchDevice) {
    guard passiveRead else { return }
    if !device.isPaired { return }
    device.getGlucoseRecords(anchor: anchor, filterType: nil) { (device, anchor, records, error) in
      // Changed: the guide leaves the body to a comment.
      let validicRecords = (records ?? []).map { VLDDiabetes(record: $0, device: device) }
      VLDSession.sharedInstance().submitRecords(validicRecords)
      self.anchor = anchor ?? self.anchor
    }
  }

  func onDeviceDisconnected(device: OneTouchDevice) {
    if passiveRead {
      // Changed: the call is cut off in the guide.
      OneTouchDeviceManager.shared.connect(device)
    }
  }
}
