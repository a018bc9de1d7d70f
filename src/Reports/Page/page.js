// Values under the pointer or the arrow keys, and a closer look at what is dragged over. The page needs none of it.
const enliven = figure => {
  const frame = figure.querySelector('.frame');
  if (!frame || !figure.querySelector('table[data-x]')?.dataset.x) return;
  let places, rows, heads;
  const read = () => {
    const table = figure.querySelector('table[data-x]');
    places = table.dataset.x.split(' ').map(Number);
    rows = table.tBodies[0].rows;
    heads = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
  };
  read();
  const svg = frame.querySelector('svg');
  const add = name => {
    const added = frame.appendChild(document.createElement(name));
    added.dataset.own = '';
    return added;
  };
  const cursor = add('div');
  const tip = add('output');
  let from = 0, until = 1000, top = 0, bottom = 1000, at = 0, down = null;
  cursor.className = 'cursor';
  tip.className = 'tip';
  cursor.hidden = tip.hidden = true;
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', figure.querySelector('figcaption').textContent
    + '. Arrow keys read its values; plus and minus, or dragging, look closer; Escape shows all.');
  const edges = [0, 100].map(left => {
    const label = add('span');
    label.className = 'edge';
    label.style.left = left + '%';
    label.hidden = true;
    return label;
  });
  const nearest = place => places.reduce(
    (best, one, i) => Math.abs(one - place) < Math.abs(places[best] - place) ? i : best, 0);
  const percent = place => (place - from) / (until - from) * 100;
  const placeOf = event => {
    const box = frame.getBoundingClientRect();
    return from + (event.clientX - box.left) / box.width * (until - from);
  };
  const isShown = line => figure.querySelector('.legend .s' + line)?.checked !== false;
  const show = index => {
    at = Math.max(0, Math.min(places.length - 1, index));
    const left = percent(places[at]);
    cursor.hidden = tip.hidden = left < 0 || left > 100;
    cursor.style.left = left + '%';
    tip.style.left = left > 50 ? 'auto' : left + '%';
    tip.style.right = left > 50 ? 100 - left + '%' : 'auto';
    tip.textContent = [...rows[at].cells].filter((cell, i) => cell.textContent && isShown(i - 1))
      .map(cell => heads[cell.cellIndex] + ': ' + cell.textContent).join('\n');
  };
  const look = (a, b) => {
    [from, until] = [a, b];
    svg.setAttribute('viewBox', `${a} ${top} ${b - a} ${bottom - top}`);
    const isClose = b - a < 1000, room = isClose ? 12 : 0;
    for (const label of frame.querySelectorAll('.x')) {
      const left = percent(+label.dataset.p);
      label.hidden = left < room || left > 100 - room;
      label.style.left = left + '%';
    }
    for (const [label, place] of [[edges[0], a], [edges[1], b]]) {
      label.hidden = !isClose;
      label.textContent = rows[nearest(place)].cells[0].textContent;
    }
  };
  // As high as what is shown: of lines that were hidden the axis knew nothing.
  const fit = () => {
    const reach = [...svg.querySelectorAll('.line')].filter((line, i) => isShown(i))
      .map(line => line.dataset.y.split(' ').map(Number));
    top = Math.min(0, ...reach.map(([high]) => high));
    bottom = Math.max(1000, ...reach.map(([, low]) => low));
    for (const label of frame.querySelectorAll('.y')) {
      const place = (bottom - label.dataset.p) / (bottom - top) * 100;
      label.hidden = place < -.1 || place > 100.1;
      label.style.bottom = place + '%';
    }
    look(from, until);
  };
  figure.addEventListener('change', fit);
  const zoom = by => {
    const width = Math.min(1000, (until - from) * by);
    const left = Math.max(0, Math.min(1000 - width, places[at] - width / 2));
    look(left, left + width);
    show(at);
  };
  frame.addEventListener('pointermove', event => show(nearest(placeOf(event))));
  frame.addEventListener('pointerleave', () => { cursor.hidden = tip.hidden = true; });
  frame.addEventListener('pointerdown', event => { down = placeOf(event); });
  frame.addEventListener('pointerup', event => {
    const up = placeOf(event);
    if (down !== null && Math.abs(up - down) > (until - from) / 50) look(Math.min(down, up), Math.max(down, up));
    down = null;
  });
  frame.addEventListener('dblclick', () => look(0, 1000));
  frame.addEventListener('keydown', event => {
    if (event.key === 'ArrowRight') show(at + 1);
    else if (event.key === 'ArrowLeft') show(at - 1);
    else if (event.key === '+') zoom(.5);
    else if (event.key === '-') zoom(2);
    else if (event.key === 'Escape') look(0, 1000);
    else return;
    event.preventDefault();
  });
  // Its numbers are new, and its axis may be: what was looked at closely is looked at closely still.
  figure.refresh = () => {
    read();
    fit();
    if (!tip.hidden) show(at);
  };
};
document.querySelectorAll('.chart').forEach(enliven);
