// SPDX-License-Identifier: Apache-2.0

package import HealthGATT
import HealthRecords

/// What the first A&D UC-352BLE sends in A&D's own weight scale service (23434101): the layout of
/// Weight Measurement (2A9D) with steps of 0.1 kg or 0.1 lb.
///
/// ```
/// // 02  5603  EA07 05 04 07 1E 00
/// // FL  WGHT  YEAR MO DA HH MM SS
/// ```
///
/// Source: andengineering/AndroidSampleCode (A&D's own sample), handling of
/// AndCustomWeightScaleMeasurement. The frame above is composed after it.
package struct AAndDWeightMeasurement: CharacteristicValue {
  /// The fields as Weight Measurement has them; weights have other steps here.
  package let layout: WeightMeasurement

  package init(_ layout: WeightMeasurement) { self.layout = layout }

  package init(from reader: inout PayloadReader) throws(PayloadError) {
    layout = try WeightMeasurement(from: &reader)
  }

  package func encode(to writer: inout PayloadWriter) { layout.encode(to: &writer) }

  /// The weight; nil when the scale could not measure.
  package var weight: Mass? {
    layout.isUnsuccessful ? nil : Mass(Double(layout.rawWeight) / 10, layout.units.massUnit)
  }

  /// What the scale shows of it.
  var shown: ShownValue? {
    ShownValue(steps: layout.rawWeight, exponent: -1, layout.units.massUnit)
  }
}
