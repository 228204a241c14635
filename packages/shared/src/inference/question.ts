import type { z } from 'zod';
import type { OnUsage } from './model-endpoint.ts';

export interface Question<T> {
  /** Name of the schema, for endpoints that require one. */
  name: string;
  instructions: string;
  prompt: string;
  schema: z.ZodType<T>;
  signal: AbortSignal;
  /** Awaited after an answered request, whether or not the answer is valid. Must not reject. */
  onUsage?: OnUsage | undefined;
}

/** Sends one request, at temperature 0 where the model has one. @throws {InferenceError} */
export type Ask = <T>(question: Question<T>) => Promise<T>;
