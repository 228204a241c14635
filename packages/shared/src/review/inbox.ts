import { candidateFamilies } from '@continuity/contract';
import { candidateOrigin, type InboxItem, type InboxRequest, maxCounted } from '@continuity/contract/review';
import type { Database, ScopeKey, Sql, TenantId } from '@continuity/kernel/database';
import { TimeLimitError, withTimeLimit } from '@continuity/kernel/process';
import type { Logger } from '@continuity/kernel/telemetry';
import type { CursorCodec } from '@continuity/shared/handlers';
import { z } from 'zod';
import { resolveSelection } from '../scopes/index.ts';
import type { CandidateFamilies, PackageReader } from './family.ts';
import {
  countAll,
  countSelected,
  findNewest,
  findOldest,
  findOne,
  type InboxFilter,
  type PlacedItem,
  readItems,
} from './inbox-statements.ts';

/** A page of the inbox. `total` is exact up to `maxCounted`. */
interface Inbox {
  items: InboxItem[];
  next_cursor: string | null;
  total: { value: number; exact: boolean };
}

/** Dependencies of the inbox. */
export interface InboxDeps {
  database: Database;
  cursors: CursorCodec;
  packageThreads: PackageReader;
  families: CandidateFamilies;
  logger: Logger;
}

/** Limit of the Candidates that a page of a selection looks at (spec 40 §4). */
const maxLookedAt = 1000;

/**
 * Reads a page of the Candidates of many Scopes, by id. It costs at most twelve index ranges, whatever the tenant holds. Throws 400
 * `invalid_cursor`, and 404 `scope_not_found` and 422 of the selection.
 */
export async function listInbox(
  deps: InboxDeps,
  tenantId: TenantId,
  { selection, status, family, origins: asked, candidate_id, order, cursor, limit }: InboxRequest,
): Promise<Inbox> {
  const { database, cursors } = deps;
  const families = family === null ? candidateFamilies : [family];
  const origins = candidateOrigin.options.filter((origin) => asked?.includes(origin) ?? true);
  const query = [selection, status, family, origins, candidate_id, order];
  const binding = { tenantId, operation: 'list_candidate_inbox', query };
  const after = cursor === null ? null : cursors.decode(binding, cursor, z.uuid());
  const filter = { tenantId, status, families, origins };
  const page = await database.snapshot(async (sql) => {
    const keys = selection.mode === 'all' ? null : await selectedKeys(sql, tenantId, selection);
    if (candidate_id !== null) {
      const found = await findOne(sql, filter, candidate_id);
      const ids = found.filter(({ scopeKey }) => keys?.has(scopeKey) ?? true).map((one) => one.candidateId);
      const items = await readItems(sql, tenantId, ids);
      return { items, next_cursor: null, total: { value: items.length, exact: true } };
    }
    const [found, total] = await Promise.all([
      findPage(sql, filter, keys, order, after, limit),
      keys === null ? countAll(sql, filter) : countSelected(sql, filter, [...keys]),
    ]);
    return {
      items: await readItems(sql, tenantId, found.ids),
      next_cursor: found.last === null ? null : cursors.encode(binding, found.last),
      total: { value: Math.min(total, maxCounted), exact: total <= maxCounted },
    };
  });
  return { ...page, items: await addSummaries(deps, tenantId, page.items) };
}

/** Limits of the packages that a page reads to summarize them for the first time, in bytes and in milliseconds. */
const maxSummarizedBytes = 8 * 1024 * 1024;
const maxSummarizingMs = 1_000;

/**
 * Adds the summaries that nobody has asked for before. Those that take longer are stored for the next page; until then, or if one cannot
 * be read, which is logged, its item has none.
 */
async function addSummaries(
  { database, packageThreads, families, logger }: InboxDeps,
  tenantId: TenantId,
  placed: readonly PlacedItem[],
): Promise<InboxItem[]> {
  let left = maxSummarizedBytes;
  const reads: Promise<void>[] = [];
  for (const { scopeKey, item } of placed) {
    const rules = families[item.family].candidates.package;
    if (rules === null || item.package === null || item.package_summary !== null) continue;
    left -= item.package.archive_size;
    if (left < 0) break;
    const read = rules.readSummary(
      { queries: database, packageThreads },
      { tenantId, scopeKey },
      item.package,
    );
    reads.push(
      read.then(
        (summary) => {
          item.package_summary = summary;
        },
        (error: unknown) =>
          logger.warn({ err: error, tenant_id: tenantId }, 'a Skill package was not summarized'),
      ),
    );
  }
  if (reads.length > 0) {
    await withTimeLimit(Promise.all(reads), maxSummarizingMs).catch((error: unknown) => {
      if (!(error instanceof TimeLimitError)) throw error;
    });
  }
  return placed.map(({ item }) => item);
}

async function selectedKeys(
  sql: Sql,
  tenantId: TenantId,
  selection: InboxRequest['selection'],
): Promise<ReadonlySet<ScopeKey>> {
  const selected = await resolveSelection(sql, tenantId, selection);
  return new Set(selected.map(({ scopeKey }) => scopeKey));
}

/** Finds the ids of a page, and the last id that it looked at; null at the end of the list. */
async function findPage(
  sql: Sql,
  filter: InboxFilter,
  keys: ReadonlySet<ScopeKey> | null,
  order: InboxRequest['order'],
  after: string | null,
  limit: number,
): Promise<{ ids: string[]; last: string | null }> {
  const lookAt = keys === null ? limit : maxLookedAt;
  const find = order === 'oldest' ? findOldest : findNewest;
  const found = await find(sql, filter, after, lookAt + 1);
  const lookedAt = found.slice(0, lookAt);
  const selected = keys === null ? lookedAt : lookedAt.filter(({ scopeKey }) => keys.has(scopeKey));
  const ids = selected.slice(0, limit).map(({ candidateId }) => candidateId);
  const isEnd = found.length <= lookAt && selected.length <= limit;
  if (isEnd) return { ids, last: null };
  const last = selected.length < limit ? lookedAt.at(-1)?.candidateId : ids.at(-1);
  return { ids, last: last ?? null };
}
