// SPDX-License-Identifier: Apache-2.0

import CoreBluetoothSimulation
import Testing

@Suite struct `Errors` {
  private let object = NSError(domain: CBErrorDomain, code: 6)
  private let attributeObject = NSError(domain: CBATTErrorDomain, code: 0x80)

  @Test func `an object is cast to the error of its domain alone`() throws {
    let error: any Error = object

    #expect(error is CBError)
    #expect(!(error is CBATTError))
    #expect((error as? CBError)?.code == .connectionTimeout)
    #expect((error as? CBATTError) == nil)
    #expect((attributeObject as? CBATTError)?.code.rawValue == 0x80)
  }

  @Test func `an error is cast to an object and back`() {
    let error: any Error = CBError(.peripheralDisconnected, userInfo: ["key": 5])

    let object = error as NSError
    #expect(object.domain == "CBErrorDomain")
    #expect(object.code == 7)
    #expect(object.userInfo["key"] as? Int == 5)
    #expect((object as? CBError)?.code == .peripheralDisconnected)
    #expect(((error as Any) as? NSError)?.code == 7)
  }

  @Test func `both are caught by pattern`() {
    func name(_ error: any Error) -> String {
      do {
        throw error
      } catch CBError.connectionTimeout {
        return "timeout"
      } catch let error as CBATTError {
        return "attribute \(error.code.rawValue)"
      } catch {
        return "other"
      }
    }

    #expect(name(object) == "timeout")
    #expect(name(CBError(.connectionTimeout)) == "timeout")
    #expect(name(CBATTError(.invalidHandle)) == "attribute 1")
    #expect(name(attributeObject) == "attribute 128")
    #expect(name(NSError(domain: "Other", code: 6)) == "other")
  }

  @Test func `an optional error matches a pattern`() {
    let error: (any Error)? = object
    var isMatch = false
    if case CBError.connectionTimeout? = error { isMatch = true }
    #expect(isMatch)
  }

  @Test func `each ATT code from 0 to 255 has a case that keeps its number`() {
    for number in 0...255 {
      #expect(CBATTError.Code(rawValue: number)?.rawValue == number)
      #expect(CBError.Code(rawValue: number)?.rawValue == number)
    }
    #expect(CBATTError.Code(rawValue: 256) == nil)
    #expect(CBATTError.Code(rawValue: -1) == nil)
  }

  @Test func `the misspelled name and the correct one are the same code`() {
    #expect(CBError.Code.unknownDevice == .unkownDevice)
  }

  @Test func `codes without a name fall to the unknown default`() throws {
    func name(_ code: CBATTError.Code) -> String {
      switch code {
      case .insufficientResources: "resources"
      case .success, .invalidHandle, .readNotPermitted, .writeNotPermitted, .invalidPdu,
        .insufficientAuthentication, .requestNotSupported, .invalidOffset,
        .insufficientAuthorization, .prepareQueueFull, .attributeNotFound, .attributeNotLong,
        .insufficientEncryptionKeySize, .invalidAttributeValueLength, .unlikelyError,
        .insufficientEncryption, .unsupportedGroupType:
        "other"
      @unknown default: "unknown"
      }
    }

    #expect(name(.insufficientResources) == "resources")
    #expect(name(try #require(CBATTError.Code(rawValue: 0x12))) == "unknown")
    #expect(name(try #require(CBATTError.Code(rawValue: 0xFF))) == "unknown")
  }
}
