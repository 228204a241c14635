import { operations } from '@continuity/contract/operations';
import { describeApi } from '../openapi/index.ts';
import { documentationPages } from './documentation.ts';
import type { Page } from './page.ts';

let pages: readonly Page[] | undefined;

/** The documentation pages of every operation. A process builds them once, for its first gateway. */
export function servicePages(): readonly Page[] {
  pages ??= documentationPages(describeApi(operations));
  return pages;
}
