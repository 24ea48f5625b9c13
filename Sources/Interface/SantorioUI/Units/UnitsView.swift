// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  import ClinicalUnits
  public import SwiftUI

  /// Lets a person choose units.
  @MainActor public struct UnitsView: View {
    @StateObject private var model: UnitsModel
    @Environment(\.santorioTexts) private var texts

    /// A screen of units.
    ///
    /// - Parameter model: What is shown.
    public init(_ model: @autoclosure @escaping () -> UnitsModel) {
      _model = StateObject(wrappedValue: model())
    }

    /// The screen.
    public var body: some View {
      let units = model.state.units
      List {
        picker(.glucoseUnit, units.chosenGlucose, units.usualGlucose) { model.choose(glucose: $0) }
        picker(.massUnit, units.chosenMass, units.usualMass) { model.choose(mass: $0) }
        picker(.temperatureUnit, units.chosenTemperature, units.usualTemperature) {
          model.choose(temperature: $0)
        }
        picker(.pressureUnit, units.chosenPressure, .millimetersOfMercury) {
          model.choose(pressure: $0)
        }
      }
      .navigationTitle(Text(verbatim: texts(.unitsTitle)))
    }

    private func picker<Unit: ClinicalUnit>(
      _ title: TextKey, _ chosen: Unit?, _ usual: Unit, choose: @escaping (Unit?) -> Void
    ) -> some View {
      Picker(selection: Binding(get: { chosen }, set: choose)) {
        Words(Phrase(.unitOfRegion, .verbatim(usual.rawValue))).tag(Unit?.none)
        ForEach(Array(Unit.allCases), id: \.self) { unit in
          Text(verbatim: unit.rawValue).tag(Optional(unit))
        }
      } label: {
        Words(title)
      }
      .frame(minHeight: leastTapSize)
    }
  }
#endif
