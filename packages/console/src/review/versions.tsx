import { useState } from 'preact/hooks';
import { readCall, useCall } from '../api/calls.ts';
import type { AnswerOf } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { Stored } from '../text/stored-text.tsx';
import { Select } from '../ui/fields.tsx';
import { Answer, Failure } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { textOf } from './content-text.ts';
import type { Address, Candidate, CandidateVersion } from './types.ts';

const shownVersions = 20;

type Page = AnswerOf<'listCandidateVersions'>;

/** The versions of a Candidate, and the difference of any two of them. */
export function Versions({ address, candidate }: { address: Address; candidate: Candidate }) {
  const request = (cursor: string | null) => ({ ...address, limit: shownVersions, cursor });
  const call = useCall('listCandidateVersions', request(null));
  const [older, setOlder] = useState<Page[]>([]);
  const [failure, setFailure] = useState<Error | null>(null);
  const showOlder = (cursor: string) =>
    readCall('listCandidateVersions', request(cursor)).then(
      (page) => setOlder([...older, page]),
      (error: Error) => setFailure(error),
    );
  return (
    <Answer call={call}>
      {(first) => (
        <AllVersions
          versions={[first, ...older].flatMap((page) => page.versions)}
          nextCursor={(older.at(-1) ?? first).next_cursor}
          candidate={candidate}
          failure={failure}
          onOlder={showOlder}
        />
      )}
    </Answer>
  );
}

function AllVersions({
  versions,
  nextCursor,
  candidate,
  failure,
  onOlder,
}: {
  versions: CandidateVersion[];
  nextCursor: string | null;
  candidate: Candidate;
  failure: Error | null;
  onOlder: (cursor: string) => void;
}) {
  return (
    <>
      <ul class="rows plain">
        {versions.map(({ candidate: { version, reason }, created_at, actor }) => (
          <li key={version}>
            <strong>{t.version(version)}</strong> · <Time value={created_at} />
            {actor !== null && (
              <>
                {' '}
                · <Stored text={actor.label} />
              </>
            )}
            {reason !== null && (
              <>
                {' '}
                · <Stored text={reason} />
              </>
            )}
          </li>
        ))}
      </ul>
      {failure !== null && <Failure error={failure} />}
      {nextCursor !== null && (
        <button type="button" onClick={() => onOlder(nextCursor)}>
          {t.olderVersions}
        </button>
      )}
      {versions.length > 1 && <Comparison versions={versions} current={candidate.version} />}
    </>
  );
}

function Comparison({ versions, current }: { versions: CandidateVersion[]; current: number }) {
  const newest = versions[0]?.candidate.version ?? current;
  const [from, setFrom] = useState(String(versions[1]?.candidate.version ?? newest));
  const [to, setTo] = useState(String(newest));
  const contentOf = (version: string) =>
    versions.find(({ candidate }) => String(candidate.version) === version)?.candidate.proposal ??
    versions[0]?.candidate.proposal;
  const options = versions.map(
    ({ candidate: { version } }) => [String(version), t.version(version)] as const,
  );
  const [before, after] = [contentOf(from), contentOf(to)];
  return (
    <>
      <div class="filters">
        <Select label={t.before} value={from} options={options} onChange={setFrom} />
        <Select label={t.after} value={to} options={options} onChange={setTo} />
      </div>
      {before !== undefined && after !== undefined && (
        <DifferenceView before={textOf(before)} after={textOf(after)} label={t.differenceOf(from, to)} />
      )}
    </>
  );
}
