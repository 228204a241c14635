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
    segment: '',
    name: 'home',
    action: 'home',
    load: async () => (await import('../home/home-page.tsx')).HomePage,
  },
  {
    segment: 'review',
    name: 'review',
    action: 'review',
    load: async () => (await import('../review/review-page.tsx')).ReviewPage,
  },
  {
    segment: 'why',
    name: 'why',
    action: 'why',
    load: async () => (await import('../why/why-page.tsx')).WhyPage,
  },
  {
    segment: 'memory',
    name: 'memory',
    action: 'memory',
    load: async () => (await import('../memory/memory-page.tsx')).MemoryPage,
  },
  {
    segment: 'sources',
    name: 'sources',
    action: 'sources',
    load: async () => (await import('../sources/sources-page.tsx')).SourcesPage,
  },
  {
    segment: 'first-steps',
    name: 'firstSteps',
    load: async () => (await import('../first-steps/first-steps-page.tsx')).FirstStepsPage,
  },
];
