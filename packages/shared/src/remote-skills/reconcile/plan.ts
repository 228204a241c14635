import {
  maxPublications,
  type RemoteSkillAction,
  type RemoteSkillObservation,
} from '@continuity/contract/remote-skills';
import {
  column,
  optimizationFence,
  pick,
  type RowOfStatement,
  type Sql,
  statement,
  tables,
} from '@continuity/kernel/database';
import { packageRefOf } from '../../skills/index.ts';
import { storedPublication } from '../publication.ts';
import { changes, type Observed } from '../receipt-rules.ts';
import type { ObservedPublication } from '../record-receipt.ts';
import type { TargetKey } from '../target.ts';

const ofTarget = 'tenant_id = $1 AND scope_key = $2 AND target_id = $3';

/**
 * Publications whose removal is not confirmed, and those that the Receiver names ($4, with revisions $5). The row is enough to verify
 * the desired revision. For another revision, the statement reads its content.
 */
const readStatement = statement(
  'read_remote_reconcile',
  `SELECT ${Object.keys(storedPublication)
    .map((name) => `p.${name}`)
    .join(', ')},
     k.archive_digest, k.file_count, k.uncompressed_size, k.archive_size,
     r.content::jsonb ->> 'name' AS seen_name, r.content::jsonb #>> '{package,tree_digest}' AS seen_tree_digest
   FROM (
     SELECT * FROM remote_skill_publications WHERE ${ofTarget} AND state <> 'unpublished'
     UNION ALL
     SELECT * FROM remote_skill_publications WHERE ${ofTarget} AND state = 'unpublished' AND artifact_id = ANY ($4::text[])
   ) AS p
   CROSS JOIN LATERAL (
     SELECT archive_digest, file_count, uncompressed_size, archive_size FROM skill_packages
     WHERE tenant_id = p.tenant_id AND scope_key = p.scope_key AND tree_digest = decode(p.desired_tree_digest, 'hex')
     ${optimizationFence}
   ) AS k
   LEFT JOIN unnest($4::text[], $5::bigint[]) AS seen (artifact_id, revision) ON seen.artifact_id = p.artifact_id
   LEFT JOIN LATERAL (
     SELECT content FROM artifact_revisions
     WHERE tenant_id = p.tenant_id AND artifact_key = p.artifact_key AND revision = seen.revision
       AND seen.revision <> p.desired_revision
     ${optimizationFence}
   ) AS r ON true
   ORDER BY p.artifact_id`,
  {
    ...storedPublication,
    ...pick(tables.skill_packages, 'archive_digest', 'file_count', 'uncompressed_size', 'archive_size'),
    seen_name: column.text.orNull(),
    seen_tree_digest: column.text.orNull(),
  },
);

/** A publication with the package of its desired revision, and name and digest of another observed revision. */
export type ReconciledRow = RowOfStatement<typeof readStatement>;

/** Reads the input of a reconcile in one statement, ordered by Artifact id. */
export async function readRows(
  sql: Sql,
  { tenantId, scopeKey, targetId }: TargetKey,
  observations: readonly RemoteSkillObservation[],
): Promise<ReconciledRow[]> {
  const ids = observations.map(({ artifact }) => artifact.artifact_id);
  const revisions = observations.map(({ artifact }) => artifact.revision);
  return await sql.rows(readStatement, [tenantId, scopeKey, targetId, ids, revisions]);
}

/** Why an observed checkpoint is not valid (spec 40 §9). */
type CheckpointFault =
  | 'invalid_checkpoint_identity'
  | 'unknown_checkpoint_package'
  | 'invalid_checkpoint_digest'
  | 'invalid_checkpoint_generation';

/**
 * An observation, compared with the publication of its Skill.
 * - `match`: the desired revision is installed.
 * - `other`: another approved revision is installed.
 * - `drift`: somebody changed the installed folder.
 * - `bad`: the checkpoint is not valid.
 */
export type Comparison =
  | { kind: 'none' }
  | { kind: 'match' | 'other'; observation: RemoteSkillObservation }
  | { kind: 'drift' }
  | { kind: 'bad'; fault: CheckpointFault };

/** Compares an observation with the exact approved revision (spec 40 §9, reconcile rule 2). */
export function compareObservation(
  row: ReconciledRow,
  observation: RemoteSkillObservation | undefined,
): Comparison {
  if (observation === undefined) return { kind: 'none' };
  const fault = faultOf(row, observation);
  if (fault !== undefined) return { kind: 'bad', fault };
  if (observation.actual_tree_digest !== observation.tree_digest) return { kind: 'drift' };
  const isDesired = observation.artifact.revision === row.desired_revision;
  return { kind: isDesired ? 'match' : 'other', observation };
}

