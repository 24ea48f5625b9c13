// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import SantorioDBus
import Testing

@Suite struct `D-Bus value` {
  @Test(arguments: [
    (DBusValue.bytes(Data([1, 2])), "ay"),
    (.array([.uint16(1)], of: "q"), "aq"),
    (.array([], of: "(sa{sv})"), "a(sa{sv})"),
    (.structure([.byte(1), .string("a"), .variant(.boolean(true))]), "(ysv)"),
    (.dictionary([:], key: "o", value: "a{sa{sv}}"), "a{oa{sa{sv}}}"),
    (.variant(.int64(7)), "v"),
    (.properties(["Powered": .boolean(true)]), "a{sv}"),
    (.strings([]), "as"),
  ])
  func `has a signature`(value: DBusValue, signature: String) {
    #expect(value.signature == signature)
  }

  @Test func `looks through variants`() {
    #expect(DBusValue.variant(.variant(.string("a"))).string == "a")
    #expect(DBusValue.objectPath("/a").string == "/a")
    #expect(DBusValue.signature("s").string == nil)
    #expect(DBusValue.variant(.boolean(true)).bool == true)
    #expect(DBusValue.int16(-3).int == -3)
    #expect(DBusValue.uint64(.max).int == nil)
    #expect(DBusValue.double(1).int == nil)
    #expect(DBusValue.variant(.bytes(Data([7]))).data == Data([7]))
    #expect(DBusValue.array([.objectPath("/a")], of: "o").strings == ["/a"])
    #expect(DBusValue.array([.byte(1)], of: "(y)").strings == nil)
    #expect(DBusValue.variant(.array([.int32(1)], of: "i")).array == [.int32(1)])
  }

  @Test func `takes variants off properties and puts them on`() {
    let properties = DBusValue.properties(["A": .uint16(23), "B": .strings(["x"])])
    #expect(
      properties
        == .dictionary(
          [
            .string("A"): .variant(.uint16(23)),
            .string("B"): .variant(.array([.string("x")], of: "s")),
          ], key: "s", value: "v"))
    #expect(properties.properties == ["A": .uint16(23), "B": .strings(["x"])])
    #expect(DBusValue.dictionary([:], key: "s", value: "s").properties == nil)
  }
}
