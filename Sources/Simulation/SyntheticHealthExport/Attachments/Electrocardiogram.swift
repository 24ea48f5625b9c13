// SPDX-License-Identifier: Apache-2.0

/// An electrocardiogram of 30 seconds at 512 values a second, as a table.
struct Electrocardiogram {
  let fileName: String
  let text: String

  init(_ life: Life, _ day: Int) {
    var random = life.random(.ecg, day)
    let date = SyntheticHealthExport.Day(daysSince1970: day).description
    fileName = "ecg_\(date).csv"
    var text = """
      Name,Sam Sample
      Date of Birth,"Feb 2, 1980"
      Recorded Date,\(date) 08:15:30 +0000
      Classification,Sinus Rhythm
      Symptoms,
      Software Version,2.0
      Device,"Watch6,2"
      Sample Rate,512 hertz


      Lead,Lead I
      Unit,µV


      """
    for index in 0..<15_360 {
      let phase = index % 430
      let beat = phase < 12 ? phase * 70 : phase < 24 ? (24 - phase) * 70 : 0
      text += "\(beat + random.number(-30...30)).\(random.number(100...999))\n"
    }
    self.text = text
  }
}
