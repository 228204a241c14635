import type { FailureState } from '@continuity/contract/remote-skills';

/** Something that a person may have to decide. */
export interface Problem {
  skill_name: string;
  artifact_id: string;
  state: FailureState;
  /** The folder of the Skill. */
  folder: string;
  message: string;
}

/** What a sync did. */
export interface SyncReport {
  installed: { skill_name: string; artifact_id: string; revision: number }[];
  removed: { skill_name: string; artifact_id: string }[];
  problems: Problem[];
  /** Whether an action failed, so that the next sync should come soon. */
  hasFailed: boolean;
  /** Seconds that the service asked to wait; 0 if it did not. */
  retryAfterSeconds: number;
}
