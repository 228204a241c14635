import { maxStandardName } from '@continuity/contract/skills';

const suffix = '-fork';

/** The name of a fork: `<name>-fork`, with the name cut so that the standard allows it, and without a hyphen at the cut (spec 40 §7.4). */
export function forkName(name: string): string {
  return name.slice(0, maxStandardName - suffix.length).replace(/-$/, '') + suffix;
}
