import { decodeBase64, openArchive, PackageRefusal, sha256 } from '@continuity/skill-packages';
import { serveTasks } from '../../kernel/threads/index.ts';
import { projectText } from '../../search/index.ts';
import type { SkillTask, SkillTaskResult } from './tasks.ts';

// A thread of the Skill threads. It has no access to the database or to settings.

serveTasks<SkillTask, SkillTaskResult>(
  (task) =>
    task.kind === 'open'
      ? open(task.archiveBase64)
      : { kind: 'projected', projection: projectText(task.corpus, task.text) },
  (result) => (result.kind === 'opened' ? [result.opened.archive.buffer] : []),
);

function open(archiveBase64: string): SkillTaskResult {
  try {
    const upload = decodeBase64(archiveBase64);
    const { files: _views, ...opened } = openArchive(upload);
    return { kind: 'opened', opened: { ...opened, uploadDigest: sha256(upload).toString('hex') } };
  } catch (error) {
    if (!(error instanceof PackageRefusal)) throw error;
    const { reason, message, entry, field } = error;
    return { kind: 'refused', refused: { reason, message, entry, field } };
  }
}
