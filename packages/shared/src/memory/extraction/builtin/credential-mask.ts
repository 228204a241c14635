import { hasCredential, redactCredentials } from '@continuity/contract/credentials';

/** Replaces a credential. No Source contains this character, because the service rejects it (spec 00 §2). */
export const credentialMark = '\u0000';

/** Whether a text contains something that looks like a credential, or a masked one (spec 20 X4). */
export function hasCredentialOrMask(text: string): boolean {
  return text.includes(credentialMark) || hasCredential(text);
}

/**
 * Replaces each credential by `credentialMark`. Must run before the text is split, because the words before a value identify it. A
 * credential of several lines becomes a paragraph, so that the text around it stays readable. Linear in the length of the text.
 */
export function maskCredentials(text: string): string {
  return redactCredentials(text, 'strict', (credential) =>
    credential.includes('\n') ? `\n\n${credentialMark}\n\n` : credentialMark,
  ).text;
}
