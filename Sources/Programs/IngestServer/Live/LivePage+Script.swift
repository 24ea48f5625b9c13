// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The script: each part uses what the parts before it declare.
  static let script = [
    commonScript, valueScript, arrivalScript, patientScript, trendScript, cardScript,
    connectionScript,
  ].joined(separator: "\n")

  // Text reaches the document by textContent only.
  private static let commonScript = #"""
    'use strict';
    const byId = id => document.getElementById(id);
    const names = JSON.parse(byId('metrics').textContent);
    const codes = JSON.parse(byId('codes').textContent);
    const statuses = JSON.parse(byId('statuses').textContent);
    const shown = 500, silence = 45000;
    let token = null, last = null, attempt = 0;

    function element(tag, className, text) {
      const made = document.createElement(tag);
      if (className) made.className = className;
      if (text !== undefined) made.textContent = text;
      return made;
    }

    function say(state, text) {
      byId('state').dataset.state = state;
      byId('state').textContent = text;
    }

    function ask(refusal) {
      token = null;
      sessionStorage.removeItem('token');
      say('idle', 'Not connected');
      byId('refusal').textContent = refusal || '';
      byId('live').hidden = true;
      byId('login').hidden = false;
      byId('token').focus();
    }
    """#
}
