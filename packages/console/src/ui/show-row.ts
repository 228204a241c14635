/** Scrolls the row of a link into sight within the list that holds it. The page moves only where the list does not scroll by itself. */
export function showRow(link: Element | null): void {
  const row = link?.closest('li, tr') ?? link;
  const pane = row?.closest('.list-pane');
  if (row === null || pane === null || pane === undefined) return;
  if (getComputedStyle(pane).position !== 'sticky') {
    row.scrollIntoView({ block: 'nearest' });
    return;
  }
  const { top, bottom } = row.getBoundingClientRect();
  const box = pane.getBoundingClientRect();
  if (top < box.top) pane.scrollTop += top - box.top;
  else if (bottom > box.bottom) pane.scrollTop += bottom - box.bottom;
}
