// SPDX-License-Identifier: Apache-2.0

/// The address of an object, as descriptions print it.
func address(_ object: AnyObject) -> String {
  "0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
}

// Every NSObject of Objective-C can be an argument of a C format, as in `os_log("%@", peripheral)`.
#if !canImport(ObjectiveC)
  private func encoded(_ object: AnyObject) -> [Int] {
    [Int(bitPattern: Unmanaged.passUnretained(object).toOpaque())]
  }

  extension CBPeer: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }

  extension CBAttribute: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }

  extension CBManager: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }

  extension CBUUID: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }

  extension CBATTRequest: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }

  extension CBL2CAPChannel: CVarArg {
    /// The object's address.
    public var _cVarArgEncoding: [Int] { encoded(self) }
  }
#endif
