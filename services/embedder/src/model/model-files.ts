import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StartRefusedError } from '@continuity/kernel/process';
import { z } from 'zod';

/** The files that `model.json` lists. */
const fileNames = ['encoder.onnx', 'embeddings-0.q4', 'embeddings-1.q4', 'pieces.bin', 'centre.f32'] as const;
type FileName = (typeof fileNames)[number];

/** The paths of the files of a model. */
export type ModelFiles = Readonly<Record<FileName, string>>;

const digest = z.string().regex(/^[0-9a-f]{64}$/);

/** `model.json`: where the model comes from, its licence, and the SHA-256 of each file. */
const modelDescription = z.object({
  profile_id: z.string(),
  model: z.string(),
  source: z.string(),
  licence: z.string(),
  files: z.record(z.enum(fileNames), digest),
});

/** Bytes that are read at once. */
const chunkBytes = 2 ** 20;

/**
 * The paths of the files of the model in `folder`. Throws a `StartRefusedError` that names the first file that is missing or has
 * another SHA-256 than `model.json`: vectors of a damaged model would be stored beside good ones.
 */
export function checkModelFiles(folder: string): ModelFiles {
  const { files } = readDescription(folder);
  for (const name of fileNames)
    if (digestOf(folder, name) !== files[name])
      throw new StartRefusedError(
        `The model file ${join(folder, name)} is damaged: its SHA-256 is not that of model.json.`,
      );
  return modelFiles(folder);
}

function modelFiles(folder: string): ModelFiles {
  return Object.fromEntries(fileNames.map((name) => [name, join(folder, name)])) as Record<FileName, string>;
}

/** Describes the files in `folder` as they are, for `model.json`. */
export function describeModelFiles(folder: string): { paths: ModelFiles; digests: Record<string, string> } {
  return {
    paths: modelFiles(folder),
    digests: Object.fromEntries(fileNames.map((name) => [name, digestOf(folder, name)])),
  };
}

function readDescription(folder: string): z.output<typeof modelDescription> {
  try {
    return modelDescription.parse(JSON.parse(readFileSync(join(folder, 'model.json'), 'utf8')));
  } catch (error) {
    if (isMissing(error)) throw missing(folder, 'model.json');
    throw new StartRefusedError(`The model file ${join(folder, 'model.json')} is damaged.`);
  }
}

/** In chunks, because the files have 80 MB. */
function digestOf(folder: string, name: FileName): string {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(chunkBytes);
  let file: number;
  try {
    file = openSync(join(folder, name), 'r');
  } catch (error) {
    if (isMissing(error)) throw missing(folder, name);
    throw unreadable(folder, name, error);
  }
  try {
    for (let bytes = readSync(file, chunk); bytes > 0; bytes = readSync(file, chunk))
      hash.update(chunk.subarray(0, bytes));
  } catch (error) {
    throw unreadable(folder, name, error);
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function missing(folder: string, name: string): StartRefusedError {
  return new StartRefusedError(`The model file ${join(folder, name)} is missing.`);
}

function unreadable(folder: string, name: string, error: unknown): StartRefusedError {
  const { code } = error as NodeJS.ErrnoException;
  return new StartRefusedError(`The model file ${join(folder, name)} cannot be read: ${code}.`);
}
