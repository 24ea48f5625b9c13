// SPDX-License-Identifier: Apache-2.0

// Prints the public declarations of a module that only Apple platforms have, from its sources: no
// Apple SDK is needed. It parses each file as for Linux, iOS and macOS, and prints what the latter
// have in addition.
//
//   usage: apple-interface FOLDER

import Foundation
import SwiftIfConfig
import SwiftParser
import SwiftSyntax

/// How `#if` is decided for a platform.
struct Platform: BuildConfiguration {
  let os: String

  private static let onLinuxOnly: Set = [
    "Glibc", "FoundationEssentials", "SantorioCurl", "SantorioRoutes", "SantorioSystemd",
  ]
  private static let onBoth: Set = ["Foundation", "Dispatch", "CoreBluetooth", "HealthKit"]
  private static let onMacOnly: Set = ["AppKit"]
  private static let notOnMac: Set = ["UIKit"]

  func canImport(importPath: [(TokenSyntax, String)], version: CanImportVersion) -> Bool {
    let name = importPath[0].1
    switch os {
    case "Linux": return Self.onLinuxOnly.union(Self.onBoth).contains(name)
    case "macOS": return !Self.onLinuxOnly.union(Self.notOnMac).contains(name)
    default: return !Self.onLinuxOnly.union(Self.onMacOnly).contains(name)
    }
  }

  func isActiveTargetOS(name: String) -> Bool { name == os }
  func isActiveTargetArchitecture(name: String) -> Bool { name == "arm64" }
  func isActiveTargetEnvironment(name: String) -> Bool { false }
  func isActiveTargetRuntime(name: String) -> Bool {
    name == (os == "Linux" ? "_Native" : "_ObjC")
  }
  func isActiveTargetPointerAuthentication(name: String) -> Bool { false }
  func isActiveTargetObjectFormat(name: String) -> Bool {
    name == (os == "Linux" ? "ELF" : "MachO")
  }
  func isCustomConditionSet(name: String) -> Bool { false }
  func hasFeature(name: String) -> Bool { true }
  func hasAttribute(name: String) -> Bool { true }
  var targetPointerBitWidth: Int { 64 }
  var targetAtomicBitWidths: [Int] { [8, 16, 32, 64] }
  var endianness: Endianness { .little }
  var languageVersion: VersionTuple { VersionTuple(6) }
  var compilerVersion: VersionTuple { VersionTuple(6) }
}

/// The public declarations among some, each on one line behind the names of the types around it.
///
/// - Parameters:
///   - declarations: The declarations.
///   - scope: The names of the types around them.
///   - isImplicit: Whether they are public without saying so.
/// - Returns: One line for each.
func publicLines(
  _ declarations: [DeclSyntax], in scope: [String] = [], isImplicit: Bool = false
) -> [String] {
  declarations.filter { !$0.is(ImportDeclSyntax.self) }.flatMap { declaration -> [String] in
    let modifiers =
      declaration.asProtocol((any WithModifiersSyntax).self)?.modifiers.map(\.name.text) ?? []
    let hides = modifiers.contains {
      ["package", "internal", "fileprivate", "private"].contains($0)
    }
    let isPublic = modifiers.contains { ["public", "open"].contains($0) } || isImplicit && !hides
    guard let group = declaration.asProtocol((any DeclGroupSyntax).self) else {
      return isPublic ? [line(declaration, in: scope)] : []
    }
    let isExtension = declaration.is(ExtensionDeclSyntax.self)
    guard isPublic || isExtension else { return [] }
    let hasLine = !isExtension || group.inheritanceClause != nil
    let areMembersImplicit = isExtension ? isPublic : declaration.is(ProtocolDeclSyntax.self)
    return (hasLine ? [line(group, in: scope)] : [])
      + publicLines(
        group.memberBlock.members.map(\.decl), in: scope + [name(of: group)],
        isImplicit: areMembersImplicit)
      + cases(of: declaration, in: scope)
  }
}

/// The cases of an enum, which are as public as the enum.
func cases(of declaration: DeclSyntax, in scope: [String]) -> [String] {
  guard let type = declaration.as(EnumDeclSyntax.self) else { return [] }
  return type.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
    .map { line($0, in: scope + [type.name.text]) }
}

func name(of group: any DeclGroupSyntax) -> String {
  group.asProtocol((any NamedDeclSyntax).self)?.name.text
    ?? group.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription ?? ""
}

/// A declaration without its body and comments.
func line(_ declaration: some SyntaxProtocol, in scope: [String]) -> String {
  let head = HeadOnly().rewrite(declaration)
  let text = head.description.split(whereSeparator: \.isNewline)
    .map { $0.trimmingCharacters(in: .whitespaces) }
    .filter { !$0.hasPrefix("//") && !$0.isEmpty }
    .joined(separator: " ")
  return scope.map { $0 + " > " }.joined() + text
}

/// Removes bodies, members and initial values.
final class HeadOnly: SyntaxRewriter {
  override func visit(_ node: CodeBlockSyntax) -> CodeBlockSyntax {
    CodeBlockSyntax(
      leftBrace: .leftBraceToken(presence: .missing), statements: [],
      rightBrace: .rightBraceToken(presence: .missing))
  }
  override func visit(_ node: MemberBlockSyntax) -> MemberBlockSyntax {
    MemberBlockSyntax(
      leftBrace: .leftBraceToken(presence: .missing), members: [],
      rightBrace: .rightBraceToken(presence: .missing))
  }
  override func visit(_ node: PatternBindingSyntax) -> PatternBindingSyntax {
    // Without a type the initial value gives it.
    node.with(\.accessorBlock, nil)
      .with(\.initializer, node.typeAnnotation == nil ? node.initializer : nil)
  }
}

/// The public declarations of a file on a platform.
func publicLines(of file: SourceFileSyntax, on os: String) -> [String] {
  guard
    let active = file.removingInactive(in: Platform(os: os)).result.as(SourceFileSyntax.self)
  else { return [] }
  return publicLines(active.statements.compactMap { $0.item.as(DeclSyntax.self) })
}

let folder = CommandLine.arguments[1]
let files = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
  .filter { $0.hasSuffix(".swift") }.sorted()
for name in files {
  let file = Parser.parse(source: try String(contentsOfFile: folder + "/" + name, encoding: .utf8))
  let onLinux = Set(publicLines(of: file, on: "Linux"))
  var printed: Set<String> = []
  for line in publicLines(of: file, on: "iOS") + publicLines(of: file, on: "macOS")
  where !onLinux.contains(line) && printed.insert(line).inserted {
    print(line)
  }
}
