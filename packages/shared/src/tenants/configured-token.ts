/** A configured token: its SHA-256, and the name of its tenant or the role `operator`. */
export type ConfiguredToken =
  | {
      sha256: string;
      tenant: string;
      /** Names the token to reviewers. Unique in its tenant. */
      label?: string | undefined;
    }
  | { sha256: string; role: 'operator' };
