// SPDX-License-Identifier: Apache-2.0

extension LivePage {
  /// The card of each patient.
  static let cardScript = #"""
    // One card for each patient.
    // With many patients a card shows less before it is opened.
    const most = () => patients.size > 20 ? 3 : 5, cards = new Map(), waiting = new Set();
    const compare = new Intl.Collator('en', { numeric: true }).compare;

    function age(time) {
      const minutes = Math.floor((Date.now() - time) / 60000);
      if (minutes < -2) return 'in the future';
      if (minutes < 1) return 'just now';
      if (minutes < 60) return `${minutes} min ago`;
      return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h ago` : `${Math.floor(minutes / 1440)} days ago`;
    }

    const unbroken = text => text.replaceAll(' ', '\u00a0');
    const lowered = text => text.replace(/^[TY]/, letter => letter.toLowerCase());

    function moment(time, isDay) {
      const date = new Date(time), now = new Date();
      const distance = Math.round((new Date(now.toDateString()) - new Date(date.toDateString())) / day);
      const form = { day: 'numeric', month: 'short', ...date.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' } };
      const text = distance === 0 ? 'Today' : distance === 1 ? 'Yesterday' : date.toLocaleDateString('en-GB', form);
      return isDay ? text : text + ' ' + date.toLocaleTimeString('en-GB', { timeStyle: 'short' });
    }

    // Its text is set again as time passes, see tick().
    function instant(time, form, isDay) {
      const made = element('time', 'quiet');
      made.dateTime = new Date(time).toISOString();
      made.title = new Date(time).toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' });
      Object.assign(made.dataset, { time, form, ...isDay ? { isDay: '' } : {} });
      setInstant(made);
      return made;
    }

    function setInstant(made) {
      const time = Number(made.dataset.time), isDay = 'isDay' in made.dataset;
      const text = { since: unbroken('since ' + lowered(moment(time))), age: 'latest ' + age(time),
        received: `received ${lowered(moment(time))}, time unknown`,
        both: unbroken(moment(time, isDay)) + (isDay && age(time).endsWith(' h ago') ? '' : ' · ' + unbroken(age(time))) }[made.dataset.form];
      if (made.textContent !== text) made.textContent = text;
    }

    function markList(marks) {
      const list = element('ul', 'marks');
      list.append(...marks.map(mark => element('li', 'mark', mark)));
      return list;
    }

    // What was found about a record stands beside its first value only.
    function valueRow(row, told) {
      const { quantity, record } = row, line = element('tr'), head = element('th'), value = element('td', 'value');
      head.scope = 'row';
      head.append(element('span', 'name', quantity.name), instant(quantity.time, quantity.isUnknown ? 'received' : 'both', quantity.isDay));
      value.append(element('strong', '', quantity.shown.text));
      if (quantity.shown.unit) value.append(' ', element('small', '', quantity.shown.unit));
      if (quantity.shown.device) value.append(element('span', 'quiet', quantity.shown.device));
      const marks = quantity.marks.filter(mark => !told.has(record.arrival + mark));
      marks.forEach(mark => told.add(record.arrival + mark));
      if (marks.length) head.append(markList(marks));
      line.append(head, value, trend(row));
      return line;
    }

    function valueTable(list, caption, told) {
      const table = element('table'), head = element('thead', 'aside'), titles = element('tr'), body = element('tbody');
      for (const title of ['Quantity and time', 'Latest value', 'Last 4 weeks']) {
        const cell = element('th', '', title);
        cell.scope = 'col';
        titles.append(cell);
      }
      head.append(titles);
      body.append(...list.map(row => valueRow(row, told)));
      table.append(element('caption', 'aside', caption), head, body);
      return table;
    }

    function noticeList(list) {
      const made = element('ul', 'notices');
      made.append(...list.map(notice => {
        const item = element('li', 'notice'), sign = element('span', 'sign', '!');
        sign.ariaHidden = 'true';
        const text = element('div');
        text.append(element('strong', '', notice.text), instant(notice.since, 'since'));
        if (notice.message) text.append(element('span', 'quiet', notice.message));
        item.append(sign, text);
        return item;
      }));
      return made;
    }

    function heading(owner, latest) {
      const head = element('header'), title = element('h3', '', owner.name), side = element('div');
      title.id = 'patient-' + owner.id;
      side.append(element('span', 'quiet', owner.organization));
      head.append(title, side);
      if (latest) side.append(instant(latest, 'age'));
      return head;
    }

    function more(owner, list, told) {
      const part = element('details'), summary = element('summary', '', `${list.length} more quantities`);
      part.open = owner.isOpen;
      part.addEventListener('toggle', () => { owner.isOpen = part.open; });
      part.append(summary, valueTable(list, `More readings of ${owner.name}`, told));
      return part;
    }

    function fill(card, owner) {
      let list = rows(owner);
      if (trim(owner, list)) list = rows(owner);
      const told = new Set(), strange = [...owner.records.values()].filter(record => record.isOfUnknownUser).length;
      owner.latest = Math.max(0, ...list.map(row => row.quantity.time));
      owner.notices = notices(owner);
      owner.isEmpty = !list.length && !owner.notices.length && !strange;
      const hadFocus = document.activeElement?.tagName === 'SUMMARY' && card.contains(document.activeElement);
      const cut = list.length > most() + 1 ? most() : list.length;
      card.replaceChildren(heading(owner, owner.latest));
      if (owner.notices.length) card.append(noticeList(owner.notices));
      if (list.length) card.append(valueTable(list.slice(0, cut), `Latest readings of ${owner.name}`, told));
      if (cut < list.length) card.append(more(owner, list.slice(cut), told));
      if (!list.length) card.append(element('p', 'quiet', 'No reading in what is loaded.'));
      if (strange) card.append(element('p', 'quiet', `${strange === 1 ? '1 reading is' : strange + ' readings are'} of a person whom the device does not know, and not shown here.`));
      if (hadFocus) card.querySelector('summary')?.focus();
      if (owner.isFresh) {
        // An animation begins anew only where the class was gone for a moment.
        card.classList.remove('fresh');
        void card.offsetWidth;
        card.classList.add('fresh');
      }
      owner.isFresh = false;
    }

    function cardOf(owner) {
      let card = cards.get(owner.id);
      if (!card) {
        card = element('article', 'patient');
        card.setAttribute('aria-labelledby', 'patient-' + owner.id);
        cards.set(owner.id, card);
      }
      return card;
    }

    // Many arrivals make one change of the page.
    function renderSoon(owner) {
      if (waiting.size === 0) setTimeout(render, past === 'loading' ? 500 : 100);
      waiting.add(owner);
    }

    let size = 0;

    function render() {
      if (most() !== size) patients.forEach(owner => waiting.add(owner));
      size = most();
      for (const owner of waiting) {
        if (patients.has(owner.id)) {
          fill(cardOf(owner), owner);
        } else {
          cards.get(owner.id)?.remove();
          cards.delete(owner.id);
        }
      }
      waiting.clear();
      arrange();
    }

    const orders = {
      name: (a, b) => 0,
      latest: (a, b) => b.latest - a.latest,
      oldest: (a, b) => a.latest - b.latest,
      notices: (a, b) => b.notices.length - a.notices.length,
    };

    function arrange() {
      const wanted = byId('find').value.trim().toLowerCase(), place = byId('cards'), order = orders[byId('order').value];
      const known = [...patients.values()].filter(owner => cards.has(owner.id))
        .sort((a, b) => order(a, b) || compare(a.name, b.name) || compare(a.organization, b.organization));
      const matching = known.filter(owner => (owner.name + ' ' + owner.organization).toLowerCase().includes(wanted));
      known.forEach((owner, index) => {
        const card = cards.get(owner.id);
        card.hidden = owner.isEmpty || !matching.includes(owner);
        if (place.children[index] !== card) place.insertBefore(card, place.children[index] || null);
      });
      const empty = matching.filter(owner => owner.isEmpty);
      byId('without').hidden = empty.length === 0;
      byId('empty-patients').replaceChildren(...empty.map(owner => element('li', '', owner.name)));
      const noted = known.filter(owner => owner.notices.length).length;
      const census = (wanted ? `${matching.length} of ` : '') + (known.length === 1 ? '1 patient' : `${known.length} patients`)
        + (noted ? `, ${noted} with a notice of a device` : '');
      if (byId('census').textContent !== census) byId('census').textContent = census;
      byId('tools').hidden = known.length < 2;
    }

    // Ages change without arrivals; once an hour what is drawn moves on.
    let ticks = 0;

    function tick() {
      document.querySelectorAll('#cards time').forEach(setInstant);
      if (++ticks % 120 === 0) patients.forEach(renderSoon);
    }

    setInterval(tick, 30000);
    byId('find').addEventListener('input', arrange);
    byId('order').addEventListener('change', arrange);
    byId('zone').textContent = 'Times in ' + Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
    """#
}
