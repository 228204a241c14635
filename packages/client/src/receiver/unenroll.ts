import { join } from 'node:path';
import { removeDurably } from './durable-files.ts';
import { removeTree } from './folders.ts';
import { type Project, receiverOf, requireConfig, withLockedProject } from './open-project.ts';
import { requireRecovered } from './recover.ts';

/**
 * Removes the credential and the state. The installed Skills stay, and the service still has the target. Throws `ReceiverError` if the
 * project is not enrolled, or a Receiver runs in it.
 */
export async function unenroll(options: Project): Promise<{ targetId: string }> {
  return await withLockedProject(options, async (project) => {
    const { files, workspace } = project;
    const config = await requireConfig(files, workspace);
    const receiver = receiverOf(project, config);
    await requireRecovered(receiver);
    // The credential first, because the other files are useless without it.
    await removeDurably(files.configuration);
    await removeTree(join(workspace, ...receiver.folders.state));
    return { targetId: receiver.targetId };
  });
}
