// SPDX-License-Identifier: Apache-2.0

import SantorioJSON

/// One entry of a Bundle.
struct FHIREntry {
  let resource: Resource
  let context: FHIRContext

  /// What is stored.
  enum Resource {
    /// An Observation, and whether it takes the place of what the server has.
    case observation(FHIRObservation, replaces: Bool)
    /// An Observation of a deleted record, which takes the place of what the server has.
    case deletion(FHIRDeletion)
    case device(FHIRDevice)
    case gateway(PHDGateway)
    case clock(PHDClock)
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.optional("fullUrl", identity.fullURL)
      json.key("resource")
      writeResource(to: &json)
      json.key("request")
      json.object { json in
        json.optional("method", replaces ? "PUT" : "POST")
        json.optional("url", replaces ? "\(identity.type)?\(identity.condition)" : identity.type)
        if !replaces { json.optional("ifNoneExist", identity.condition) }
      }
    }
  }

  private func writeResource(to json: inout JSONWriter) {
    switch resource {
    case .observation(let observation, _): observation.write(to: &json, in: context)
    case .deletion(let deletion): deletion.write(to: &json, in: context)
    case .device(let device): device.write(to: &json, in: context)
    case .gateway(let gateway): gateway.write(to: &json)
    case .clock(let clock): clock.write(to: &json, in: context)
    }
  }

  /// By what the server has the resource once.
  var identity: FHIRIdentity {
    switch resource {
    case .observation(let observation, _): observation.identity(of: context.subject)
    case .deletion(let deletion): deletion.identity(of: context.subject)
    case .device(let device): device.identity ?? FHIRIdentity(type: "Device", system: "", value: "")
    case .gateway(let gateway): gateway.identity
    case .clock(let clock): clock.identity
    }
  }

  private var replaces: Bool {
    switch resource {
    case .observation(_, let replaces): replaces
    case .deletion: true
    default: false
    }
  }
}
