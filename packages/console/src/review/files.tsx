import { useEffect, useState } from 'preact/hooks';
import { type Call, readCall } from '../api/calls.ts';
import { ContentError } from '../api/content-error.ts';
import { t } from '../catalog/index.ts';
import { DifferenceView } from '../text/difference-view.tsx';
import { HiddenNote, Stored, StoredBlock } from '../text/stored-text.tsx';
import { useBusy } from '../ui/busy.ts';
import { EnumValue } from '../ui/enum-value.tsx';
import { Answer, Failure, Loading } from '../ui/states.tsx';
import { Store, useStore } from '../ui/store.ts';
import { bytes } from '../ui/time.tsx';
import { type Archive, decodeText, digestOf, fromBase64, hexOf, readArchive } from './archive.ts';
import { compareManifests, type FileChange, openedKey, riskyFiles } from './file-tree.ts';
import type { ReviewParameters } from './parameters.ts';
import type { Address, ArtifactRef, Candidate, Manifest } from './types.ts';

const openedFiles = new Store<ReadonlySet<string>>(new Set());

/** Which files this person opened. */
export interface OpenedFiles {
  has(change: FileChange): boolean;
  open(change: FileChange): void;
  /** Number of executables, new or changed, that were not opened. */
  unopenedExecutables(after: Manifest | undefined, before: Manifest | undefined): number;
}

export function useOpenedFiles(): OpenedFiles {
  const opened = useStore(openedFiles);
  return {
    has: (change) => opened.has(openedKey(change)),
    open: (change) => openedFiles.set(new Set(openedFiles.value).add(openedKey(change))),
    unopenedExecutables: (after, before) =>
      after === undefined
        ? 0
        : riskyFiles(compareManifests(after, before)).filter((change) => !opened.has(openedKey(change)))
            .length,
  };
}

/** The files of a proposed package beside those of the current one (spec 60 §7.3.5). */
export function Files({
  address,
  candidate,
  manifest,
  before,
  opened,
  parameters,
}: {
  address: Address;
  candidate: Candidate;
  manifest: Call<Manifest>;
  before: Call<Manifest>;
  opened: OpenedFiles;
  parameters: ReviewParameters;
}) {
  return (
    <Answer call={manifest}>
      {(after) => {
        // Before it is known, each file would be new.
        if (candidate.target !== null && before.data === undefined)
          return <Answer call={before}>{() => null}</Answer>;
        const changes = compareManifests(after, before.data);
        const chosen = changes.find(({ path }) => path === parameters.values.file);
        const shown = changes.filter(({ kind }) => kind !== 'same' || candidate.target === null);
        const same = changes.filter((change) => !shown.includes(change));
        const list = (files: FileChange[]) => (
          <ul class="rows plain">
            {files.map((change) => (
              <li key={change.path}>
                <FileLink
                  change={change}
                  isChosen={change === chosen}
                  isOpened={opened.has(change)}
                  parameters={parameters}
                />
              </li>
            ))}
          </ul>
        );
        return (
          <>
            {list(shown)}
            {same.length > 0 && (
              <details>
                <summary>{t.unchangedFiles(same.length)}</summary>
                {list(same)}
              </details>
            )}
            {chosen !== undefined && (
              <FileView
                key={openedKey(chosen)}
                address={address}
                candidate={candidate}
                change={chosen}
                opened={opened}
              />
            )}
          </>
        );
      }}
    </Answer>
  );
}

function FileLink({
  change,
  isChosen,
  isOpened,
  parameters,
}: {
  change: FileChange;
  isChosen: boolean;
  isOpened: boolean;
  parameters: ReviewParameters;
}) {
  return (
    <a
      href={parameters.address({ tab: 'files', file: change.path })}
      {...(isChosen && { 'aria-current': 'true' as const })}
    >
      <code>
        <Stored text={change.path} />
      </code>
      <span class="facts">
        <EnumValue value={change.kind} phrases={t.fileKinds} /> · {bytes(change.file.size)}
        {change.isExecutable && <strong> · {t.executable}</strong>}
        {isOpened && ` · ${t.opened}`}
      </span>
    </a>
  );
}

