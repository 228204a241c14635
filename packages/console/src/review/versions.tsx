import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { Stored } from '../text/stored-text.tsx';
import { Select } from '../ui/fields.tsx';
import { Answer } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { textOf } from './content-text.ts';
import type { Address, Candidate, CandidateVersion } from './types.ts';

const shownVersions = 20;

/** The versions of a Candidate, and the difference of any two of those listed. */
export function Versions({ address, candidate }: { address: Address; candidate: Candidate }) {
  const [cursor, setCursor] = useState<string | null>(null);
  const call = useCall('listCandidateVersions', { ...address, limit: shownVersions, cursor });
  return (
    <Answer call={call}>
      {({ versions, next_cursor }) => (
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
          <p class="parts">
            {cursor !== null && (
              <button type="button" onClick={() => setCursor(null)}>
                {t.firstPage}
              </button>
            )}
            {next_cursor !== null && (
              <button type="button" onClick={() => setCursor(next_cursor)}>
                {t.nextPage}
              </button>
            )}
          </p>
          {versions.length > 1 && <Comparison versions={versions} current={candidate.version} />}
        </>
      )}
    </Answer>
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
