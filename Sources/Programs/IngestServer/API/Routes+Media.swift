// SPDX-License-Identifier: Apache-2.0

import HealthRecords
import SantorioJSON

extension Routes {
  func storeMedia(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"],
      let image = call.image
    else { return .answer(.internalError) }
    let date = now()
    let description: MediaDescription
    do throws(Refusal) {
      description = try call.describe(image)
    } catch {
      return .answer(error.response)
    }
    return .media { media throws(IngestError) in
      let outcome = try media.keep(
        image.partial, description, logID: logID, of: account, by: call.principal.caller, at: date)
      if case .refused(let state) = outcome { return .ended(state) }
      guard case .attached(let image, _, let isNew) = outcome else { return .unknownRecord(404) }
      return .json(isNew ? 201 : 200) { image.writeMembers(to: &$0, call) }
    }
  }

  func listMedia(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    return .query { store throws(IngestError) in
      guard let images = try store.media(of: account, logID: logID) else {
        return Route.Found(.unknownRecord(404))
      }
      return Route.Found(
        .json(200) { json in
          json.list("media", images) { json, image in
            json.object { image.writeMembers(to: &$0, call) }
          }
        })
    }
  }

  func readMedia(_ call: Call) -> Route.Work {
    guard let account = call.account, let logID = call.parameters["log_id"] else {
      return .answer(.internalError)
    }
    return .image { store, media throws(IngestError) in
      guard let images = try store.media(of: account, logID: logID) else {
        return Route.Found(.unknownRecord(404))
      }
      guard let image = images.first(where: { $0.description.digest == call.mediaDigest }),
        let file = try media.open(image.description.digest)
      else {
        return Route.Found(
          .failure(
            404,
            Fault("unknown_media", "the record has no image with this digest", path: "sha256")))
      }
      return Route.Found(
        .image(image.description, file),
        AuditNote("image.read", account.path) { $0.optional("image", Int(image.id)) })
    }
  }
}

extension Call {
  fileprivate var mediaDigest: MediaDigest? { parameters["sha256"].flatMap(MediaDigest.init(hex:)) }

  /// Checks that the received image has the type and digest that the request states.
  fileprivate func describe(
    _ image: ImageUpload.Received
  ) throws(Refusal) -> MediaDescription {
    guard let type = ImageType(of: image.head), type.rawValue == head.mediaType else {
      let message = "the body does not start like an image of the stated type"
      throw Refusal(.failure(422, Fault("type_mismatch", message, path: "Content-Type")))
    }
    let digest = image.partial.digest
    guard image.digest == digest.hex else {
      let message = "the SHA-256 of the body does not match the one in the path"
      throw Refusal(.failure(422, Fault("digest_mismatch", message, path: "sha256")))
    }
    return MediaDescription(digest: digest, type: type, size: image.size)
  }
}

extension StoredMedia {
  /// Writes the members of an image, as named in the API description.
  fileprivate func writeMembers(to json: inout JSONWriter, _ call: Call) {
    json.optional("id", String(id))
    json.optional("log_id", call.parameters["log_id"])
    json.optional("sha256", description.digest.hex)
    json.optional("content_type", description.type.rawValue)
    json.optional("size", description.size)
    json.optional("url", url(call))
  }

  private func url(_ call: Call) -> String {
    let segments = [
      "", "v1", "organizations", call.parameters["organization"] ?? "", "users",
      call.parameters["user"] ?? "", "records", call.parameters["log_id"] ?? "", "media",
      description.digest.hex,
    ]
    return segments.map(RequestHead.escape).joined(separator: "/")
  }
}

extension HTTPResponse {
  /// A response with an image, to be saved rather than displayed as a page.
  fileprivate static func image(_ image: MediaDescription, _ file: OpenImage) -> HTTPResponse {
    let name = "\(image.digest.hex).\(image.type.fileExtension)"
    return HTTPResponse(
      200, type: image.type.rawValue,
      headers: [(name: "Content-Disposition", value: "attachment; filename=\"\(name)\"")],
      body: .image(file))
  }
}
