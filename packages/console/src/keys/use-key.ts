import { useLayoutEffect, useRef } from 'preact/hooks';
import { preferences } from '../ui/preferences.ts';
import { type KeyAction, type KeyRow, keyTable } from './table.ts';

type Handler = () => void;

const handlers = new Map<KeyAction, Handler[]>();
const chordMs = 1_500;
let chordEnds = 0;

/** Does `handler` at the key of an action while the component is drawn and `isActive`. The component drawn last wins. */
export function useKey(action: KeyAction, handler: Handler, isActive = true): void {
  const current = useRef(handler);
  current.current = handler;
  useLayoutEffect(() => {
    if (!isActive) return undefined;
    const run: Handler = () => current.current();
    handlers.set(action, [...(handlers.get(action) ?? []), run]);
    return () =>
      handlers.set(
        action,
        (handlers.get(action) ?? []).filter((one) => one !== run),
      );
  }, [action, isActive]);
}

/** Finds and runs what a key does. Letters act only outside of fields, menus and dialogs. */
function handleKey(event: KeyboardEvent): void {
  if (event.repeat || event.isComposing || event.defaultPrevented) return;
  const isInField = event.target instanceof Element && event.target.closest(fields) !== null;
  const pressed = pressedKey(event);
  const isSecond = performance.now() < chordEnds;
  chordEnds = 0;
  if (pressed === 'g' && !isInField && preferences.value.letters) {
    chordEnds = performance.now() + chordMs;
    return;
  }
  const handler = handlerOf(isSecond ? `g ${pressed}` : pressed, event, isInField);
  if (handler === undefined) return;
  event.preventDefault();
  handler();
}

/** What is drawn and does something at this key. */
function handlerOf(pressed: string, event: KeyboardEvent, isInField: boolean): Handler | undefined {
  const isOff = isInField || !preferences.value.letters;
  for (const [action, row] of Object.entries(keyTable) as [KeyAction, KeyRow][]) {
    if (!row.keys.includes(pressed) || (row.isLetter && isOff)) continue;
    const handler = handlers.get(action)?.at(-1);
    if (handler !== undefined && !isLeftToElement(event, action)) return handler;
  }
  return undefined;
}

const fields =
  'input, textarea, select, [contenteditable], dialog, [role="menu"], [role="listbox"], [popover]';

/** Enter acts on the focused control, and Escape closes what is open on top, before the page sees them. */
function isLeftToElement({ target, key }: KeyboardEvent, action: KeyAction): boolean {
  if (action === 'confirm' || !(target instanceof Element)) return false;
  if (key === 'Enter') return target.closest('a, button, summary, input, textarea, select, dialog') !== null;
  return key === 'Escape' && target.closest('dialog, [popover]') !== null;
}

function pressedKey({ key, ctrlKey, metaKey, altKey, code }: KeyboardEvent): string {
  const named = altKey && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
  const text = named.length === 1 && (ctrlKey || metaKey || altKey) ? named.toLowerCase() : named;
  return `${ctrlKey ? 'Control+' : ''}${metaKey ? 'Meta+' : ''}${altKey ? 'Alt+' : ''}${text}`;
}

/** Listens for keys of the whole page. */
export function listenForKeys(): void {
  document.addEventListener('keydown', handleKey);
}
