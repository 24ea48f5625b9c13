// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The list of arrivals.
  static let arrivalScript = #"""
    const clocks = {
      device: 'by the device’s clock', device_corrected: 'by the device’s clock, corrected',
      received: 'when received', user: 'as entered',
    };

    function when(record) {
      const cell = element('div', 'when');
      const start = new Date(record.start_time);
      const detail = record.time || {};
      const isUnknown = timeIsUnknown(record);
      if (isUnknown) cell.append(element('span', 'quiet warn', 'time unknown: the device shows ' + detail.device_time.replace('T', ' ')));
      const time = element('time', isUnknown ? 'quiet' : 'clock', (isUnknown ? 'received ' : '') + start.toLocaleTimeString('en-GB'));
      time.dateTime = record.start_time;
      cell.append(time, element('span', 'quiet', start.toLocaleDateString('en-GB', { dateStyle: 'medium' })));
      const end = new Date(record.end_time || record.start_time);
      if (end > start) cell.append(element('span', 'quiet', 'until ' + end.toLocaleTimeString('en-GB')));
      if (!isUnknown) cell.append(element('span', 'quiet', record.type === 'device_status' ? 'when it began' : clocks[detail.origin] || 'clock unknown'));
      if (Math.abs(detail.clock_drift) >= 60) {
        const minutes = Math.round(Math.abs(detail.clock_drift) / 60);
        const side = detail.clock_drift > 0 ? 'ahead' : 'behind';
        cell.append(element('span', 'quiet warn', `device’s clock is ${minutes} min ${side}`));
      }
      return cell;
    }

    function who(event) {
      const cell = element('div', 'whose');
      cell.append(element('span', 'who', event.uid || event.user), element('span', 'quiet', event.organization));
      cell.append(element('span', 'quiet', deviceName(event.record) || readable(event.record.source.type)));
      return cell;
    }

    const kinds = {
      cgm: 'Continuous glucose', rejected_reading: 'No reading', device_status: 'No reading, but what its device’s state is',
    };

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
        if (tag.name === 'device_status') {
          line.append(element('span', statuses[tag.value]?.ended ? 'mark plain' : 'mark', statusText(tag.value)));
          continue;
        }
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
      const cell = element('div', 'what'), list = element('dl', 'values'), about = title(record);
      if (about) cell.append(element('span', 'quiet', about));
      for (const value of values(record.metrics)) {
        const pair = element('div'), text = element('dd', '', value.text);
        if (value.unit) text.append(' ', element('small', '', value.unit));
        if (value.device) text.append(' ', element('small', '', value.device));
        pair.append(element('dt', '', value.name), text);
        list.append(pair);
      }
      if (list.childElementCount) cell.append(list);
      if (!isReading(record) && typeof record.extras?.message === 'string') cell.append(element('div', '', record.extras.message));
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
    """#
}
