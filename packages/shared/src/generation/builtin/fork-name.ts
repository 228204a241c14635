import { maxStandardName } from '@continuity/contract/skills';

const suffix = '-fork';

/** Returns `<name>-fork`. Truncates `<name>` to the limit of the standard, without a hyphen at its end (spec 40 §7.4). */
export function forkName(name: string): string {
  return name.slice(0, maxStandardName - suffix.length).replace(/-$/, '') + suffix;
}
