import type { ArtifactRef } from '@continuity/contract';
import type { LifecycleState, SkillGovernance } from '@continuity/contract/skills';
import {
  column,
  optimizationFence,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  type TenantId,
  tables,
} from '@continuity/kernel/database';
import { runInSlices, type Steps } from '@continuity/kernel/fairness';
import { buildHeadSearch, corpusColumns, evidenceOf, headRevision, searchHeads } from '../documents/index.ts';
import { scopeKey } from '../scopes/index.ts';
import { AnalyzedQuery, type CorpusCache } from '../search/index.ts';

/** Columns of a head in the library, besides its identity. */
const shownColumns =
  'r.content, r.sources, r.artifacts, m.lifecycle_state, m.replacement_artifact_id, m.governance_generation';

/** The types of `shownColumns`. */
const shownTypes = {
  ...pick(tables.artifact_revisions, 'content', 'sources', 'artifacts'),
  ...pick(tables.managed_skills, 'lifecycle_state', 'replacement_artifact_id', 'governance_generation'),
};

const listedRow = {
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  ...shownTypes,
};

const listText = (condition: string): string => `
  SELECT m.artifact_id, b.head_revision AS revision, ${shownColumns}
  FROM (
    SELECT * FROM managed_skills
    WHERE tenant_id = $1 AND scope_key = ${scopeKey} AND lifecycle_state ${condition}
    ORDER BY name, artifact_id LIMIT $3
  ) AS m CROSS JOIN LATERAL (
    SELECT a.artifact_key, a.head_revision FROM artifacts a
    WHERE a.tenant_id = $1 AND a.artifact_key = m.artifact_key ${optimizationFence}
  ) AS b ${headRevision}
  ORDER BY m.name, m.artifact_id`;

/** Each state has a partial index of its own. */
const listActive = statement('list_active_skills', listText(`= 'active'`), listedRow);
const listBoth = statement('list_unretired_skills', listText(`<> 'retired'`), listedRow);

/** A head in the library. */
export type LibraryRow = RowOfStatement<typeof listActive>;

/** Lists the heads of a Scope's Skills that are not retired, by the bytes of their names and then by id. */
export function listSkills(
  sql: Sql,
  { tenantId, scopeId, includeDeprecated, limit }: LibraryQuery,
): Promise<LibraryRow[]> {
  return sql.rows(includeDeprecated ? listBoth : listActive, [tenantId, scopeId, limit]);
}

/** Filter of the library. */
export interface LibraryQuery {
  tenantId: TenantId;
  scopeId: string;
  includeDeprecated: boolean;
  limit: number;
}

const managed = (head: string, condition = ''): string => `CROSS JOIN LATERAL (
       SELECT * FROM managed_skills m WHERE m.tenant_id = $1 AND m.artifact_key = ${head}.artifact_key ${condition} ${optimizationFence}
     ) AS m`;

const searchTexts = buildHeadSearch({
  admitted: managed('s', 'AND m.lifecycle_state = ANY($10::text[])'),
  parameters: 1,
  columns: shownColumns,
  from: `${headRevision} ${managed('b')}`,
});

const foundRow = {
  ...corpusColumns,
  artifact_id: tables.artifacts.artifact_id,
  revision: tables.artifacts.head_revision,
  score: column.double,
  ...shownTypes,
};

const searchStatements = {
  tiny: statement('search_very_few_skills', searchTexts.tiny, foundRow),
  longOfFew: statement('search_very_few_skills_for_long_query', searchTexts.longOfFew, foundRow),
  small: statement('search_few_skills', searchTexts.small, foundRow),
  large: statement('search_many_skills', searchTexts.large, foundRow),
  long: statement('search_skills_for_long_query', searchTexts.long, foundRow),
};

/**
 * Searches the heads of a Scope's Skills (spec 40 §6.4): those that hold at least one word of the query, best first and then by id.
 * Returns none for a query without a word.
 */
export async function searchSkills(
  sql: Sql,
  cache: CorpusCache,
  { tenantId, scopeId, includeDeprecated, limit }: LibraryQuery,
  query: string,
): Promise<LibraryRow[]> {
  const search = { tenantId, scopeId, query: new AnalyzedQuery(query), limit, admitsAnyTerm: true };
  const states = includeDeprecated ? ['active', 'deprecated'] : ['active'];
  const rows = await searchHeads(sql, cache, 'skill', searchStatements, search, [states]);
  return rows.filter(({ content }) => content !== null);
}

/** A Skill's lifecycle as its row holds it. */
interface LifecycleRow {
  lifecycle_state: string;
  replacement_artifact_id: string | null;
  governance_generation: number;
}

/** Presents the lifecycle of the Skill with this head. */
export function presentGovernance(artifact: ArtifactRef, row: LifecycleRow): SkillGovernance {
  return {
    artifact,
    lifecycle_state: row.lifecycle_state as LifecycleState,
    replacement_artifact_id: row.replacement_artifact_id,
    governance_generation: row.governance_generation,
  };
}

/** Serializes the library in slices. Inserts each stored content as text: 200 of them have up to 26 MB. */
export async function writeLibrary(
  rows: readonly LibraryRow[],
): Promise<{ body: Buffer; headers: Record<string, string> }> {
  return {
    body: await runInSlices(writeSkills(rows)),
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
  };
}

function* writeSkills(rows: readonly LibraryRow[]): Steps<Buffer> {
  const parts: Buffer[] = [];
  for (const row of rows) {
    parts.push(Buffer.from(`${parts.length === 0 ? '' : ','}${writeSkill(row)}`));
    yield;
  }
  return Buffer.concat([Buffer.from('{"skills":['), ...parts, Buffer.from(']}')]);
}

function writeSkill({ artifact_id, revision, content, ...row }: LibraryRow): string {
  const artifact = { family: 'skill', artifact_id, revision };
  const rest = { ...evidenceOf(row), governance: presentGovernance(artifact, row) };
  return `{"artifact":${JSON.stringify(artifact)},"content":${content},${JSON.stringify(rest).slice(1)}`;
}
