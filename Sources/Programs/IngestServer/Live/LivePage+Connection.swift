// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The stream of events, and the arrivals before it.
  static let connectionScript = #"""
    // An organisation's administrator receives no totals.
    function count(totals) {
      byId('totals').hidden = false;
      for (const place of document.querySelectorAll('[data-total]')) {
        const total = totals[place.dataset.total];
        place.textContent = total.toLocaleString('en');
        place.classList.toggle('some', total > 0);
      }
    }

    // One block of lines of the stream; see the HTML standard, "Server-sent events".
    function parse(block) {
      let type = 'message', id = null, data = [];
      for (const line of block.split('\n')) {
        if (line.startsWith('event: ')) type = line.slice(7);
        if (line.startsWith('id: ')) id = line.slice(4);
        if (line.startsWith('data: ')) data.push(line.slice(6));
      }
      const content = data.length === 0 ? null : JSON.parse(data.join('\n'));
      return { type, id, content, isComment: block.startsWith(':') };
    }

    function handle({ type, id, content }, isFresh) {
      if (content === null) return;
      const arrival = Number(id);
      if (id !== null) {
        last = id;
        if (earliest === null) earliest = arrival;
      }
      if (type === 'record') {
        learn(content, arrival, isFresh);
        show(content, isFresh);
      }
      if (type === 'deleted' || type === 'erased') {
        forget(content, arrival);
        const key = content.user + ' ' + content.id;
        hide(shown => type === 'erased' ? shown.user === content.user : shown.key === key);
      }
      if (type === 'totals') count(content);
      if (earliest !== null) loadHistory();
    }

    // Gives each event to a function until that returns true or the stream ends.
    async function read(body, alive, take) {
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return false;
        alive();
        text += value;
        const blocks = text.split('\n\n');
        text = blocks.pop();
        for (const block of blocks) if (take(parse(block))) return true;
      }
    }

    function watchdog() {
      const control = new AbortController();
      let timer;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => control.abort(), silence);
      };
      alive();
      return { control, alive, stop: () => clearTimeout(timer) };
    }

    // The arrivals before those that the page begins with, for the trends. They are read like a stream
    // that was interrupted, up to the first arrival that is known, and then the stream is left.
    const depth = 20000;
    let earliest = null, past = 'none', oldest = Infinity;

    async function loadHistory() {
      if (past !== 'none') return;
      past = 'loading';
      byId('reach').textContent = 'Loading the last weeks …';
      const start = Math.max(0, earliest - 1 - depth), dog = watchdog();
      try {
        if (earliest > 1) {
          const headers = { Authorization: 'Bearer ' + token, 'Last-Event-ID': String(start) };
          const answer = await fetch('/v1/events', { headers, signal: dog.control.signal, cache: 'no-store' });
          if (!answer.ok) throw new Error('status ' + answer.status);
          const isWhole = await read(answer.body, dog.alive, event => takeEarlier(event));
          if (!isWhole) throw new Error('the stream has ended');
        }
        past = 'loaded';
        const isCut = start > 0 && oldest > Date.now() - span;
        byId('reach').textContent = isCut && oldest < Infinity ? 'Trends begin on ' + moment(oldest, true) + ': earlier readings are not loaded.' : '';
      } catch (error) {
        past = 'none';
        byId('reach').textContent = 'Earlier readings could not be loaded; they are tried again with the next arrival.';
      } finally {
        dog.stop();
        dog.control.abort();
      }
    }

    // A comment is sent only when there is nothing else to send.
    function takeEarlier({ type, id, content, isComment }) {
      if (id === null) return isComment;
      const arrival = Number(id);
      if (arrival >= earliest) return true;
      if (type === 'record') {
        learn(content, arrival);
        oldest = Math.min(oldest, Date.parse(content.record.created_at || content.record.start_time));
      } else {
        forget(content, arrival);
      }
      return false;
    }

    async function connect() {
      const dog = watchdog(), opened = Date.now();
      try {
        const headers = { Authorization: 'Bearer ' + token };
        if (last !== null) headers['Last-Event-ID'] = last;
        const url = last === null ? '/v1/events?recent=50' : '/v1/events';
        const answer = await fetch(url, { headers, signal: dog.control.signal, cache: 'no-store' });
        if (answer.status === 401 || answer.status === 403) {
          return ask('The server does not accept this token.');
        }
        if (!answer.ok) throw new Error('status ' + answer.status);
        attempt = 0;
        sessionStorage.setItem('token', token);
        byId('login').hidden = true;
        byId('live').hidden = false;
        say('live', 'Live');
        await read(answer.body, dog.alive, event => { handle(event, Date.now() - opened > 1000); });
      } catch (error) {
        // The connection is retried below.
      } finally {
        dog.stop();
      }
      if (token === null) return;
      const seconds = Math.min(15, 2 ** attempt++);
      say('lost', 'Connection lost, trying again');
      setTimeout(connect, seconds * 1000);
    }

    function begin(text) {
      token = text;
      say('idle', 'Connecting');
      connect();
    }

    byId('login').addEventListener('submit', event => {
      event.preventDefault();
      const text = byId('token').value.trim();
      byId('token').value = '';
      if (text) begin(text);
    });

    // The fragment is never sent to a server; it is removed from the address at once.
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given) history.replaceState(null, '', location.pathname);
    const known = given || sessionStorage.getItem('token');
    if (known) begin(known); else ask();
    """#
}
