// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// How values and their units are written.
  static let valueScript = #"""
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
      const meaning = codes[metric.type]?.[metric.value];
      if (meaning && metric.unit === 'code') return { name, text: meaning };
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

    // The two halves of a blood pressure and their form as one value; null where there is only one.
    function pressure(metrics) {
      const find = type => metrics.find(metric =>
        metric.type === type && typeof metric.value === 'number');
      const high = find('systolic'), low = find('diastolic');
      if (!high || !low || high.unit !== low.unit) return null;
      return { high, low, shown: { name: 'Blood pressure', unit: high.unit,
        text: number.format(high.value) + '/' + number.format(low.value) } };
    }

    // A list of {name, text, unit}; the two halves of a blood pressure are shown as one.
    function values(metrics) {
      const pair = pressure(metrics), list = pair ? [pair.shown] : [];
      for (const metric of metrics) {
        if (pair && (metric === pair.high || metric === pair.low)) continue;
        if (typeof metric.value === 'number' || metric.absent) list.push(single(metric));
        if (metric.data_points || metric.reading_log) list.push(series(metric));
      }
      return list;
    }

    function deviceName(record) {
      const device = record.source.device || {};
      return [device.manufacturer, device.model].filter(Boolean).join(' ');
    }

    const isReading = record => record.type !== 'rejected_reading' && record.type !== 'device_status';
    const timeIsUnknown = record => record.time?.origin === 'received' && !!record.time.device_time;
    const tagged = (record, name) => (record.tags || []).find(tag => tag.name === name)?.value;
    const statusText = name => readable(statuses[name]?.text || name);
    """#
}
