import type { z } from 'zod';

/** The contract of one Artifact Family (spec 10 §6.3). */
export interface FamilySpec {
  /** Content of a stored revision. */
  content: z.ZodObject;
  /** Content of a Create request, recorded as sent: the shape has neither defaults nor transforms. */
  createContent: z.ZodObject;
  /** Content of a Replace request, recorded as sent. */
  replaceContent: z.ZodObject;
  /** Whether a full-text projection of the head is stored, so that revisions can be searched. */
  isSearched: boolean;
  /** Whether a new revision can come from a reviewed Candidate. */
  hasCandidates: boolean;
}
