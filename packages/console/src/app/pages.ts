import type { ComponentType } from 'preact';
import type { Phrases } from '../catalog/index.ts';
import type { KeyAction } from '../keys/table.ts';

/** A page: its segment of the address, its name in the catalogue, and its module, which is loaded when it is opened. */
export interface ConsolePage {
  segment: string;
  name: keyof Phrases['pages'];
  /** Its key after `g`; absent for a page that is not in Main. */
  action?: KeyAction;
  load: () => Promise<ComponentType>;
}

export const pages: readonly ConsolePage[] = [
  {
    segment: 'review',
    name: 'review',
    action: 'review',
    load: async () => (await import('../review/review-page.tsx')).ReviewPage,
  },
];
