/** SHA-256 of a configured token, and the name of its tenant or the role `operator`. */
export type ConfiguredToken = { sha256: string; tenant: string } | { sha256: string; role: 'operator' };
