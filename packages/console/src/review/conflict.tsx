import { ServiceError } from '@continuity/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { may } from '../api/session.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { Stored } from '../text/stored-text.tsx';
import { Answer, Failure } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { textOf } from './content-text.ts';
import { markDecided } from './inbox.ts';
import {
  type Address,
  type ArtifactRef,
  type BareCandidate,
  type Candidate,
  isSkill,
  refText,
  sameRef,
} from './types.ts';

interface ConflictProps {
  address: Address;
  candidate: Candidate;
  /** Null: the inbox says that the target moved. */
  error: Error | null;
  onChanged: () => void;
  onDone: () => void;
  onReject: () => void;
  onRevise: () => void;
  /** Opens the form that proposes the content again for this head. */
  onAnew: (head: ArtifactRef) => void;
  /** What that form made. */
  made: BareCandidate | null;
}

/** What changed, and the ways on (the table of spec 60 §7.3). */
export function Conflict(props: ConflictProps) {
  const { error } = props;
  if (error === null) return <TargetMoved {...props} current={null} />;
  if (error instanceof ServiceError) {
    if (error.is('candidate_conflict')) return <NewerVersion {...props} />;
    if (error.is('candidate_terminal')) return <AlreadyDecided {...props} />;
    if (error.is('artifact_conflict') && 'current' in error.details)
      return <TargetMoved {...props} current={error.details.current} />;
    if (error.is('governance_conflict'))
      return (
        <Notice text={governanceText(error.details)}>
          {may('reviewer') && (
            <button type="button" onClick={props.onReject}>
              {t.reject}
            </button>
          )}
        </Notice>
      );
    if (error.status === 422)
      return (
        <>
          <Failure error={error} />
          <button type="button" onClick={props.onRevise}>
            {t.revise}
          </button>
        </>
      );
  }
  return <Failure error={error} />;
}

/** The lifecycle of the Skill, or its replacement, in words. */
function governanceText(details: object): string {
  if ('replacement_artifact_id' in details)
    return t.replacementRetired(String(details.replacement_artifact_id));
  return t.lifecycleForbids(
    t.lifecycles['lifecycle_state' in details ? (details.lifecycle_state as 'retired') : 'retired'],
  );
}

/** A conflict and its ways on. The first one takes the focus of the form that ended with the conflict. */
function Notice({ text, children }: { text: string; children: ComponentChildren }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (document.activeElement === document.body)
      element.current?.querySelector<HTMLElement>('button.primary')?.focus();
  }, []);
  return (
    <div ref={element} class="failure" role="alert">
      <p>
        <strong>{text}</strong>
      </p>
      {children}
    </div>
  );
}

/** Somebody revised the Candidate meanwhile. */
function NewerVersion({ address, candidate, onChanged }: ConflictProps) {
  const versions = useCall('listCandidateVersions', { ...address, limit: 1 });
  return (
    <Answer call={versions}>
      {({ versions: [newest] }) =>
        newest === undefined ? null : (
          <Notice text={t.newerVersion(newest.candidate.version, candidate.version)}>
            <p>
              {newest.actor !== null && (
                <>
                  <Stored text={newest.actor.label} /> ·{' '}
                </>
              )}
              <Time value={newest.created_at} />
            </p>
            <DifferenceView
              before={textOf(candidate.proposal)}
              after={textOf(newest.candidate.proposal)}
              label={t.differenceOf(String(candidate.version), String(newest.candidate.version))}
            />
            <button type="button" class="primary" onClick={onChanged}>
              {t.showVersion(newest.candidate.version)}
            </button>
          </Notice>
        )
      }
    </Answer>
  );
}

/** Somebody decided meanwhile. */
function AlreadyDecided({ address, error, onDone }: ConflictProps) {
  const { scope_id, candidate_id } = address;
  const inbox = useCall('listCandidateInbox', {
    selection: { mode: 'exact', scope_ids: [scope_id] },
    candidate_id,
    limit: 2,
  });
  const item = inbox.data?.items[0];
  const details = error instanceof ServiceError && error.is('candidate_terminal') ? error.details : undefined;
  const status = details?.status ?? 'rejected';
  // Also a person who moves on by a row or a key leaves it out of those that wait.
  useEffect(() => () => markDecided(address, status), []);
  return (
    <Notice text={t.alreadyDecided(t.decisions[status])}>
      <p>
        {item?.decided_by != null && (
          <>
            <Stored text={item.decided_by.label} /> ·{' '}
          </>
        )}
        {item?.decided_at != null && <Time value={item.decided_at} />}
        {details?.result_artifact != null && (
          <>
            {' '}
            · <code>{refText(details.result_artifact)}</code>
          </>
        )}
      </p>
      <div class="buttons">
        <a href={addressOf('review', { candidate: candidate_id, of: scope_id, status })}>{t.showResult}</a>
        <button
          type="button"
          class="primary"
          onClick={() => {
            markDecided(address, status);
            onDone();
          }}
        >
          {t.nextCandidate}
        </button>
      </div>
    </Notice>
  );
}

/** The target is not the head of its Artifact. */
function TargetMoved({
  address,
  candidate,
  current,
  made,
  onReject,
  onAnew,
}: ConflictProps & { current: ArtifactRef | null }) {
  const inbox = useCall(
    'listCandidateInbox',
    current === null
      ? {
          selection: { mode: 'exact', scope_ids: [address.scope_id] },
          candidate_id: address.candidate_id,
          limit: 2,
        }
      : null,
  );
  const head = current ?? inbox.data?.items[0]?.head ?? null;
  const { target } = candidate;
  if (head === null || target === null) return null;
  const isRetired = sameRef(head, target);
  return (
    <Notice
      text={isRetired ? t.targetRetired(refText(target)) : t.targetMoved(target.revision, head.revision)}
    >
      {made !== null && (
        <p>
          <a href={addressOf('review', { candidate: made.candidate_id, of: address.scope_id })}>
            {t.proposedAnew}
          </a>{' '}
          {t.rejectTheOld}
        </p>
      )}
      <div class="buttons">
        {may('reviewer') && (
          <button type="button" onClick={onReject}>
            {t.rejectStale}
          </button>
        )}
        {made === null && !isRetired && (
          <button type="button" onClick={() => onAnew(head)}>
            {t.proposeAnew}
          </button>
        )}
      </div>
    </Notice>
  );
}

/** What changed between the target and the head. */
export function HeadDifference({
  address,
  candidate,
  head,
}: {
  address: Address;
  candidate: Candidate;
  head: ArtifactRef;
}) {
  const target = candidate.target ?? head;
  const isOfSkill = isSkill(candidate.proposal);
  const of = (artifact: ArtifactRef, wanted: boolean) =>
    wanted ? { scope_id: address.scope_id, artifact } : null;
  const skills = [
    useCall('getSkill', of(target, isOfSkill), { isImmutable: true }),
    useCall('getSkill', of(head, isOfSkill), { isImmutable: true }),
  ];
  const experiences = [
    useCall('getExperience', of(target, !isOfSkill), { isImmutable: true }),
    useCall('getExperience', of(head, !isOfSkill), { isImmutable: true }),
  ];
  const [before, after] = (isOfSkill ? skills : experiences).map(({ data }) => data?.content);
  if (before === undefined || after === undefined) return null;
  return (
    <DifferenceView
      before={textOf(before)}
      after={textOf(after)}
      label={t.differenceOf(refText(target), refText(head))}
    />
  );
}
