// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The drawing of a trend.
  static let trendScript = #"""
    // The course of a quantity over the last weeks, as a drawing of lines and points.
    const width = 104, edge = 4;

    function shape(tag, attributes) {
      // The namespace of the page's own drawing, so that no address stands in the script.
      const made = document.createElementNS(byId('drawing').namespaceURI, tag);
      for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
      return made;
    }

    // Many points are drawn as a band from the lowest to the highest of each half day.
    function band(points, x, y) {
      const steps = new Map();
      for (const { time, value } of points) {
        const step = Math.floor(2 * time / day), known = steps.get(step) || { low: value, high: value };
        steps.set(step, { low: Math.min(value, known.low), high: Math.max(value, known.high) });
      }
      const at = (step, value) => [x(Math.min(Date.now(), (step + .5) * day / 2)).toFixed(1), y(value).toFixed(1)].join(' ');
      const all = [...steps].sort((a, b) => a[0] - b[0]);
      return [...all.map(([step, { high }]) => at(step, high)), ...all.reverse().map(([step, { low }]) => at(step, low))];
    }

    function ranges(points) {
      return points[0].values.map((_, index) => points.reduce(
        ([low, high], point) => [Math.min(low, point.values[index]), Math.max(high, point.values[index])], [Infinity, -Infinity]));
    }

    // The time that the points of a row cover: less than four weeks if the page has dropped older ones.
    function period(row) {
      return row.isTrimmed ? unbroken('since ' + lowered(moment(row.points[0].time))) : 'in 4 weeks';
    }

    function trend(row) {
      const cell = element('td', 'trend'), points = row.points;
      if (points.length < 2) {
        cell.append(element('span', 'quiet', points.length ? 'one reading in 4 weeks' : 'none in 4 weeks'));
        return cell;
      }
      const now = Date.now(), limits = ranges(points), height = limits.length > 1 ? 52 : 34;
      const low = Math.min(...limits.map(limit => limit[0])), high = Math.max(...limits.map(limit => limit[1]));
      const x = time => edge + (width - 2 * edge) * (1 - (now - time) / span);
      const y = value => high === low ? height / 2 : edge + (height - 2 * edge) * (high - value) / (high - low);
      const unit = units[row.quantity.unit] ?? row.quantity.unit;
      const marked = points.filter(point => point.isMarked).length;
      const text = limits.map(([low, high]) => low === high ? number.format(low) : number.format(low) + '–' + number.format(high)).join(' / ');
      const drawing = shape('svg', {
        viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', class: 'drawing',
        'aria-label': `${points.length} readings ${period(row)}, ${text.replaceAll('–', ' to ')} ${unit}` + (marked ? `, ${marked} with a finding` : ''),
      });
      limits.forEach((_, index) => draw(drawing, points.map(point => ({ ...point, value: point.values[index] })), x, y, index));
      const label = element('span', 'quiet');
      text.split(' ').forEach(part => label.append(element('span', 'range', part), ' '));
      if (row.isTrimmed) label.append(element('span', 'range', period(row)));
      cell.append(drawing, label);
      return cell;
    }

    // A line is broken where nothing was measured for a week.
    function draw(drawing, points, x, y, index) {
      const place = point => [x(point.time).toFixed(1), y(point.value).toFixed(1)];
      if (points.length > 3 * width) {
        drawing.append(shape('path', { d: 'M' + band(points, x, y).join('L') + 'Z', class: 'band' }));
        points = points.slice(-1);
      }
      const path = points.map((point, at) => (at && point.time - points[at - 1].time < 7 * day ? 'L' : 'M') + place(point).join(' '));
      drawing.append(shape('path', { d: path.join(''), class: index ? 'line second' : 'line' }));
      points.forEach((point, at) => {
        const isLast = at === points.length - 1;
        if (!isLast && !point.isMarked && points.length > 40) return;
        const [cx, cy] = place(point);
        drawing.append(shape('circle', { cx, cy, r: isLast || point.isMarked ? 2.6 : 1.3, class: point.isMarked ? 'point marked' : 'point' }));
      });
    }
    """#
}
