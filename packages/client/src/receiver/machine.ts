import { createHash } from 'node:crypto';
import { arch, hostname, platform } from 'node:os';
import { basename } from 'node:path';
import type { AgentKind } from '@continuity/skill-packages/export';
import canonicalize from 'canonicalize';

/** Version of this package, which the service shows. */
export const receiverVersion = '0.1.0';

/** Digest of agent, operating system and architecture. Contains no secret and no path. */
export function environmentFingerprintOf(agent: AgentKind): string {
  const environment = {
    agent_kind: agent,
    installation_scope: 'project',
    operating_system: platform(),
    architecture: arch(),
  };
  return createHash('sha256')
    .update(canonicalize(environment) ?? '')
    .digest('hex');
}

/** Names of machine and workspace, for people. Null for a name that the contract does not allow. */
export function namesOf(workspace: string): {
  machine_hostname: string | null;
  workspace_name: string | null;
} {
  return { machine_hostname: toLabel(hostname(), 255), workspace_name: toLabel(basename(workspace), 128) };
}

function toLabel(name: string, maxLength: number): string | null {
  const isLabel = name.trim() !== '' && [...name].length <= maxLength && !/[/\\\p{Cc}]/u.test(name);
  return isLabel ? name : null;
}
