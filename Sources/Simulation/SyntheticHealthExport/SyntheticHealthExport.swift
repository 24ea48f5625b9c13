// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An Apple Health export of a made-up life, and the truth about it.
///
/// Equal options make equal bytes. The document is written piece by piece, so that memory does not
/// grow with its size but for the truth, a few kilobytes a day.
///
/// ## Topics
///
/// ### What an export is like
///
/// - ``Options``
/// - ``Day``
///
/// ### What a reader must find
///
/// - ``Truth``
/// - ``DayTruth``
/// - ``TypeCount``
/// - ``Fault``
public struct SyntheticHealthExport: Sendable {
  /// What the export is like.
  public let options: Options
  private let plan: Plan

  /// How many days it has.
  public var dayCount: Int { plan.timeline.days.count }

  /// Checks the options, and finds the number of days for a size in bytes.
  ///
  /// - Parameter options: What the export is like.
  /// - Throws: ``SyntheticHealthExportError`` for an option with an impossible value.
  public init(_ options: Options) throws(SyntheticHealthExportError) {
    self.options = options
    plan = try Plan(options)
  }

  /// Writes the export as a phone does, unpacked, and the truth beside it.
  ///
  /// The folder gets `apple_health_export` with the document, `export_cda.xml`, `workout-routes` and
  /// `electrocardiograms`, and `truth.json`. Files that are there already are replaced.
  ///
  /// - Parameter folder: The path of a folder, which is created where it does not exist.
  /// - Returns: The truth.
  /// - Throws: ``SyntheticHealthExportError`` when a file cannot be written.
  @discardableResult
  public func write(to folder: String) throws(SyntheticHealthExportError) -> Truth {
    let export = folder + "/apple_health_export"
    let file = try OutputFile(export + "/" + options.documentName)
    let truth = try compose { bytes throws(SyntheticHealthExportError) in
      try file.write(Data(bytes))
    }
    try file.close()
    try writeAttachments(to: export, truth)
    try OutputFile.write(Data(truth.json), to: folder + "/truth.json")
    return truth
  }

  /// Writes the document alone.
  ///
  /// - Parameter sink: Called with the document piece by piece, each of about half a megabyte.
  /// - Returns: The truth.
  /// - Throws: What `sink` throws.
  public func writeDocument(
    _ sink: @escaping ([UInt8]) throws(SyntheticHealthExportError) -> Void
  ) throws(SyntheticHealthExportError) -> Truth {
    try compose(sink)
  }

  private func compose(_ sink: @escaping ByteSink) throws(SyntheticHealthExportError) -> Truth {
    var cutPosition: Int?
    if let cut = options.faults.cut {
      cutPosition = Int(Double(try plan.measure(options)) * cut)
    }
    return try Composer(options, plan, cutPosition: cutPosition, sink: sink).compose()
  }

  private func writeAttachments(
    to export: String, _ truth: Truth
  ) throws(SyntheticHealthExportError) {
    let life = Life(options, plan.timeline, density: plan.density)
    let paths = Set(truth.workouts.compactMap(\.route))
    for day in plan.timeline.days.suffix(45) {
      guard let exertion = life.exertion(day), exertion.hasRoute else { continue }
      let route = Route(life, day, exertion)
      guard paths.contains(route.path) else { continue }
      try OutputFile.write(Data(route.gpx.utf8), to: export + route.path)
    }
    for day in [plan.timeline.last - 9, plan.timeline.last - 2] where day >= plan.timeline.first {
      let table = Electrocardiogram(life, day)
      try OutputFile.write(
        Data(table.text.utf8), to: export + "/electrocardiograms/" + table.fileName)
    }
    let document = """
      <?xml version="1.0"?>
      <ClinicalDocument xmlns="urn:hl7-org:v3"><title>Health Data Export</title></ClinicalDocument>

      """
    try OutputFile.write(Data(document.utf8), to: export + "/export_cda.xml")
  }
}
