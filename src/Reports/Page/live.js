// Takes over what has changed and leaves the rest as it is: what is focused, selected, opened, ticked or looked at
// closely stays so.
const kept = new Set(['open', 'checked', 'viewBox']);
const nameOf = node => {
  if (node.nodeType !== 1) return node.nodeName;
  const title = node.matches('.legend > li') ? node
    : node.querySelector(':scope > figcaption, :scope > summary, :scope > h2, :scope > table > caption');
  const text = title?.textContent ?? '';
  return node.nodeName + (node.nodeName === 'DETAILS' ? text.replace(/[\d,]+/g, '#') : text);
};
const update = (old, fresh) => {
  if (old.nodeType !== 1) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name, value } of fresh.attributes)
    if (!kept.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (!fresh.hasAttribute('class')) old.removeAttribute('class');
  const known = new Map();
  for (const child of old.childNodes) {
    if (child.dataset?.own !== undefined) continue;
    const name = nameOf(child);
    known.set(name, [...known.get(name) ?? [], child]);
  }
  const wanted = [...fresh.childNodes].map(child => {
    const same = known.get(nameOf(child))?.shift();
    if (same) update(same, child);
    return same ?? child;
  });
  for (const gone of [...known.values()].flat()) gone.remove();
  let place = old.firstChild;
  for (const child of wanted) {
    if (child === place) place = place.nextSibling;
    else old.insertBefore(child, place);
  }
};
const take = text => {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  document.title = fresh.title;
  update(document.querySelector('style'), fresh.querySelector('style'));
  update(document.querySelector('main'), fresh.querySelector('main'));
  for (const figure of document.querySelectorAll('.chart')) figure.refresh ? figure.refresh() : enliven(figure);
};
const events = new EventSource('events');
events.addEventListener('page', event => take(event.data));
events.addEventListener('end', event => {
  events.close();
  take(event.data);
});
events.addEventListener('error', () => {
  document.querySelector('.live').textContent = 'The run cannot be reached: this is what was seen of it last.';
});
