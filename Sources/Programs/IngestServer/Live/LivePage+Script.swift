// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  // Text reaches the document by textContent only.
  static let script = #"""
    'use strict';
    const byId = id => document.getElementById(id);
    const names = JSON.parse(byId('metrics').textContent);
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

    const readable = name => {
      const text = name.replaceAll('_', ' ');
      return text.charAt(0).toUpperCase() + text.slice(1);
    };
    const number = new Intl.NumberFormat('en', { maximumFractionDigits: 3, useGrouping: false });
    const units = { count: '' };

    function duration(seconds) {
      const minutes = Math.round(seconds / 60), hours = Math.floor(minutes / 60);
      return hours ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
    }

    // What a device shows where it has no number, and where a number is a bound.
    const signs = { above_range: 'HI', below_range: 'LO' };
    const bounds = { above: '> ', below: '< ' };

    // Where a device showed another unit or other digits, these stand beside the value.
    function single(metric) {
      const name = names[metric.type] || readable(metric.type);
      const device = metric.shown && `${metric.shown.value} ${metric.shown.unit} on the device`;
      if (typeof metric.value !== 'number') return { name, text: signs[metric.absent] || '-' };
      if (metric.bound) return { name, text: bounds[metric.bound] + number.format(metric.value),
        unit: units[metric.unit] ?? metric.unit, device };
      return metric.unit === 's' && metric.value >= 60
        ? { name, text: duration(metric.value) }
        : { name, text: number.format(metric.value), unit: units[metric.unit] ?? metric.unit, device };
    }

    // Of a series, the range and how many points it has.
    function series(metric) {
      const points = [...metric.data_points || [], ...metric.reading_log || []];
      let low = Infinity, high = -Infinity;
      for (const point of points) {
        if (typeof point.value !== 'number') continue;
        low = Math.min(low, point.value);
        high = Math.max(high, point.value);
      }
      const unit = units[metric.unit] ?? metric.unit;
      return {
        name: names[metric.type] || readable(metric.type),
        text: low > high ? signs[points.at(-1)?.absent] || '-' : low === high ? number.format(low) : number.format(low) + ' to ' + number.format(high),
        unit: (unit ? unit + ', ' : '') + points.length + (points.length === 1 ? ' point' : ' points'),
      };
    }

    // A list of {name, text, unit}; the two halves of a blood pressure are shown as one.
    function values(metrics) {
      const find = type => metrics.find(metric =>
        metric.type === type && typeof metric.value === 'number');
      const high = find('systolic'), low = find('diastolic');
      const paired = high && low && high.unit === low.unit;
      const list = paired ? [{ name: 'Blood pressure', unit: high.unit,
        text: number.format(high.value) + '/' + number.format(low.value) }] : [];
      for (const metric of metrics) {
        if (paired && (metric === high || metric === low)) continue;
        if (typeof metric.value === 'number' || metric.absent) list.push(single(metric));
        if (metric.data_points || metric.reading_log) list.push(series(metric));
      }
      return list;
    }

    const clocks = {
      device: 'by the device’s clock', device_corrected: 'by the device’s clock, corrected',
      received: 'when received', user: 'as entered',
    };

    function when(record) {
      const cell = element('div');
      const start = new Date(record.start_time);
      const detail = record.time || {};
      const isUnknown = detail.origin === 'received' && detail.device_time;
      if (isUnknown) cell.append(element('span', 'quiet warn', 'time unknown: the device shows ' + detail.device_time.replace('T', ' ')));
      const time = element('time', isUnknown ? 'quiet' : 'clock', (isUnknown ? 'received ' : '') + start.toLocaleTimeString('en-GB'));
      time.dateTime = record.start_time;
      cell.append(time, element('span', 'quiet', start.toLocaleDateString('en-GB', { dateStyle: 'medium' })));
      const end = new Date(record.end_time || record.start_time);
      if (end > start) cell.append(element('span', 'quiet', 'until ' + end.toLocaleTimeString('en-GB')));
      if (!isUnknown) cell.append(element('span', 'quiet', clocks[detail.origin] || 'clock unknown'));
      if (Math.abs(detail.clock_drift) >= 60) {
        const minutes = Math.round(Math.abs(detail.clock_drift) / 60);
        const side = detail.clock_drift > 0 ? 'ahead' : 'behind';
        cell.append(element('span', 'quiet warn', `device’s clock is ${minutes} min ${side}`));
      }
      return cell;
    }

    function who(event) {
      const cell = element('div');
      cell.append(element('span', 'who', event.uid), element('span', 'quiet', event.organization));
      const device = event.record.source.device || {};
      const name = [device.manufacturer, device.model].filter(Boolean).join(' ');
      cell.append(element('span', 'quiet', name || readable(event.record.source.type)));
      return cell;
    }

    const kinds = { cgm: 'Continuous glucose' };

    // The kind of a record and its subject; the kind is omitted for measurements.
    function title(record) {
      const step = record.granularity;
      const about = [record.name, record.category && readable(record.category), record.intensity,
        step && `every ${step.interval} ${step.unit}`].filter(Boolean).join(', ');
      if (record.type === 'measurement') return about;
      const kind = kinds[record.type] || readable(record.type);
      return about ? kind + ': ' + about : kind;
    }

    function marks(record) {
      const line = element('div', 'marks');
      if (record.entered_in_error) line.append(element('span', 'mark', 'entered in error'));
      for (const tag of record.tags || []) {
        if (tag.value === 'false') continue;
        const isFinding = tag.value === 'true';
        const text = readable(tag.name) + (isFinding ? '' : ': ' + tag.value.replaceAll('_', ' '));
        line.append(element('span', isFinding ? 'mark' : 'mark plain', text));
      }
      // Only the segments of a nutrition record have a known structure.
      const segments = record.type === 'nutrition' ? record.segments || [] : [];
      for (const segment of segments) {
        const food = (segment.food || []).map(food => food.name).join(', ');
        line.append(element('span', 'mark plain', segment.name + (food ? ': ' + food : '')));
      }
      const images = (record.media || []).length;
      if (images) line.append(element('span', 'mark plain', images === 1 ? '1 image' : `${images} images`));
      if (record.revision > 1) line.append(element('span', 'mark plain', `Revision ${record.revision}`));
      return line;
    }

    function what(record) {
      const cell = element('div'), list = element('dl', 'values'), about = title(record);
      if (about) cell.append(element('span', 'quiet', about));
      for (const value of values(record.metrics)) {
        const pair = element('div'), text = element('dd', '', value.text);
        if (value.unit) text.append(' ', element('small', '', value.unit));
        if (value.device) text.append(' ', element('small', '', value.device));
        pair.append(element('dt', '', value.name), text);
        list.append(pair);
      }
      cell.append(list);
      const line = marks(record);
      if (line.childElementCount) cell.append(line);
      return cell;
    }

    const current = new Map();

    function show(event, isFresh) {
      const item = element('li', isFresh ? 'fresh' : '');
      item.append(when(event.record), who(event), what(event.record));
      item.dataset.user = event.user;
      item.dataset.key = event.user + ' ' + event.record.id;
      const former = current.get(item.dataset.key);
      if (former) {
        former.classList.add('former');
        former.lastElementChild.append(element('span', 'quiet', 'Replaced by a later revision'));
      }
      current.set(item.dataset.key, item);
      const list = byId('readings');
      list.prepend(item);
      while (list.childElementCount > shown) {
        const oldest = list.lastElementChild;
        if (current.get(oldest.dataset.key) === oldest) current.delete(oldest.dataset.key);
        oldest.remove();
      }
      byId('empty').hidden = true;
    }

    // Removes all revisions of a deleted record, or everything of an erased user.
    function hide(isMeant) {
      const list = byId('readings');
      for (const item of [...list.children]) {
        if (!isMeant(item.dataset)) continue;
        current.delete(item.dataset.key);
        item.remove();
      }
      byId('empty').hidden = list.childElementCount > 0;
    }

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
    function handle(block, isFresh) {
      let type = 'message', id = null, data = [];
      for (const line of block.split('\n')) {
        if (line.startsWith('event: ')) type = line.slice(7);
        if (line.startsWith('id: ')) id = line.slice(4);
        if (line.startsWith('data: ')) data.push(line.slice(6));
      }
      if (data.length === 0) return;
      const content = JSON.parse(data.join('\n'));
      if (id !== null) last = id;
      if (type === 'record') show(content, isFresh);
      if (type === 'deleted') {
        const key = content.user + ' ' + content.id;
        hide(shown => shown.key === key);
      }
      if (type === 'erased') hide(shown => shown.user === content.user);
      if (type === 'totals') count(content);
    }

    async function read(body, alive) {
      const reader = body.pipeThrough(new TextDecoderStream()).getReader();
      const opened = Date.now();
      let text = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        alive();
        text += value;
        const blocks = text.split('\n\n');
        text = blocks.pop();
        for (const block of blocks) handle(block, Date.now() - opened > 1000);
      }
    }

    async function connect() {
      const control = new AbortController();
      let timer;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => control.abort(), silence);
      };
      alive();
      try {
        const headers = { Authorization: 'Bearer ' + token };
        if (last !== null) headers['Last-Event-ID'] = last;
        const url = last === null ? '/v1/events?recent=50' : '/v1/events';
        const answer = await fetch(url, { headers, signal: control.signal, cache: 'no-store' });
        if (answer.status === 401 || answer.status === 403) {
          return ask('The server does not accept this token.');
        }
        if (!answer.ok) throw new Error('status ' + answer.status);
        attempt = 0;
        sessionStorage.setItem('token', token);
        byId('login').hidden = true;
        byId('live').hidden = false;
        say('live', 'Live');
        await read(answer.body, alive);
      } catch (error) {
        // The connection is retried below.
      } finally {
        clearTimeout(timer);
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
