const blocks = new Set(['DIV', 'P', 'LI', 'TR', 'H1', 'H2', 'H3', 'DT', 'DD', 'PRE', 'SECTION']);

/** Makes copying give stored texts as they are stored: the drawn codes become the characters that they stand for. */
export function copyStoredText(event: ClipboardEvent): void {
  const selection = getSelection();
  if (selection === null || selection.rangeCount === 0 || event.clipboardData === null) return;
  const fragment = selection.getRangeAt(0).cloneContents();
  if (fragment.querySelector('[data-raw]') === null) return;
  event.clipboardData.setData('text/plain', textOf(fragment));
  event.preventDefault();
}

function textOf(node: Node): string {
  let text = '';
  for (const child of node.childNodes) {
    if (child instanceof HTMLElement) {
      const raw = child.dataset['raw'];
      text += raw ?? textOf(child);
      if (raw === undefined && blocks.has(child.tagName) && !text.endsWith('\n')) text += '\n';
    } else text += child.textContent ?? '';
  }
  return text;
}
