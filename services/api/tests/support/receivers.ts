import { join } from 'node:path';
import { temporaryDirectory } from '@continuity/testing';
import { enroll } from '../../../../packages/client/src/receiver/enroll.ts';
import { syncOnce } from '../../../../packages/client/src/receiver/run.ts';
import { remoteCalls } from './remote-skills.ts';
import type { TestService } from './service.ts';

/** An enrolled project, whose Receiver runs in this process. */
export interface EnrolledProject {
  target: string;
  /** Folder of the installed Skills. */
  root: string;
  /** Syncs once. A sync that is refused with 503 is repeated by the caller, as the watch does. */
  sync(): Promise<void>;
}

/** Creates a target in the Scope, and enrolls a project of its own with it. */
export async function enrollProject(service: TestService, scope: string): Promise<EnrolledProject> {
  const project = await temporaryDirectory('project');
  const { target, enrollment_code: code } = (await remoteCalls(service).create(scope)).body;
  const options = { project, agent: 'codex' as const, replaces: false, allowInsecureHttp: false };
  await enroll({ ...options, code, serverUrl: service.url });
  return {
    target: target.target_id,
    root: join(project, '.agents/skills'),
    sync: async () => {
      await syncOnce(options, new AbortController().signal).catch((error: { status?: number }) => {
        if (error.status !== 503) throw error;
      });
    },
  };
}
