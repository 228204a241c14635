import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { artifactRef, hex64, int } from '@continuity/contract/notation';
import { remoteSkillAction, skillName, targetId } from '@continuity/contract/remote-skills';
import { z } from 'zod';
import { canonicalJson } from './canonical-json.ts';
import { ReceiverError } from './errors.ts';
import type { Workspace } from './workspace.ts';

/** The package that the Receiver has installed for an Artifact, and therefore owns. */
export const checkpoint = z.strictObject({
  schema: z.literal('service.remote-skill-checkpoint.v1'),
  target_id: targetId,
  artifact: artifactRef,
  tree_digest: hex64,
  skill_name: skillName,
  applied_generation: int(0),
});

const heldName = z.string().regex(/^(staging|quarantine)-[0-9a-f]{16}$/);

/** An unfinished action, with everything that its recovery needs. */
export const journal = z.strictObject({
  schema: z.literal('service.remote-skill-pending-action.v1'),
  target_id: targetId,
  action: remoteSkillAction,
  staging_name: heldName,
  quarantine_name: heldName,
  /** The checkpoint before the action. */
  previous: checkpoint.nullable(),
});

export type Checkpoint = z.infer<typeof checkpoint>;
export type Journal = z.infer<typeof journal>;

/** Key that signs the state of one target. */
export interface StateKey {
  targetId: string;
  /** SHA-256 of a constant and the credential, so that files of another enrollment are invalid. */
  key: Buffer;
}

export function stateKeyOf(targetId: string, credential: string): StateKey {
  return { targetId, key: createHash('sha256').update('service.receiver.v1\0').update(credential).digest() };
}

const signedFile = z.strictObject({ payload: z.unknown(), hmac_sha256: z.string() });

/** State of a target: one file for each Artifact. */
export interface StateFiles<Payload> {
  /** Reads all payloads. Throws `ReceiverError` for a damaged file or one of another enrollment, unless `skipsDamaged` is set. */
  list(options?: { skipsDamaged: boolean }): Promise<Payload[]>;
  read(artifactId: string): Promise<Payload | undefined>;
  write(payload: Payload): Promise<void>;
  remove(artifactId: string): Promise<void>;
}

interface StateOptions<Payload> {
  workspace: Workspace;
  /** Names of the folder's path below the workspace. */
  names: readonly string[];
  stateKey: StateKey;
  shape: z.ZodType<Payload>;
  artifactIdOf(payload: Payload): string;
  /** Called before each change. Throws if this process has lost the lock. */
  requireHeld(): Promise<void>;
}

export function openStateFiles<Payload extends { target_id: string }>({
  workspace,
  names,
  stateKey,
  shape,
  artifactIdOf,
  requireHeld,
}: StateOptions<Payload>): StateFiles<Payload> {
  /** Undefined for a file that is damaged or of another enrollment. */
  const parse = (name: string, text: string): Payload | undefined => {
    const payload = verify(stateKey, shape, text);
    return payload !== undefined && nameOf(artifactIdOf(payload)) === name ? payload : undefined;
  };
  const damaged = (name: string) =>
    new ReceiverError(
      `${join(workspace.path, ...names, name)} is damaged, or of another enrollment. Remove this file: its Skill is then no longer managed.`,
    );

  return {
    async list({ skipsDamaged } = { skipsDamaged: false }) {
      const folder = await workspace.find(names);
      const payloads: Payload[] = [];
      for (const name of (await folder?.list()) ?? []) {
        if (!name.endsWith('.json')) continue;
        const file = await folder?.readText(name);
        if (file === undefined) continue;
        const payload = parse(name, file.text);
        if (payload !== undefined) payloads.push(payload);
        else if (!skipsDamaged) throw damaged(name);
      }
      return payloads;
    },
    async read(artifactId) {
      const name = nameOf(artifactId);
      const file = await (await workspace.find(names))?.readText(name);
      if (file === undefined) return undefined;
      const payload = parse(name, file.text);
      if (payload === undefined) throw damaged(name);
      return payload;
    },
    async write(payload) {
      const folder = await workspace.make(names, 0o700);
      await folder.writeDurably(nameOf(artifactIdOf(payload)), sign(stateKey, payload), requireHeld);
    },
    async remove(artifactId) {
      await requireHeld();
      const folder = await workspace.find(names);
      const name = nameOf(artifactId);
      if (folder === undefined || (await folder.statusOf(name)) === undefined) return;
      await folder.unlink(name);
      await folder.sync();
    },
  };
}

/** Creates the text of a state file. */
export function sign(stateKey: StateKey, payload: object): string {
  return `${JSON.stringify({ payload, hmac_sha256: hmacOf(stateKey, payload) })}\n`;
}

/** Parses a state file. Undefined without a valid signature of this target. */
export function verify<Payload extends { target_id: string }>(
  stateKey: StateKey,
  shape: z.ZodType<Payload>,
  text: string,
): Payload | undefined {
  const file = signedFile.safeParse(parseJson(text));
  if (!file.success) return undefined;
  const { payload, hmac_sha256 } = file.data;
  const [expected, actual] = [Buffer.from(hmacOf(stateKey, payload)), Buffer.from(hmac_sha256)];
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return undefined;
  const parsed = shape.safeParse(payload);
  return parsed.success && parsed.data.target_id === stateKey.targetId ? parsed.data : undefined;
}

function hmacOf({ key }: StateKey, payload: unknown): string {
  return createHmac('sha256', key).update(canonicalJson(payload)).digest('hex');
}

/** File name of an Artifact, whose id may hold any printable character. */
function nameOf(artifactId: string): string {
  return `${createHash('sha256').update(artifactId).digest('hex')}.json`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
