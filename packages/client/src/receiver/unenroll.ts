import { join } from 'node:path';
import { removeDurably } from './durable-files.ts';
import { removeTree } from './folders.ts';
import { type Project, receiverOf, requireConfig, withLockedProject } from './open-project.ts';
import { requireRecovered } from './recover.ts';

/**
 * Forgets the credential and what was installed. The installed Skills stay. Returns the target, which the service still knows. Throws
 * `ReceiverError` if the project is not enrolled, or a Receiver works in it.
 */
export async function unenroll(options: Project): Promise<{ targetId: string }> {
  return await withLockedProject(options, async (project) => {
    const { files, workspace } = project;
    const config = await requireConfig(files, workspace);
    const receiver = receiverOf(project, config);
    await requireRecovered(receiver);
    // The credential goes first: without it, the rest means nothing.
    await removeDurably(files.configuration);
    await removeTree(join(workspace, ...receiver.folders.state));
    return { targetId: receiver.targetId };
  });
}