type Contents = { after: Uint8Array | undefined; before: Uint8Array | undefined; isChecked: boolean };

function FileView({
  address,
  candidate,
  change,
  opened,
}: {
  address: Address;
  candidate: Candidate;
  change: FileChange;
  opened: OpenedFiles;
}) {
  const [contents, setContents] = useState<Contents | Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useBusy(contents === null);
  useEffect(() => {
    let isCurrent = true;
    const settle = (result: Contents | Error) => {
      if (!isCurrent) return;
      setContents(result);
      if (!(result instanceof Error)) opened.open(change);
    };
    readContents(address, candidate, change).then(settle, (error: Error) => settle(error));
    return () => {
      isCurrent = false;
    };
  }, [attempt]);
  if (contents === null) return <Loading />;
  if (contents instanceof Error)
    return (
      <Failure
        error={contents}
        onRetry={() => {
          setContents(null);
          setAttempt(attempt + 1);
        }}
      />
    );
  return (
    <section aria-label={change.path} class="file">
      <h3>
        <Stored text={change.path} />
      </h3>
      <p class="facts">
        <EnumValue value={change.kind} phrases={t.fileKinds} /> · {change.file.media_type} ·{' '}
        {bytes(change.file.size)} · <code>{change.file.digest}</code>
        {change.isExecutable && <strong> · {t.executable}</strong>}
        {!contents.isChecked && ` · ${t.digestUnchecked}`}
      </p>
      <FileBody change={change} contents={contents} />
    </section>
  );
}

function FileBody({ change, contents: { after, before } }: { change: FileChange; contents: Contents }) {
  const newText = after === undefined ? '' : decodeText(after);
  const oldText = before === undefined ? '' : decodeText(before);
  if (newText === null || oldText === null)
    return (
      <>
        <p class="note">{t.notText}</p>
        <StoredBlock text={hexOf(after ?? before ?? new Uint8Array())} />
      </>
    );
  if (change.kind === 'changed' || change.kind === 'removed')
    return <DifferenceView before={oldText} after={newText} label={t.differenceIn(change.path)} />;
  return (
    <>
      <HiddenNote texts={[newText]} />
      <StoredBlock text={newText} />
    </>
  );
}

/** Reads a file from the archives, and checks its digest. */
async function readContents(address: Address, candidate: Candidate, change: FileChange): Promise<Contents> {
  const { scope_id } = address;
  const after =
    change.kind === 'removed'
      ? undefined
      : fileOf(
          await readCall(
            'downloadCandidatePackage',
            { ...address, version: candidate.version },
            { isImmutable: true },
          ),
          change.path,
        );
  const needsBefore = candidate.target !== null && (change.kind === 'changed' || change.kind === 'removed');
  const before = needsBefore
    ? fileOf(
        await readCall(
          'downloadSkillPackage',
          { scope_id, artifact: candidate.target as ArtifactRef },
          { isImmutable: true },
        ),
        change.path,
      )
    : undefined;
  const digest = await digestOf(after ?? before ?? new Uint8Array());
  if (digest !== null && digest !== change.file.digest)
    throw new ContentError(
      t.digestDiffers(change.path),
      change.kind === 'removed' ? 'download_skill_package' : 'download_candidate_package',
    );
  return { after, before, isChecked: digest !== null };
}

const archives = new WeakMap<object, Archive>();

function fileOf(download: { archive_base64: string }, path: string): Uint8Array {
  const archive = archives.get(download) ?? readArchive(fromBase64(download.archive_base64));
  archives.set(download, archive);
  const file = archive.get(path);
  if (file === undefined) throw new ContentError(t.fileMissing(path), 'download_candidate_package');
  return file;
}
