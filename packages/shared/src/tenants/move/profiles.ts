import { MoveRefusedError } from './refused-error.ts';
import type { MoveSession } from './session.ts';

/** Keys of embedding profiles on the server before, and those of the same profiles on the server after. */
export type ProfileKeys = Readonly<Record<string, number>>;

/** The column whose values differ between servers: each server draws the keys of its profiles. */
export const profileColumn = 'profile_key';

interface Profile {
  profile_key: number;
  profile_id: string;
  model: string;
  dimension: number;
  baseline: number | null;
}

/**
 * Finds the profiles of the source on the target, and creates those that it lacks, as the oldest ones: its workers go on with theirs. Call it
 * in each round: workers delete a profile that nobody has used for a day, so this marks all of them as used. `known` keeps the keys of profiles
 * that the source has deleted meanwhile. Throws a `MoveRefusedError` if a profile that rows were copied with is gone.
 */
export async function mapProfiles(
  source: MoveSession,
  target: MoveSession,
  known: ProfileKeys,
): Promise<ProfileKeys> {
  const { rows } = await source.query<Profile>(
    'SELECT profile_key, profile_id, model, dimension, baseline FROM embedding_profiles',
  );
  await touchProfiles(target, known, rows);
  const keys: Record<string, number> = { ...known };
  for (const profile of rows) {
    if (keys[profile.profile_key] === undefined)
      keys[profile.profile_key] = await findOrCreate(target, profile);
  }
  return keys;
}

/** Workers of the target that mark a profile of their own wait for this transaction, so it marks each one once an hour. */
async function touchProfiles(
  target: MoveSession,
  known: ProfileKeys,
  profiles: readonly Profile[],
): Promise<void> {
  const mapped = profiles.flatMap(({ profile_key }) => known[profile_key] ?? []);
  if (mapped.length === 0) return;
  await target.query(
    "UPDATE embedding_profiles SET seen_at = now() WHERE profile_key = ANY($1::int[]) AND seen_at < now() - interval '1 hour'",
    [mapped],
  );
  const { rowCount } = await target.query(
    'SELECT FROM embedding_profiles WHERE profile_key = ANY($1::int[])',
    [mapped],
  );
  if (rowCount !== mapped.length)
    throw new MoveRefusedError(
      'An embedding profile of the tenant is gone, because the move has rested for more than a day. Abort it by --abort, and begin it again.',
    );
}

async function findOrCreate(target: MoveSession, profile: Profile): Promise<number> {
  const { profile_id, model, dimension, baseline } = profile;
  await target.query(
    `INSERT INTO embedding_profiles (profile_id, model, dimension, baseline, activated_at, marked_tenant, marked_scope)
     VALUES ($1, $2, $3, $4, 'epoch', NULL, NULL) ON CONFLICT (profile_id, model, dimension) DO NOTHING`,
    [profile_id, model, dimension, baseline],
  );
  const { rows } = await target.query<{ profile_key: number }>(
    `UPDATE embedding_profiles SET seen_at = now() WHERE profile_id = $1 AND model = $2 AND dimension = $3 RETURNING profile_key`,
    [profile_id, model, dimension],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('PostgreSQL returned no embedding profile.');
  return row.profile_key;
}

/** The key on the target. Vectors of ended entries have the negative key. Keys of rows that never were copied stay as they are. */
export function mapProfileKey(key: string, keys: ProfileKeys): string {
  const number = Number(key);
  const mapped = keys[Math.abs(number)];
  return mapped === undefined ? key : String(number < 0 ? -mapped : mapped);
}

/** `mapProfileKey` in SQL; null for an unknown profile, so that its row cannot be copied. */
export function mappedProfileSql(column: string, keys: ProfileKeys): string {
  const cases = Object.entries(keys).map(([from, to]) => `WHEN ${Number(from)} THEN ${Number(to)}`);
  if (cases.length === 0) return 'NULL::integer';
  return `(CASE abs(${column}) ${cases.join(' ')} END * CASE WHEN ${column} < 0 THEN -1 ELSE 1 END)`;
}
