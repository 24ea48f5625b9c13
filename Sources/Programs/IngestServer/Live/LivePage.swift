// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import HealthRecords
import SantorioJSON
import SantorioCryptography

/// The live page: one document that loads nothing from other hosts.
enum LivePage {
  /// The page with the headers that restrict it to its own style, script and server.
  static let response = HTTPResponse(
    200, type: "text/html; charset=utf-8",
    headers: [
      (name: "Content-Security-Policy", value: policy),
      (name: "Referrer-Policy", value: "no-referrer"),
    ], body: .bytes(Array(document.utf8)))

  private static let policy = [
    "default-src 'none'", "connect-src 'self'", "img-src data:", "style-src \(hash(style))",
    "script-src \(hash(script))", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'none'",
  ].joined(separator: "; ")

  private static func hash(_ text: String) -> String {
    let digest = SHA256Digest.bytes(Array(text.utf8))
    return "'sha256-\(Data(digest).base64EncodedString())'"
  }

  /// The display names of the metric table, as JSON that is safe inside HTML.
  private static var metricNames: String {
    var json = JSONWriter()
    json.object { json in
      for row in MetricTable.rows {
        json.key(text: row.type.rawValue)
        json.string(row.displayName)
      }
    }
    return String(decoding: json.bytes, as: UTF8.self).replacing("<", with: "\\u003c")
  }

  /// What the values of metrics mean that are codes, by metric and code.
  private static var valueNames: String {
    var json = JSONWriter()
    json.object { json in
      for row in MetricTable.rows where !row.valueNames.isEmpty {
        json.key(text: row.type.rawValue)
        json.object { json in
          for (code, name) in row.valueNames.sorted(by: { $0.key < $1.key }) {
            json.key(text: "\(code)")
            json.string(name.replacing("_", with: " "))
          }
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  /// What may be found about a device: the words for it, and which finding it ends.
  private static var deviceStatuses: String {
    var json = JSONWriter()
    json.object { json in
      for finding in DeviceStatusFinding.allCases {
        json.key(text: finding.rawValue)
        json.object { json in
          json.optional("text", finding.displayName)
          json.optional("ended", finding.ended?.rawValue)
        }
      }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private static var document: String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Santorio: readings</title>
    <link rel="icon" href="data:,">
    <style>\(style)</style>
    </head>
    <body>
    \(markup)
    <script type="application/json" id="metrics">\(metricNames)</script>
    <script type="application/json" id="codes">\(valueNames)</script>
    <script type="application/json" id="statuses">\(deviceStatuses)</script>
    <script>\(script)</script>
    </body>
    </html>

    """
  }

  private static let markup = """
    <header>
      <h1>Santorio</h1>
      <p id="state" role="status" data-state="idle">Not connected</p>
    </header>
    <main>
      <form id="login" hidden>
        <h2>Administrator token</h2>
        <p>It is in the file admin-token of the server's folder, unless its operator keeps it elsewhere. It stays in this tab.</p>
        <p id="refusal" role="alert"></p>
        <label for="token">Token</label>
        <div class="field">
          <input id="token" type="password" autocomplete="off" spellcheck="false" required>
          <button>Connect</button>
        </div>
      </form>
      <div id="live" hidden>
        <dl id="totals" hidden>
          <div><dt>Records</dt><dd data-total="records">0</dd></div>
          <div><dt>Duplicates</dt><dd data-total="duplicates">0</dd></div>
          <div><dt>Revised</dt><dd data-total="revised">0</dd></div>
          <div><dt>Rejected</dt><dd data-total="rejected">0</dd></div>
        </dl>
        <nav class="jump" aria-label="Parts of the page">
          <a href="#patients">Patients</a> <a href="#arrivals">Arrivals</a>
        </nav>
        <div class="parts">
          <section id="patients" aria-labelledby="patients-title">
            <div class="bar">
              <h2 id="patients-title">Patients</h2>
              <p id="census" class="quiet" role="status"></p>
              <div id="tools" hidden>
                <label>Find <input id="find" type="search" autocomplete="off" spellcheck="false"></label>
                <label>Order
                  <select id="order">
                    <option value="name">by name</option>
                    <option value="notices">notices of devices first</option>
                    <option value="latest">latest reading first</option>
                    <option value="oldest">longest without a reading first</option>
                  </select>
                </label>
              </div>
            </div>
            <p id="reach" class="quiet" role="status"></p>
            <div id="cards"></div>
            <section id="without" class="patient" aria-labelledby="without-title" hidden>
              <h3 id="without-title">Without a reading in what is loaded</h3>
              <ul id="empty-patients"></ul>
            </section>
            <p id="zone" class="quiet"></p>
          </section>
          <section id="arrivals" aria-labelledby="arrivals-title" tabindex="0">
            <h2 id="arrivals-title">Arrivals</h2>
            <p id="empty">No reading yet. The next one appears here by itself.</p>
            <ol id="readings" aria-label="Readings, the newest first"></ol>
          </section>
        </div>
      </div>
      <noscript><p>This page needs JavaScript.</p></noscript>
      <svg id="drawing" hidden></svg>
    </main>
    """
}
