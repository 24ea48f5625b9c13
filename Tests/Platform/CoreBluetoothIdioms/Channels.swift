// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

final class ChannelClient: NSObject, CBPeripheralDelegate, StreamDelegate {
  private var channel: CBL2CAPChannel?

  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)
  {
    guard let channel else { return }
    self.channel = channel
    channel.inputStream.delegate = self
    channel.inputStream.schedule(in: .main, forMode: .default)
    channel.inputStream.open()
    channel.outputStream?.open()
    let number: UInt16 = channel.psm
    print(channel.peer.identifier, number)
  }

  func open(_ peripheral: CBPeripheral, _ psm: CBL2CAPPSM) { peripheral.openL2CAPChannel(psm) }
}