function faultOf(
  row: ReconciledRow,
  { artifact, tree_digest, skill_name, applied_generation }: RemoteSkillObservation,
): CheckpointFault | undefined {
  if (artifact.family !== 'skill') return 'invalid_checkpoint_identity';
  const approved = approvedFacts(row, artifact.revision);
  if (approved === undefined) return 'unknown_checkpoint_package';
  if (approved.treeDigest !== tree_digest || approved.name !== skill_name) return 'invalid_checkpoint_digest';
  return applied_generation > row.generation ? 'invalid_checkpoint_generation' : undefined;
}

/** Name and digest of the observed revision; undefined for one that does not exist. */
function approvedFacts(row: ReconciledRow, revision: number) {
  if (revision === row.desired_revision)
    return { name: row.desired_name, treeDigest: row.desired_tree_digest };
  if (row.seen_name === null || row.seen_tree_digest === null) return undefined;
  return { name: row.seen_name, treeDigest: row.seen_tree_digest };
}

/** The actions for a Receiver, and the rows that its observations change. */
interface ReconcilePlan {
  actions: RemoteSkillAction[];
  changed: ObservedPublication[];
}

/** Compares the publications of a target with the observations of its Receiver (spec 40 §9, reconcile rule 3). */
export function planReconcile(
  rows: readonly ReconciledRow[],
  observations: readonly RemoteSkillObservation[],
): ReconcilePlan {
  const byArtifact = new Map(observations.map((one) => [one.artifact.artifact_id, one]));
  const plan: ReconcilePlan = { actions: [], changed: [] };
  for (const row of rows) {
    const comparison = compareObservation(row, byArtifact.get(row.artifact_id));
    const action = actionOf(row, comparison);
    if (action !== undefined && plan.actions.length < maxPublications) plan.actions.push(action);
    const observed = observedBy(row, comparison);
    if (changes(row, observed)) plan.changed.push({ artifact_id: row.artifact_id, ...observed });
  }
  return plan;
}

function actionOf(row: ReconciledRow, comparison: Comparison): RemoteSkillAction | undefined {
  if (isDone(row, comparison)) return undefined;
  const isInstall = row.desired_state === 'published';
  return {
    operation: isInstall ? 'install' : 'unpublish',
    generation: row.generation,
    artifact: { family: 'skill', artifact_id: row.artifact_id, revision: row.desired_revision },
    tree_digest: row.desired_tree_digest,
    skill_name: row.desired_name,
    package: isInstall ? packageRefOf(row.desired_tree_digest, row) : null,
    expected_local: 'observation' in comparison ? comparison.observation : null,
    blocked_error_code: blockedBy(comparison),
  };
}

/** Whether a receipt of this generation has proved the desired state, and the observation agrees. */
function isDone(row: ReconciledRow, { kind }: Comparison): boolean {
  if (row.observed_generation !== row.generation) return false;
  return row.desired_state === 'published'
    ? kind === 'match' && row.state === 'current'
    : kind === 'none' && row.state === 'unpublished';
}

function blockedBy(comparison: Comparison): string | null {
  if (comparison.kind === 'drift') return 'drifted';
  return comparison.kind === 'bad' ? comparison.fault : null;
}

/** The row after an observation. Only a receipt proves the desired state. */
function observedBy(row: ReconciledRow, comparison: Comparison): Observed {
  const code = blockedBy(comparison);
  if (code !== null) {
    const { observed_revision, observed_tree_digest, generation } = row;
    const state = comparison.kind === 'drift' ? 'drifted' : 'conflict';
    return {
      state,
      observed_revision,
      observed_tree_digest,
      observed_generation: generation,
      last_error_code: code,
    };
  }
  return isRefuted(row, comparison) ? nothingObserved : row;
}

/** Whether an observation contradicts the success of an earlier receipt. */
function isRefuted({ desired_state, state }: ReconciledRow, { kind }: Comparison): boolean {
  if (desired_state === 'published') return state === 'current' && (kind === 'none' || kind === 'other');
  return state === 'unpublished' && (kind === 'match' || kind === 'other');
}

const nothingObserved: Observed = {
  state: 'pending',
  observed_revision: null,
  observed_tree_digest: null,
  observed_generation: null,
  last_error_code: null,
};
