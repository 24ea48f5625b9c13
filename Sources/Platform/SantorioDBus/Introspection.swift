// SPDX-License-Identifier: Apache-2.0

/// An object's description (D-Bus Specification, "Introspection Data Format").
///
/// Arguments of methods are left out: callers know them from the interface's specification.
struct Introspection {
  var interfaces: [DBusInterface]
  var isRoot: Bool
  var children: [Substring]

  var text: String {
    var lines = [
      "<!DOCTYPE node PUBLIC \"-//freedesktop//DTD D-BUS Object Introspection 1.0//EN\"",
      " \"http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd\">",
      "<node>",
    ]
    for interface in interfaces.sorted(by: { $0.name < $1.name }) { lines += describe(interface) }
    lines += Self.everywhere
    if isRoot { lines += Self.objectManager }
    lines += children.map { " <node name=\"\($0)\"/>" }
    lines.append("</node>")
    return lines.joined(separator: "\n") + "\n"
  }

  private func describe(_ interface: DBusInterface) -> [String] {
    var lines = [" <interface name=\"\(interface.name)\">"]
    lines += interface.methods.keys.sorted().map { "  <method name=\"\($0)\"/>" }
    for (name, value) in interface.properties.sorted(by: { $0.key < $1.key }) {
      lines.append("  <property name=\"\(name)\" type=\"\(value.signature)\" access=\"read\"/>")
    }
    return lines + [" </interface>"]
  }

  private static let everywhere = """
     <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect"><arg name="data" type="s" direction="out"/></method>
     </interface>
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
       <arg name="interface" type="s" direction="in"/>
       <arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface" type="s"/>
       <arg name="changed" type="a{sv}"/>
       <arg name="invalidated" type="as"/>
      </signal>
     </interface>
    """.split(separator: "\n").map(String.init)

  private static let objectManager = """
     <interface name="org.freedesktop.DBus.ObjectManager">
      <method name="GetManagedObjects">
       <arg name="objects" type="a{oa{sa{sv}}}" direction="out"/>
      </method>
      <signal name="InterfacesAdded">
       <arg name="object" type="o"/>
       <arg name="interfaces" type="a{sa{sv}}"/>
      </signal>
      <signal name="InterfacesRemoved">
       <arg name="object" type="o"/>
       <arg name="interfaces" type="as"/>
      </signal>
     </interface>
    """.split(separator: "\n").map(String.init)
}
