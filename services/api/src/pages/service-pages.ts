import { operations } from '@continuity/contract/operations';
import { describeApi } from '../openapi/index.ts';
import { documentationPages } from './documentation.ts';
import type { Page } from './page.ts';

const pages = new Map<boolean, readonly Page[]>();

/** The documentation pages of every operation. A process builds them once for all of its gateways. */
export function servicePages(hasAuthentication: boolean): readonly Page[] {
  const known =
    pages.get(hasAuthentication) ?? documentationPages(describeApi(operations, { hasAuthentication }));
  pages.set(hasAuthentication, known);
  return known;
}
