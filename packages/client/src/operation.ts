/** The facts about an operation that the client needs. `generated/operations.ts` derives it from the contract. */
export interface ClientOperation {
  id: string;
  method: 'GET' | 'POST' | 'PUT';
  /** With `{name}` for path parameters. */
  path: string;
  /** Names of query parameters. */
  query?: readonly string[];
  /**
   * Whether a repeat after a lost answer is safe: always, with an `Idempotency-Key`, or never, because the repeat would answer
   * with a conflict or write twice.
   */
  repeat: 'safe' | 'keyed' | 'unsafe';
  /** The list in an answer with a cursor. */
  items?: string;
  /** The field that names the Scope, or that has to select Scopes. */
  scope?: 'scope_id' | 'selection';
  /** A worker runs it, so that it can answer with its job. */
  isQueued?: true;
}
