import type { AgentKind } from '@continuity/contract/skill-format';
import type { SkillPackage } from '@continuity/skill-packages';
import type { RefusedPackage } from '../../skills/index.ts';

/** A package on the disk of this host. `path` is absolute and has no links. */
export interface SkillDirectory {
  path: string;
  /** Name of the directory. */
  name: string;
}

/** A task of a thread. */
export type ReadTask =
  | { kind: 'list'; root: string }
  | { kind: 'describe'; directory: SkillDirectory; agentKind: AgentKind }
  | { kind: 'fingerprint'; directory: SkillDirectory }
  | { kind: 'capture'; directory: SkillDirectory }
  | { kind: 'rename'; archive: Uint8Array; name: string };

/** The directories below a root. */
export interface ListedRoot {
  /** Names in byte order. */
  names: string[];
  /** Directories whose names are not UTF-8. */
  unreadable: number;
}

/** A package that can be registered. */
export interface DescribedSkill {
  fingerprint: string;
  name: string;
  description: string;
}

/** A package without its files, which are views of the archive. */
export type PackageBytes = Omit<SkillPackage, 'files'>;

/** Why a directory is no External Skill, without a trailing full stop, and where in its `SKILL.md`. */
export interface ReadFault {
  message: string;
  line: number | null;
  column: number | null;
}

/** A fault without a place. */
export function faultOf(message: string): ReadFault {
  return { message, line: null, column: null };
}

export type ReadResult =
  | { kind: 'listed'; listed: ListedRoot }
  | { kind: 'described'; described: DescribedSkill }
  | { kind: 'fingerprint'; fingerprint: string }
  | { kind: 'captured'; fingerprint: string; package: PackageBytes }
  | { kind: 'renamed'; package: PackageBytes }
  /** The tree breaks a rule of packages. `fingerprint` is null for one that was not read from the disk. */
  | { kind: 'refused'; fingerprint: string | null; refused: RefusedPackage }
  /** The directory is no External Skill, or changed while it was read. */
  | ({ kind: 'unreadable' } & ReadFault);
