// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// What is known of each patient: the latest values, the points of the trends, the notices.
  static let patientScript = #"""
    // What is known of each patient, by the server's identifier of the user.
    const day = 86400000, span = 28 * day;
    const patients = new Map(), removed = new Map();
    const first = ['systolic', 'blood_glucose', 'pulse', 'spo2', 'body_temperature', 'body_weight'];
    const ranks = new Map([...new Set([...first, ...Object.keys(names)])].map((type, rank) => [type, rank]));

    function patient(id, uid, organization) {
      let found = patients.get(id);
      if (!found) {
        found = { id, name: uid || id, organization, records: new Map(), isOpen: false };
        patients.set(id, found);
        listUsers(organization);
      }
      return found;
    }

    // Events of the last weeks come after later ones, so the number of an arrival says which is newer.
    function learn(event, arrival, isFresh) {
      const key = event.user + ' ' + event.record.id;
      if (arrival < Math.max(removed.get(event.user) || 0, removed.get(key) || 0)) return;
      const owner = patient(event.user, event.uid, event.organization);
      if (owner.records.get(event.record.id)?.arrival > arrival) return;
      owner.records.set(event.record.id, { arrival, ...facts(event.record) });
      if (isFresh) owner.isFresh = true;
      renderSoon(owner);
    }

    function forget(event, arrival) {
      const owner = patients.get(event.user);
      removed.set(event.id === undefined ? event.user : event.user + ' ' + event.id, arrival);
      if (!owner) return;
      if (event.id === undefined) {
        for (const [id, record] of owner.records) if (record.arrival < arrival) owner.records.delete(id);
        if (owner.records.size === 0) patients.delete(owner.id);
      } else {
        owner.records.delete(event.id);
      }
      renderSoon(owner);
    }

    // What a patient's card needs of a record: what is no reading, or not of the patient, has no values.
    function facts(record) {
      const known = { time: Date.parse(record.start_time), quantities: [] };
      if (record.type === 'device_status') known.status = statusOf(record);
      if (!isReading(record) || record.entered_in_error) return known;
      if (tagged(record, 'user_unknown') === 'true') known.isOfUnknownUser = true;
      else known.quantities = quantities(record);
      return known;
    }

    function statusOf(record) {
      const device = record.source.device || {}, finding = tagged(record, 'device_status') || '';
      const name = deviceName(record) || 'A device';
      const ended = statuses[finding]?.ended || null;
      const battery = finding === 'low_battery' && typeof device.battery === 'number' ? `, ${device.battery}\u00a0%` : '';
      const message = record.extras?.message;
      return {
        key: (device.id || device.serial_number || name) + ' ' + (ended || finding), ended,
        told: Date.parse(record.time?.received || record.start_time), since: Date.parse(record.start_time),
        text: `${name}: ${statuses[finding]?.text || readable(finding).toLowerCase()}${battery}`,
        message: typeof message === 'string' ? message : '',
      };
    }

    function findings(record) {
      return (record.tags || []).filter(tag => tag.value === 'true' || tag.name === 'out_of_bounds_blood_glucose')
        .map(tag => readable(tag.name) + (tag.value === 'true' ? '' : ': ' + tag.value.replaceAll('_', ' ')));
    }

    // The quantities of a record, each with its latest value and the points of its trend.
    function quantities(record) {
      const start = Date.parse(record.start_time), isUnknown = timeIsUnknown(record), marks = findings(record);
      const isSingle = record.type === 'measurement' || record.type === 'cgm';
      const kind = isSingle ? '' : record.type === 'summary' && record.category || record.type;
      const doubtful = new Set((record.tags || []).filter(tag => tag.name === 'implausible').map(tag => tag.value));
      const isDay = Date.parse(record.end_time) - start > 20 * 3600000;
      const list = [];
      const add = (types, shown, unit, time, points) => {
        const isDoubtful = types.some(type => doubtful.has(type));
        list.push({
          key: [types.join('/'), unit, kind].join(' '), rank: (ranks.get(types[0]) ?? 999) + (isSingle ? 0 : 1000),
          name: shown.name + (kind ? ', ' + kind.replaceAll('_', ' ') : ''), shown, time, isUnknown, isDay, unit,
          marks: isDoubtful ? [...marks, 'Implausible'] : marks,
          points: isUnknown || isDoubtful ? [] : points.map(([time, ...values]) => ({ time, values, isMarked: marks.length > 0 })),
        });
      };
      const pair = pressure(record.metrics);
      if (pair) add(['systolic', 'diastolic'], pair.shown, pair.high.unit, start, [[start, pair.high.value, pair.low.value]]);
      for (const metric of record.metrics) {
        if (pair && (metric === pair.high || metric === pair.low)) continue;
        const isNumber = typeof metric.value === 'number';
        if (isNumber || metric.absent) add([metric.type], single(metric), metric.unit, start, isNumber ? [[start, metric.value]] : []);
        const points = [...metric.data_points || [], ...metric.reading_log || []]
          .map(point => ({ ...point, at: Date.parse(point.time) })).sort((a, b) => a.at - b.at);
        const latest = points.at(-1);
        if (!latest) continue;
        const shown = single({ type: metric.type, unit: metric.unit, value: latest.value, absent: latest.absent, bound: latest.bound });
        add([metric.type], shown, metric.unit, latest.at,
          points.filter(point => typeof point.value === 'number').map(point => [point.at, point.value]));
      }
      return list;
    }

    // The latest of each quantity, and what of the last weeks is drawn; what is older is dropped.
    function rows(owner) {
      const latest = new Map(), begin = Date.now() - span;
      for (const record of owner.records.values()) {
        for (const quantity of record.quantities) {
          const row = latest.get(quantity.key) || { quantity, record, points: [], isTrimmed: owner.isTrimmed };
          const newer = quantity.time - row.quantity.time || record.arrival - row.record.arrival;
          if (newer > 0) Object.assign(row, { quantity, record });
          row.points.push(...quantity.points.filter(point => point.time >= begin && point.time <= Date.now()));
          latest.set(quantity.key, row);
        }
      }
      const list = [...latest.values()], kept = new Set(list.map(row => row.record));
      for (const [id, record] of owner.records) {
        const isOld = record.time < begin && record.quantities.length > 0;
        if (isOld && !kept.has(record) && !record.quantities.some(one => one.time >= begin)) owner.records.delete(id);
      }
      for (const row of list) row.points.sort((a, b) => a.time - b.time);
      return list.sort((a, b) => a.quantity.rank - b.quantity.rank || a.quantity.name.localeCompare(b.quantity.name));
    }

    // The latest finding of each kind about each of the patient's devices, with its record.
    function latestStatuses(owner) {
      const latest = new Map();
      for (const record of owner.records.values()) {
        const { status, arrival } = record;
        if (!status) continue;
        const former = latest.get(status.key);
        if (!former || (status.told - former.status.told || arrival - former.arrival) > 0) latest.set(status.key, record);
      }
      return [...latest.values()];
    }

    // The findings about the patient's devices that have not ended.
    function notices(owner) {
      return latestStatuses(owner).map(one => one.status).filter(status => !status.ended)
        .sort((a, b) => b.since - a.since);
    }

    // A page that is open for weeks keeps so many records of a patient.
    const mostRecords = 1000;

    // Drops the oldest records beyond these, except those with the latest values and findings.
    function trim(owner, list) {
      // Not with each arrival, since the records have to be sorted.
      if (owner.records.size < 1.2 * mostRecords) return false;
      const kept = new Set([...list.map(row => row.record), ...latestStatuses(owner)]);
      const old = [...owner.records].filter(([, record]) => !kept.has(record)).sort((a, b) => a[1].time - b[1].time);
      old.slice(0, owner.records.size - mostRecords).forEach(([id]) => owner.records.delete(id));
      owner.isTrimmed = true;
      return true;
    }

    // All users of an organisation, so that a patient who has sent nothing lately is not overlooked.
    const organizations = new Set();

    async function listUsers(organization) {
      if (organizations.has(organization)) return;
      organizations.add(organization);
      const path = '/v1/organizations/' + encodeURIComponent(organization) + '/users?limit=1000';
      const headers = { Authorization: 'Bearer ' + token };
      try {
        for (let after = ''; after !== null;) {
          const answer = await fetch(path + after, { headers, cache: 'no-store' });
          if (!answer.ok) throw new Error('status ' + answer.status);
          const page = await answer.json();
          for (const user of page.users) {
            if (!removed.has(user.id)) renderSoon(patient(user.id, user.uid, organization));
          }
          after = page.next ? '&after=' + encodeURIComponent(page.next) : null;
        }
      } catch (error) {
        // Tried again with the next patient who sends something.
        organizations.delete(organization);
      }
    }
    """#
}
