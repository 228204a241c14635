import type { SourceState, SourceSummary } from '@continuity/contract/sources';
import { column, pick, type RowOf, tables } from '@continuity/kernel/database';
import { digestFromBytes } from '@continuity/kernel/json';
import { excerptOf, firstCodePoints } from '@continuity/kernel/text';
import type { SourceRecordKind } from './source.ts';

/** Limit of an excerpt in code points, and of the beginning of the text that it is made of (spec 60 §3.5.1). */
const maxExcerpt = 240;
const maxBeginning = 2_000;

/** Characters of the JSON of a string that hold so many code points: an escape takes six at most. */
const beginningOfJson = 1 + 6 * maxBeginning;

/** SQL of the columns of a summary, from `sources s`. Only the beginning of a content is read. */
export const sourceSummaryColumns = `s.source_type, s.source_id, s.position, s.content_digest, s.created_at, s.eligible, s.record,
     octet_length(s.content) AS content_bytes, left(s.content, ${beginningOfJson}) AS beginning,
     EXISTS (
       SELECT FROM parked_sources p WHERE p.tenant_id = s.tenant_id AND p.scope_key = s.scope_key AND p.position = s.position
     ) AS fallback`;

/** The row of `sourceSummaryColumns`. */
export const sourceSummaryRow = {
  ...pick(tables.sources, 'source_type', 'source_id', 'position', 'content_digest', 'created_at', 'eligible'),
  record: tables.sources.record.as<SourceRecordKind>(),
  content_bytes: column.integer,
  beginning: column.text,
  fallback: column.boolean,
};

export type SummaryRow = RowOf<typeof sourceSummaryRow>;

/** The state of a Source (spec 20 F1, F6). */
export function stateOf(
  { eligible, position }: Pick<SummaryRow, 'eligible' | 'position'>,
  extractionCursor: number,
): SourceState {
  if (!eligible) return 'not_eligible';
  return position > extractionCursor ? 'pending' : 'processed';
}

/** The wire form of a Source without its content. */
export function presentSourceSummary(row: SummaryRow, extractionCursor: number): SourceSummary {
  return {
    source_type: row.source_type,
    source_id: row.source_id,
    position: row.position,
    content_digest: digestFromBytes(row.content_digest),
    content_bytes: row.content_bytes,
    excerpt: excerptOf(beginningOf(row.beginning), maxExcerpt),
    captured_at: row.created_at.toISOString(),
    state: stateOf(row, extractionCursor),
    fallback: row.fallback,
    record: row.record,
  };
}

const charactersOfString = /\\u[0-9a-f]{4}|\\.|[^\\"]/gisu;

/** The first characters of a text, by the beginning of its canonical JSON. A value that is no string is its own text. */
function beginningOf(json: string): string {
  if (!json.startsWith('"')) return firstCodePoints(json, maxBeginning);
  const characters = json.match(charactersOfString) ?? [];
  return JSON.parse(`"${characters.slice(0, maxBeginning).join('')}"`) as string;
}
