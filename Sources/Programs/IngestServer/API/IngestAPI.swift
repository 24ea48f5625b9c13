// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// The ingest API: admits requests, and has the work of the admitted ones done.
struct IngestAPI: HTTPApplication {
  let router: Router
  let store: any RecordStore
  let commits: CommitQueue
  let queries: DispatchQueue
  let media: MediaQueue
  let events: EventHub
  let adminDigest: [UInt8]
  let log: @Sendable (String) -> Void

  func admit(_ head: RequestHead) -> Admission {
    guard let segments = head.segments else {
      return refuse("malformed path", 400, Fault("malformed_path", "the path has a bad escape"))
    }
    switch router.find(head.method, segments) {
    case .nothing:
      return refuse("unknown path", 404, Fault("unknown_path", "the server has no such path"))
    case .otherMethods(let methods):
      let allowed = methods.joined(separator: ", ")
      return refuse(
        "other method", 405, Fault("method_not_allowed", "this path takes \(allowed)"),
        headers: [(name: "Allow", value: allowed)])
    case .route(let route, let parameters): return admit(head, to: route, parameters)
    }
  }

  /// Writes a line; the status is 0 where the connection ended before the answer.
  func answered(_ label: String, status: Int, milliseconds: Int) {
    log("request \(label) status=\(status) ms=\(milliseconds)")
  }

  private func refuse(
    _ label: String, _ status: Int, _ fault: Fault, headers: [(name: String, value: String)] = []
  ) -> Admission {
    Admission(label: label, decision: .refuse(.failure(status, fault, headers: headers)))
  }

  private func admit(
    _ head: RequestHead, to route: Route, _ parameters: [String: String]
  ) -> Admission {
    let label = "\(route.method) \(route.template)"
    do throws(Refusal) {
      let account = try authorize(head, route.access, parameters)
      try checkForm(head, route)
      return Admission(
        label: label,
        decision: .accept(maximumBody: route.body?.maximum ?? 0) { octets in
          do throws(Refusal) {
            let body = try expand(octets, head, route)
            let call = Call(head: head, parameters: parameters, account: account, body: body)
            return answer(call, route)
          } catch {
            return .now(error.response)
          }
        })
    } catch {
      return Admission(label: label, decision: .refuse(error.response))
    }
  }

  private func answer(_ call: Call, _ route: Route) -> Answer {
    do throws(IngestError) {
      switch try route.handler(call) {
      case .answer(let response): return .now(response)
      case .change(let change, let respond):
        return .later { reply in
          commits.submit(change) { result in
            media.release(result.released) {
              reply.send(result.map(respond).unavailableOnFailure)
            }
          }
        }
      case .query(let query): return read { store, _ throws(IngestError) in try query(store) }
      case .image(let query): return read(query)
      case .media(let body):
        return .later { reply in
          media.submit { media in
            reply.send(Result { () throws(IngestError) in try body(media) }.unavailableOnFailure)
          }
        }
      case .events(let start): return .now(try events.response(from: start))
      }
    } catch {
      return .now(.unavailable(error.message))
    }
  }
}

extension IngestAPI {
  private func read(
    _ query: @escaping @Sendable (any RecordStore, MediaQueue) throws(IngestError) -> HTTPResponse
  ) -> Answer {
    .later { reply in
      queries.async { [store, media] in
        let result = Result { () throws(IngestError) in try query(store, media) }
        reply.send(result.unavailableOnFailure)
      }
    }
  }
}

extension Result<Change.Outcome, IngestError> {
  /// The images that a record no longer has.
  fileprivate var released: [MediaDigest] {
    guard case .success(.deleted(let media)) = self else { return [] }
    return media
  }
}

extension Result<HTTPResponse, IngestError> {
  fileprivate var unavailableOnFailure: HTTPResponse {
    switch self {
    case .success(let response): response
    case .failure(let error): .unavailable(error.message)
    }
  }
}
