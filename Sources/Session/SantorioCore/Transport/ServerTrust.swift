// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
  import Foundation
  import HealthRecords
  import Security

  /// The decision about a server that shows its certificate.
  struct ServerTrust {
    /// The only trusted keys; nil to leave the decision to the system.
    let pinnedKeys: PinnedKeys?

    /// The answer of a URL session's delegate.
    func answer(
      _ challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
      let space = challenge.protectionSpace
      guard let pinnedKeys, space.authenticationMethod == NSURLAuthenticationMethodServerTrust
      else { return (.performDefaultHandling, nil) }
      guard let trust = space.serverTrust, unsafe SecTrustEvaluateWithError(trust, nil),
        let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate],
        let key = chain.first.flatMap(SecCertificateCopyKey), let info = Self.info(key),
        pinnedKeys.contains(SHA256Digest.bytes(info))
      else { return (.cancelAuthenticationChallenge, nil) }
      return (.useCredential, URLCredential(trust: trust))
    }

    private static func info(_ key: SecKey) -> [UInt8]? {
      guard let bytes = unsafe SecKeyCopyExternalRepresentation(key, nil) as Data?,
        let attributes = SecKeyCopyAttributes(key) as? [CFString: Any],
        let type = attributes[kSecAttrKeyType] as? String,
        let bits = attributes[kSecAttrKeySizeInBits] as? Int,
        let kind = kind(type, bits)
      else { return nil }
      return SubjectPublicKeyInfo.bytes(kind, key: Array(bytes))
    }

    private static func kind(_ type: String, _ bits: Int) -> SubjectPublicKeyInfo.Kind? {
      if type == kSecAttrKeyTypeRSA as String { return .rsa }
      guard type == kSecAttrKeyTypeECSECPrimeRandom as String else { return nil }
      return [256: .p256, 384: .p384][bits]
    }
  }
#endif
import SantorioCryptography
