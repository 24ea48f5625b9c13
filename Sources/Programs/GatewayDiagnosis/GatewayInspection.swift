// SPDX-License-Identifier: Apache-2.0

package import SantorioDBus

/// Gathers the facts about this machine; changes nothing on it.
package struct GatewayInspection: Sendable {
  /// The bus to query.
  package var bus = DBusAddress.system
  /// The root of the file system, for tests.
  package var root = ""
  /// The folder for readings, if one is to be checked.
  package var folder: String?

  package init() {}

  /// The facts; takes seconds at most unless bluetoothd hangs.
  package func facts() async -> GatewayFacts {
    var facts = GatewayFacts()
    let host = HostInspection(root: root)
    facts.kernel = host.kernel()
    facts.switches = host.switches()
    facts.caller = host.caller()
    facts.folder = folder.map(host.folder)
    facts.service.program = host.bluetoothd()
    if let program = facts.service.program {
      facts.service.version = await host.version(of: program)
    }
    await BusInspection(bus).inspect(&facts)
    return facts
  }
}
