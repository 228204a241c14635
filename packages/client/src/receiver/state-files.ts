import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { z } from 'zod';
import { removeDurably, writeDurably } from './durable-files.ts';
import { ReceiverError } from './errors.ts';
import { haveFolders, ignore, makeFolders } from './folders.ts';

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
  workspace: string;
  /** Names of the folder's path below the workspace. */
  folder: readonly string[];
  stateKey: StateKey;
  shape: z.ZodType<Payload>;
  artifactIdOf(payload: Payload): string;
  /** Called before each change. Throws if this process has lost the lock. */
  requireHeld(): Promise<void>;
}

export function openStateFiles<Payload extends { target_id: string }>({
  workspace,
  folder,
  stateKey,
  shape,
  artifactIdOf,
  requireHeld,
}: StateOptions<Payload>): StateFiles<Payload> {
  const base = join(workspace, ...folder);
  const pathOf = (artifactId: string) => join(base, nameOf(artifactId));

  /** Undefined for a file that is damaged or of another enrollment. */
  const parse = (name: string, text: string): Payload | undefined => {
    const payload = verify(stateKey, shape, text);
    return payload !== undefined && nameOf(artifactIdOf(payload)) === name ? payload : undefined;
  };
  const damaged = (name: string) =>
    new ReceiverError(
      `${join(base, name)} is damaged, or of another enrollment. Remove this file: its Skill is then no longer managed.`,
    );
  const names = async () => ((await haveFolders(workspace, folder)) ? await readdir(base) : []);

  return {
    async list({ skipsDamaged } = { skipsDamaged: false }) {
      const payloads: Payload[] = [];
      for (const name of (await names()).filter((one) => one.endsWith('.json')).toSorted()) {
        const payload = parse(name, await readFile(join(base, name), 'utf8'));
        if (payload !== undefined) payloads.push(payload);
        else if (!skipsDamaged) throw damaged(name);
      }
      return payloads;
    },
    async read(artifactId) {
      const text = await readFile(pathOf(artifactId), 'utf8').catch(ignore('ENOENT'));
      if (text === undefined) return undefined;
      const payload = parse(nameOf(artifactId), text);
      if (payload === undefined) throw damaged(nameOf(artifactId));
      return payload;
    },
    async write(payload) {
      await makeFolders(workspace, folder, 0o700);
      await writeDurably(pathOf(artifactIdOf(payload)), sign(stateKey, payload), requireHeld);
    },
    async remove(artifactId) {
      await requireHeld();
      await removeDurably(pathOf(artifactId));
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
  return createHmac('sha256', key)
    .update(canonicalize(payload) ?? '')
    .digest('hex');
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
