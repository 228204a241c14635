import type { FailureState } from '@continuity/contract/remote-skills';

/** A Skill that was not installed, updated or removed. */
export interface Problem {
  skill_name: string;
  artifact_id: string;
  state: FailureState;
  /** The folder of the Skill. */
  folder: string;
  message: string;
}

/** Result of a sync. */
export interface SyncReport {
  installed: { skill_name: string; artifact_id: string; revision: number }[];
  removed: { skill_name: string; artifact_id: string }[];
  problems: Problem[];
  /** Whether an action failed, so that the next sync should come soon. */
  hasFailed: boolean;
  /** Largest `Retry-After` of the service, in seconds; 0 without one. */
  retryAfterSeconds: number;
}
