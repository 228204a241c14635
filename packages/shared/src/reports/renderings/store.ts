import type { ReportLocale } from '@continuity/contract/reports';
import {
  deploymentStatement,
  isWritableHere,
  pick,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { bytesOfDigest } from '@continuity/kernel/json';
import { newId } from '@continuity/kernel/text';
import { type ClaimedJob, deleteEndedReportJobs, isAsynchronous } from '../../jobs/index.ts';
import { type ReportForm, renderers } from '../content/frame.ts';

/** Identifies what a rendering shows: equal keys have equal bodies (spec 30 §4.7.1). */
export interface RenderingKey {
  tenantId: TenantId;
  /** The contract's `digest` form. */
  selectionDigest: string;
  /** The digest of the selection without NFC. */
  exactSelectionDigest: string;
  form: ReportForm;
  locale: ReportLocale;
}

/** The result of a report job, as its row stores it. */
export interface RenderingRef {
  rendering_id: string;
}

/** The values of the columns of `report_renderings_key`, in its order. */
export function keyValues(key: RenderingKey): unknown[] {
  const { tenantId, selectionDigest, form, locale } = key;
  return [tenantId, bytesOfDigest(selectionDigest), rendererVersionColumn(key), form, locale];
}

/**
 * The value of the column `renderer_version`. It also has the exact digest of a selection that is not in NFC, because the key has no
 * column for it, and two such selections can have one `selection_digest`.
 */
function rendererVersionColumn({ form, selectionDigest, exactSelectionDigest }: RenderingKey): string {
  const { renderer_version } = renderers[form];
  if (exactSelectionDigest === selectionDigest) return renderer_version;
  return `${renderer_version} ${exactSelectionDigest}`;
}

/**
 * Expiry of a rendering for the job that ends with it, in SQL. An asynchronous job stays for a day after its end, and its rendering an
 * hour longer (spec 30 §4.7.6). A waiting caller reads the rendering at once, or fetches the job after 503 `job_timeout`. A longer time
 * would store each report of a tenant whose reports change all the time.
 */
const keptForJob = (jobId: string) =>
  `now() + CASE WHEN ${isAsynchronous('$1', jobId)} THEN interval '25 hours' ELSE interval '10 minutes' END`;

const ofKey = `tenant_id = $1 AND selection_digest = $2 AND renderer_version = $3 AND form = $4 AND locale = $5 AND reusable`;
const isFresh = `created_at > now() - $6::bigint * interval '1 millisecond'`;

const findStatement = statement(
  'find_report_rendering',
  `SELECT rendering_id, bytes FROM report_renderings WHERE ${ofKey} AND ${isFresh}`,
  pick(tables.report_renderings, 'rendering_id', 'bytes'),
);

/** A stored rendering that answers a selection. */
interface FoundRendering {
  renderingId: string;
  /** Bytes of its body. */
  bytes: number;
}

/** Finds the reusable rendering of a key that is at most `ttlMs` old. */
export async function findRendering(
  sql: Sql,
  key: RenderingKey,
  ttlMs: number,
): Promise<FoundRendering | undefined> {
  const row = await sql.first(findStatement, [...keyValues(key), ttlMs]);
  return row && { renderingId: row.rendering_id, bytes: row.bytes };
}

const insertStatement = statement(
  'insert_report_rendering',
  `INSERT INTO report_renderings
     (tenant_id, selection_digest, renderer_version, form, locale, rendering_id, project_id, report_digest, body, bytes, reusable,
      kept_until)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, ${keptForJob('$12')})
   ON CONFLICT (tenant_id, selection_digest, renderer_version, form, locale) WHERE reusable DO NOTHING
   RETURNING rendering_id`,
  pick(tables.report_renderings, 'rendering_id'),
);

/** A rendering to store; `body` is UTF-8. */
export interface NewRendering extends RenderingKey {
  /** The job that ends with it. */
  jobId: string;
  projectId: string | null;
  reportDigest: string;
  body: Buffer;
  /** Whether an equal selection may be answered with it. */
  isReusable: boolean;
}

/** Stores a rendering. Undefined if the key has a reusable one. Waits for a concurrent rendering of the key. */
export async function insertRendering(sql: Sql, rendering: NewRendering): Promise<string | undefined> {
  const { projectId, reportDigest, body, isReusable, jobId } = rendering;
  const row = await sql.first(insertStatement, [
    ...keyValues(rendering),
    newId(),
    projectId,
    bytesOfDigest(reportDigest),
    body.toString('utf8'),
    body.length,
    isReusable,
    jobId,
  ]);
  return row?.rendering_id;
}

const keepStatement = statement(
  'keep_report_rendering',
  `UPDATE report_renderings SET kept_until = greatest(kept_until, ${keptForJob('$3')})
   WHERE tenant_id = $1 AND rendering_id = $2 RETURNING rendering_id`,
  pick(tables.report_renderings, 'rendering_id'),
);

/** Keeps a rendering for a job that answers with it. False if it is gone. */
export async function keepRendering(
  sql: Sql,
  { tenantId, jobId }: Pick<ClaimedJob, 'tenantId' | 'jobId'>,
  renderingId: string,
): Promise<boolean> {
  return (await sql.first(keepStatement, [tenantId, renderingId, jobId])) !== undefined;
}

const retireExpired = statement(
  'retire_report_rendering',
  `UPDATE report_renderings SET reusable = false WHERE ${ofKey} AND NOT (${isFresh})`,
);

/** Retires the rendering of a key that is older than `ttlMs`, so that a new one can take the key. */
export async function retireExpiredRendering(sql: Sql, key: RenderingKey, ttlMs: number): Promise<void> {
  await sql.rows(retireExpired, [...keyValues(key), ttlMs]);
}

const retireOldest = statement(
  'retire_oldest_report_renderings',
  `UPDATE report_renderings SET reusable = false
   WHERE tenant_id = $1 AND rendering_id IN (
     SELECT rendering_id FROM (
       SELECT rendering_id, sum(bytes) OVER (ORDER BY created_at DESC, rendering_id DESC) AS total
       FROM report_renderings WHERE tenant_id = $1 AND reusable
     ) AS kept WHERE total > $2::bigint)`,
);

/** Retires the oldest renderings of a tenant beyond `maxBytes` in total. Jobs read a retired one while it is kept for them. */
export async function limitRenderings(sql: Sql, tenantId: TenantId, maxBytes: number): Promise<void> {
  await sql.rows(retireOldest, [tenantId, maxBytes]);
}

const loadStatement = statement(
  'load_report_rendering',
  `SELECT selection_digest, report_digest, form, locale, body FROM report_renderings
   WHERE tenant_id = $1 AND rendering_id = $2`,
  {
    ...pick(tables.report_renderings, 'selection_digest', 'report_digest', 'body'),
    form: tables.report_renderings.form.as<ReportForm>(),
    locale: tables.report_renderings.locale.as<ReportLocale>(),
  },
);

/** Loads a rendering with its body; undefined if a purge has deleted it. */
export async function loadRendering(sql: Sql, tenantId: TenantId, renderingId: string) {
  return await sql.first(loadStatement, [tenantId, renderingId]);
}

const deleteOfProject = statement(
  'delete_report_renderings',
  'DELETE FROM report_renderings WHERE tenant_id = $1 AND project_id = $2',
);

/** Deletes all renderings of a Project, also those that jobs refer to. */
export async function deleteRenderings(sql: Sql, tenantId: TenantId, projectId: string): Promise<void> {
  await sql.rows(deleteOfProject, [tenantId, projectId]);
}

/**
 * Deletes all renderings of a Project and its ended report jobs (spec 30 §4.7.5). Call it in the transaction of a purge, after the
 * statement that raises `purge_count`: its row lock orders the purge and the reports that end at the same time.
 */
export async function deleteReports(sql: Sql, tenantId: TenantId, projectId: string): Promise<void> {
  await Promise.all([
    deleteRenderings(sql, tenantId, projectId),
    deleteEndedReportJobs(sql, tenantId, projectId),
  ]);
}

/** Renderings that one sweep deletes, because each can hold megabytes. */
const sweepBatch = 200;

const deleteUnused = deploymentStatement(
  'delete_unused_report_renderings',
  `DELETE FROM report_renderings USING (
     SELECT tenant_id, rendering_id FROM report_renderings
     WHERE kept_until < now() AND NOT (reusable AND created_at > now() - $1::bigint * interval '1 millisecond')
       AND ${isWritableHere('report_renderings.tenant_id')}
     LIMIT ${sweepBatch} FOR UPDATE SKIP LOCKED
   ) AS unused
   WHERE report_renderings.tenant_id = unused.tenant_id AND report_renderings.rendering_id = unused.rendering_id`,
);

/** Deletes renderings that no job refers to and that may not be answered again. */
export async function sweepRenderings(sql: Sql, ttlMs: number): Promise<void> {
  await sql.rows(deleteUnused, [ttlMs]);
}
