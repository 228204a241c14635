import { z } from 'zod';

/**
 * What the built-in embedder and its clients agree on (spec 26 S13). It is no operation of the service: the embedder knows no tenant,
 * and only gateways and workers reach it.
 */

/** The vector space of the built-in model. A new model has a new id, so that entries are embedded again. */
export const builtinProfile = {
  profileId: 'builtin:1',
  model: 'multilingual-e5-small',
  dimension: 384,
} as const;

/** The address of the operation, below the address of the embedder. */
export const embedPath = '/v1/embeddings';

/** Limits of the texts of one request, and of the UTF-8 bytes of each. */
export const maxEmbedTexts = 64;
export const maxEmbedTextBytes = 8192;

/** Queries and entries are embedded differently. */
export const embedInputType = z.enum(['query', 'passage']);
export type EmbedInputType = z.output<typeof embedInputType>;

const byteLimitedText = z
  .string()
  .min(1)
  .refine((text) => text.length <= maxEmbedTextBytes && utf8Bytes(text) <= maxEmbedTextBytes, {
    error: `must have at most ${maxEmbedTextBytes} bytes in UTF-8`,
  });

export const embedRequest = z.object({
  input: z.array(byteLimitedText).min(1).max(maxEmbedTexts),
  input_type: embedInputType,
});
export type EmbedRequest = z.input<typeof embedRequest>;

/** One vector of unit length for each text, in the order of the texts. */
export interface EmbedAnswer {
  data: { index: number; embedding: number[] }[];
  usage: { prompt_tokens: number; total_tokens: number };
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
