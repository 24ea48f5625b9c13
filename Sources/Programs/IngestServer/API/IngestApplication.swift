// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials

/// The ingest API: admits requests and submits the admitted ones to the work pool.
struct IngestApplication: HTTPApplication {
  let router: Router
  let store: any RecordStore
  let commits: CommitQueue
  let pool: WorkPool
  let media: MediaQueue
  let events: LiveEventHub
  let quotas: ClientQuotas
  let adminDigest: [UInt8]
  let now: @Sendable () -> Date
  let log: @Sendable (String) -> Void

  func admit(_ head: RequestHead) -> Admission {
    guard let segments = head.segments else {
      return refuse(
        head, "malformed path", 400, Fault("malformed_path", "the path has an invalid escape"))
    }
    switch router.find(head.method, segments) {
    case .nothing:
      return refuse(head, "unknown path", 404, Fault("unknown_path", "the path does not exist"))
    case .otherMethods(let methods):
      let allowed = methods.joined(separator: ", ")
      return refuse(
        head, "other method", 405, Fault("method_not_allowed", "this path allows \(allowed)"),
        headers: [(name: "Allow", value: allowed)])
    case .route(let route, let parameters): return admit(head, to: route, parameters)
    }
  }

  /// Writes a log line; the status is 0 if the connection ended before the response.
  func answered(_ label: String, status: Int, milliseconds: Int) {
    log("request \(label) status=\(status) ms=\(milliseconds)")
  }

  private func refuse(
    _ head: RequestHead, _ label: String, _ status: Int, _ fault: Fault,
    headers: [(name: String, value: String)] = []
  ) -> Admission {
    refuse(head, label, Refusal(.failure(status, fault, headers: headers)))
  }

  /// Refuses an unauthorised request and counts it for its address.
  private func refuse(_ head: RequestHead, _ label: String, _ refusal: Refusal) -> Admission {
    do throws(Shortage) {
      try quotas.refuse(head.clientAddress)
      return Admission(label: label, decision: .refuse(refusal.response))
    } catch {
      return Admission(label: label, decision: .refuse(error.response))
    }
  }

  private func admit(
    _ head: RequestHead, to route: Route, _ parameters: [String: String]
  ) -> Admission {
    let label = "\(route.method) \(route.template)"
    let principal: Principal
    do throws(Refusal) {
      principal = try authorize(head, route.access, parameters)
    } catch {
      return refuse(head, label, error)
    }
    do throws(Refusal) {
      let lease = try lease(for: principal.client)
      try checkForm(head, route)
      let upload = route.body == .image ? try upload(head, parameters, principal.client) : nil
      let request = AdmittedRequest(
        head: head, route: route, parameters: parameters, principal: principal, lease: lease,
        upload: upload)
      return Admission(label: label, decision: .accept(acceptance(of: request)))
    } catch {
      return Admission(label: label, decision: .refuse(error.response))
    }
  }

  private func lease(for client: ClientKey) throws(Refusal) -> RequestLease {
    do throws(Shortage) {
      return try quotas.admit(client)
    } catch {
      throw Refusal(error.response)
    }
  }

  /// The upload that takes an image as it arrives.
  private func upload(
    _ head: RequestHead, _ parameters: [String: String], _ client: ClientKey
  ) throws(Refusal) -> ImageUpload {
    guard let digest = parameters["sha256"].flatMap(MediaDigest.init(hex:)) else {
      let message = "must be 64 lowercase hexadecimal digits"
      throw Refusal(.failure(400, Fault("invalid_value", message, path: "sha256")))
    }
    return ImageUpload(
      digest, isGzip: head.isGzip, maximum: Route.Body.image.maximum, to: media, by: client,
      on: pool)
  }

  private func acceptance(of request: AdmittedRequest) -> Acceptance {
    Acceptance(
      maximumBody: request.route.body?.maximum ?? 0, lease: request.lease, sink: request.upload
    ) { bytes in
      .later { reply in
        RequestWork(bytes, of: request, api: self, reply: reply).submit(to: pool)
      }
    }
  }
}
