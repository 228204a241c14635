import {
  ProtocolError,
  ProtocolErrorCode,
  type Resource,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import { tryDecode } from '../http/raw-path.ts';
import { callTool, readToolInput } from './call-tool.ts';
import { readMemory } from './memory-resource.ts';
import { readHandoff } from './read-handoff.ts';
import type { McpSession } from './session.ts';

/** Skills that a list of resources names. */
const maxListedSkills = 100;

interface Content {
  uri: string;
  mimeType: string;
  text: string;
}

const markdown = 'text/markdown';

/** A Skill of the library, as far as a list of resources needs it. */
interface ListedSkill {
  artifact: { artifact_id: string };
  content: { name: string; description: string };
}

const memory = {
  name: 'scope_memory',
  title: 'Memory of a Scope',
  description:
    'The active entries of the Scope Memory as a Markdown list, at most 64 KiB. Its last paragraph says what is left out, if anything is.',
  mimeType: markdown,
};

const handoff = {
  name: 'scope_handoff',
  title: 'Latest Handoff of a Scope',
  description: 'Where the work stands and what comes next, at most 4,000 bytes.',
  mimeType: 'text/plain',
};

const skillFile = {
  name: 'skill_file',
  title: 'Text file of a Skill',
  description:
    'A text file of the current revision of a reviewed Skill, at most 131,072 bytes. `SKILL.md` has its instructions.',
  mimeType: 'text/plain',
};

/** The resources of a Scope (spec 70 §5.3). */
export const resourceTemplates: ResourceTemplateType[] = [
  { ...memory, uriTemplate: 'continuity://scopes/{scope_id}/memory' },
  { ...handoff, uriTemplate: 'continuity://scopes/{scope_id}/handoff' },
  { ...skillFile, uriTemplate: 'continuity://scopes/{scope_id}/skills/{artifact_id}/{+path}' },
];

/** Lists the resources of the Scope of calls that name none; nothing without such a Scope. */
export async function listResources(session: McpSession): Promise<Resource[]> {
  const { scope, handlers, caller } = session;
  if (scope === undefined) return [];
  const input = readToolInput('list_managed_skills', { scope_id: scope, limit: maxListedSkills });
  const answer = await callTool(handlers, caller, 'list_managed_skills', input);
  const base = `continuity://scopes/${encodeURIComponent(scope)}`;
  const { skills } = answer as { skills: ListedSkill[] };
  return [
    { ...memory, uri: `${base}/memory` },
    { ...handoff, uri: `${base}/handoff` },
    ...skills.map(({ artifact, content }) => ({
      name: content.name,
      description: content.description,
      uri: `${base}/skills/${encodeURIComponent(artifact.artifact_id)}/SKILL.md`,
      mimeType: markdown,
    })),
  ];
}

/** Reads a resource. Throws a JSON-RPC error for an unknown one, and the errors of its operation. */
export async function readResource(session: McpSession, uri: string): Promise<Content> {
  const [, scope = '', rest = ''] = /^continuity:\/\/scopes\/([^/?#]+)\/([^?#]+)$/.exec(uri) ?? [];
  const scope_id = tryDecode(scope);
  const segments = rest.split('/').map(tryDecode);
  if (!scope_id || segments.includes(undefined)) throw unknown();
  const [kind, artifactId, ...path] = segments as string[];
  if (kind === 'memory' && artifactId === undefined)
    return { uri, mimeType: markdown, text: await readMemory(session, scope_id) };
  if (kind === 'handoff' && artifactId === undefined) {
    const text = await readHandoff(session, { scope_id });
    return { uri, mimeType: 'text/plain', text: text ?? 'The Scope has no Handoff yet.' };
  }
  if (kind !== 'skills' || artifactId === undefined) throw unknown();
  const text = await session.readSkillFile({ scopeId: scope_id, artifactId, path: path.join('/') });
  if (text === undefined) throw unknown();
  return { uri, mimeType: uri.endsWith('.md') ? markdown : 'text/plain', text };
}

function unknown(): ProtocolError {
  const known = resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(', ');
  const message = `Unknown resource. Read ${known}. A file must be text of at most 131,072 bytes in a Skill that is not retired.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
