import { defineThread } from '@continuity/kernel/threads';
import type { ExtractionProfile } from '../port.ts';
import { type EvidenceText, type FoundStatements, findStatements } from './statements.ts';

/** Evidence to find statements in, in a thread. */
export interface StatementTask {
  evidence: EvidenceText;
  profile: ExtractionProfile;
}

/** A thread of the statement finder. It has no access to the database or to settings. */
export const statementThread = defineThread(
  ({ evidence, profile }: StatementTask): FoundStatements => findStatements(evidence, profile),
);
