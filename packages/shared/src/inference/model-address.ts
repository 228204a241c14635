/** The API of an endpoint. */
type ModelProvider = 'openai-compatible' | 'anthropic';

/** Address and credentials of a model. */
export interface ModelAddress {
  /** Left out: OpenAI-compatible. */
  provider?: ModelProvider | undefined;
  /** With its version (`https://host/v1`). */
  baseURL: string;
  /** Left out: no header with a key. Anthropic needs one. */
  apiKey?: string | undefined;
}

/** The authentication headers of a request to this API. */
export function headersOf({ provider, apiKey }: Omit<ModelAddress, 'baseURL'>): Record<string, string> {
  if (apiKey === undefined) return {};
  if (provider === 'anthropic') return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
  return { authorization: `Bearer ${apiKey}` };
}
