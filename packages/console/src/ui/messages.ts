import type { ComponentChildren } from 'preact';
import { Store } from './store.ts';

/** A result that is announced. A failure interrupts a screen reader; anything else waits. */
export interface Message {
  number: number;
  isFailure: boolean;
  content: ComponentChildren;
}

const keptFailures = 3;
let count = 0;

export const messages = new Store<readonly Message[]>([]);

/** Announces a result in the status "Messages". */
export function announce(content: ComponentChildren): void {
  add(content, false);
}

/** Announces a failure. */
export function announceFailure(content: ComponentChildren): void {
  add(content, true);
}

function add(content: ComponentChildren, isFailure: boolean): void {
  count += 1;
  // A result replaces the one before it: several would cover the page of a person who decides quickly.
  const failures = messages.value.filter((one) => one.isFailure).slice(-keptFailures);
  messages.set([...failures, { number: count, isFailure, content }]);
}

export function dismiss(number: number): void {
  messages.set(messages.value.filter((one) => one.number !== number));
}
