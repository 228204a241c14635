import { exampleRegistration } from '@continuity/contract/external-skills';
import type { Client } from '@continuity/testing';
import { temporaryDirectory } from '@continuity/testing';
import { releaseCheck, writeSkill, writeSkillHosts } from '../../support/external-skills.ts';
import type { TestService } from '../../support/service.ts';
import { query } from '../../support/sql.ts';
import { type Request, sendExample } from './requests.ts';

const root = await temporaryDirectory('skills');
const { host_id, agent_kind, installation_scope, fingerprint, name, description } = exampleRegistration;
const locator = await writeSkill(root, name, releaseCheck);

/** The settings of a deployment whose one host has the package of the examples. */
export const externalSkills = {
  EXTERNAL_SKILLS_FILE: await writeSkillHosts({ [host_id]: [{ path: root }] }),
};

/** Registers the package of the examples as a scan would, which some places have no worker for. */
export async function registerExample(client: Client, scope: string): Promise<Partial<Request>> {
  await sendExample(client, 'capture_content_source', scope);
  await query(
    (client as TestService).databaseUrl,
    `INSERT INTO external_skills
     SELECT tenant_id, scope_key, $2, $3, $4, $5, $6, decode($7, 'hex'), $8, $9 FROM scopes WHERE scope_id = $1
     ON CONFLICT DO NOTHING`,
    [
      scope,
      exampleRegistration.external_skill_id,
      host_id,
      agent_kind,
      installation_scope,
      locator,
      fingerprint,
      name,
      description,
    ],
  );
  return {};
}

/** The same, for an import that needs a generator. */
export async function registerForFork(client: Client, scope: string): Promise<Partial<Request>> {
  await registerExample(client, scope);
  return { body: { mode: 'fork' } };
}

/** Names a version that the host does not have. */
export async function nameOtherVersion(client: Client, scope: string): Promise<Partial<Request>> {
  await registerExample(client, scope);
  return { body: { fingerprint: '0'.repeat(64) } };
}
