// SPDX-License-Identifier: Apache-2.0

import CoreBluetooth

func attempt(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "done"
  } catch CBError.connectionTimeout {
    return "timeout"
  } catch CBATTError.insufficientAuthentication {
    return "pairing"
  } catch let error as CBError where error.code == .peripheralDisconnected {
    return "gone"
  } catch let error as CBATTError {
    return error.localizedDescription
  } catch {
    return "\(error)"
  }
}
