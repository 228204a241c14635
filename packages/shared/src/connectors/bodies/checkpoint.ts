import type { Issue, OperationInput } from '@continuity/contract';
import type { ConnectorBinding, connectorOperations } from '@continuity/contract/connectors';
import { requireNoIssues } from '@continuity/kernel/errors';
import { canonicalJsonWithin, type JsonValue } from '@continuity/kernel/json';

/** Limit of a checkpoint, in bytes of canonical JSON (spec 10 §9). */
const maxCheckpointBytes = 65_536;

type CommitBody = OperationInput<typeof connectorOperations.commit_connector_checkpoint>['body'];

/** Values of a checkpoint as canonical JSON. */
export interface PreparedCheckpoint {
  binding: ConnectorBinding;
  expected: string;
  checkpoint: string;
}

/** Prepares the body of `commit_connector_checkpoint`. Throws 422 for values over their limit. */
export function prepareCheckpoint({ binding, expected, checkpoint }: CommitBody): PreparedCheckpoint {
  const issues: Issue[] = [];
  const prepared = {
    binding,
    expected: write('expected', expected, issues),
    checkpoint: write('checkpoint', checkpoint, issues),
  };
  requireNoIssues(issues);
  return prepared;
}

/** Adds an issue for a value over its limit, and returns an empty text for it. */
function write(path: string, value: unknown, issues: Issue[]): string {
  const written = canonicalJsonWithin(path, value as JsonValue, maxCheckpointBytes);
  issues.push(...written.issues);
  return written.canonical;
}
