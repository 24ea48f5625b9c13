// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import HealthRecords
import SantorioCore

/// An image that belongs to a record, and the server's identifier and address of it.
#if canImport(ObjectiveC)
  @objc(VLDMedia) @objcMembers
#endif
public final class VLDMedia: VLDModel {
  /// The server's identifier of the image; nil until it was uploaded.
  public var mediaID: String?
  /// The server's address of the image; nil until it was uploaded.
  public var mediaURL: String?
  /// What the record says about the image.
  package var content: RecordMedia?

  package convenience init(_ media: RecordMedia) {
    self.init()
    mediaID = media.id
    mediaURL = media.url.map(Self.absolute)
    content = media
  }

  /// The whole address: Santorio's server gives the path.
  private static func absolute(_ address: String) -> String {
    let server = VLDSession.sharedInstance().destination?.endpoint
    return URL(string: address, relativeTo: server)?.absoluteString ?? address
  }

  /// The address of the image with the token of the session's user, as the parameter `token`.
  ///
  /// A token in an address ends up in logs and caches. Where the server takes a header, as
  /// Santorio's does, send the token as `Authorization: Bearer` with ``mediaURL`` instead. Nil when
  /// there is no address, no user, or the address is not that of the session's server: a token
  /// goes nowhere else.
  ///
  /// - Returns: The address.
  public func authenticatedURL() -> URL? {
    guard let mediaURL, let url = URL(string: mediaURL),
      let user = VLDSession.sharedInstance().user, !user.accessToken.isEmpty,
      VLDSession.sharedInstance().isServer(of: url),
      var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    else { return nil }
    let queryItems = components.queryItems ?? []
    components.queryItems = queryItems + [URLQueryItem(name: "token", value: user.accessToken)]
    return components.url
  }

  // MARK: - Archives

  /// Makes media that are not uploaded yet.
  public override init() { super.init() }

  /// True: an archive is read with the class that it names only.
  public override class var supportsSecureCoding: Bool { true }

  /// Reads media from an archive.
  ///
  /// - Parameter coder: The archive.
  public required init?(coder: NSCoder) {
    super.init(coder: coder)
    mediaID = coder.text(forKey: "mediaID")
    mediaURL = coder.text(forKey: "mediaURL")
    if let digest = coder.text(forKey: "sha256"), let type = coder.text(forKey: "contentType") {
      content = RecordMedia(
        sha256: digest, contentType: type, byteCount: coder.decodeInteger(forKey: "byteCount"),
        id: mediaID, url: mediaURL)
    }
  }

  /// Writes the media to an archive.
  ///
  /// - Parameter coder: The archive.
  public override func encode(with coder: NSCoder) {
    coder.encode(mediaID as NSString?, forKey: "mediaID")
    coder.encode(mediaURL as NSString?, forKey: "mediaURL")
    guard let content else { return }
    coder.encode(content.sha256 as NSString, forKey: "sha256")
    coder.encode(content.contentType as NSString, forKey: "contentType")
    coder.encode(content.byteCount, forKey: "byteCount")
  }

  /// Makes a copy that changes independently.
  ///
  /// - Parameter zone: Ignored, as everywhere.
  /// - Returns: The copy.
  public override func copy(with zone: NSZone? = nil) -> Any {
    let copy = VLDMedia()
    (copy.mediaID, copy.mediaURL, copy.content) = (mediaID, mediaURL, content)
    return copy
  }
}
