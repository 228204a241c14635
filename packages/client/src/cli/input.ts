import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { UsageError } from './exit-codes.ts';

/** The content of a file, or of standard input for `-`. */
export async function readInput(path: string): Promise<string> {
  if (path === '-') return await text(process.stdin);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read ${path}: ${(error as Error).message}`);
  }
}

/** A JSON object from a file or standard input. */
export async function readJsonInput(path: string): Promise<Record<string, unknown>> {
  const content = await readInput(path);
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Reported below, like JSON that is no object.
  }
  throw new UsageError(`${path === '-' ? 'Standard input' : path} is no JSON object.`);
}
