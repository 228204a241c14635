import { useCall } from '../api/calls.ts';
import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { Answer } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { isUuid, type PastedRevision, readPastedRevision } from './pasted-id.ts';

/** What a pasted id names, where no page shows it: a job, or a revision of an Experience, a Skill or a Handoff. */
export function JumpResult({ text, scope }: { text: string; scope: string | undefined }) {
  const revision = readPastedRevision(text);
  if (revision !== null && scope !== undefined)
    return <PastedArtifact key={text} scope={scope} revision={revision} />;
  return isUuid(text) ? <PastedJob key={text} id={text} /> : null;
}

/** Nothing, unless the tenant has such a job. */
function PastedJob({ id }: { id: string }) {
  const { data: job } = useCall('getJob', { job_id: id }, { isBackground: true });
  if (job === undefined) return null;
  const { operation, status, scope_id, created_at, finished_at, error } = job;
  return (
    <section class="note" aria-label={t.job}>
      <p>
        <strong>{t.job}</strong> <code>{operation}</code> ·{' '}
        <EnumValue value={status} phrases={t.jobStatuses} />
        {scope_id !== null && (
          <>
            {' '}
            · <Stored text={scope_id} />
          </>
        )}{' '}
        · <Time value={finished_at ?? created_at} />
      </p>
      {error !== null && (
        <p>
          <code>{error.code}</code> <Stored text={error.message} />
        </p>
      )}
    </section>
  );
}

type Content = AnswerOf<'getArtifactRevision'>['content'];

function PastedArtifact({
  scope,
  revision: { family, artifact_id, revision },
}: {
  scope: string;
  revision: PastedRevision;
}) {
  const call = useCall(
    'getArtifactRevision',
    { scope_id: scope, family, artifact_id, revision: String(revision) },
    { isBackground: true, isImmutable: true },
  );
  return (
    <section class="note" aria-label={t.evidenceKinds[family]}>
      <p>
        <strong>{t.evidenceKinds[family]}</strong> <code>{artifact_id}</code> · {t.revision(revision)}
      </p>
      <Answer call={call}>
        {({ content }) => (
          <>
            <HiddenNote texts={[textOf(content)]} />
            <StoredBlock text={textOf(content)} />
          </>
        )}
      </Answer>
    </section>
  );
}

/** The fields of a content, one after the other. */
function textOf(content: Content): string {
  return Object.entries(content)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}\n${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n\n');
}
