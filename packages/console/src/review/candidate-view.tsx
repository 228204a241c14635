import { useCallback, useState } from 'preact/hooks';
import { type Call, useCall } from '../api/calls.ts';
import { t } from '../catalog/index.ts';
import { type KeyAction, shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { Stored } from '../text/stored-text.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { Answer } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { Conflict, HeadDifference } from './conflict.tsx';
import { fieldsOf } from './content-text.ts';
import { DecisionBar } from './decision-bar.tsx';
import { Evidence } from './evidence.tsx';
import { Files, useOpenedFiles } from './files.tsx';
import { PackageFacts, packageOf } from './package-facts.tsx';
import { type ReviewParameters, tabs } from './parameters.ts';
import { ProposalView } from './proposal-view.tsx';
import { ProposeAnew } from './propose-anew.tsx';
import { ReviseForm } from './revise-form.tsx';
import { Similar } from './similar.tsx';
import {
  type Address,
  type ArtifactRef,
  type BareCandidate,
  type Candidate,
  type InboxItem,
  isSkill,
  type Manifest,
  refText,
} from './types.ts';
import { Versions } from './versions.tsx';

type Tab = (typeof tabs)[number];

interface CandidateProps {
  address: Address;
  item: InboxItem | undefined;
  parameters: ReviewParameters;
  onDone: () => void;
}

/** The region "Candidate". */
export function CandidateView(props: CandidateProps) {
  const call = useCall('getArtifactCandidate', props.address);
  return (
    <section class="candidate" aria-label={t.candidate}>
      <a
        class="to-list"
        href={props.parameters.address({ candidate: null, of: null, file: null })}
        aria-keyshortcuts={shortcutsOf('back')}
      >
        ← {t.candidates}
      </a>
      <Answer call={call} rows={10}>
        {(candidate) => <Shown {...props} candidate={candidate} onChanged={call.refetch} />}
      </Answer>
      {call.error !== null && call.data === undefined && (
        <p>
          <code>{props.address.candidate_id}</code>
        </p>
      )}
    </section>
  );
}

function Shown({
  address,
  item,
  parameters,
  onDone,
  candidate,
  onChanged,
}: CandidateProps & { candidate: Candidate; onChanged: () => void }) {
  const [form, setForm] = useState<'revise' | ArtifactRef | null>(null);
  const [made, setMade] = useState<BareCandidate | null>(null);
  const close = () => setForm(null);
  const files = usePackage(address, candidate, parameters.values.tab === 'files');
  const shownTabs = tabs.filter((tab) => tab !== 'files' || files !== null);
  const tab = shownTabs.includes(parameters.values.tab) ? parameters.values.tab : 'proposal';
  const opened = useOpenedFiles();
  const version = `${candidate.candidate_id}@${candidate.version}`;
  const [drawn, setDrawn] = useState<string | null>(null);
  const onDrawn = useCallback(() => setDrawn(version), [version]);
  const isReadable = drawn === version && (files === null || files.manifest.data !== undefined);
  if (form === 'revise')
    return (
      <ReviseForm
        address={address}
        candidate={candidate}
        onClose={close}
        onSaved={() => {
          close();
          onChanged();
        }}
        onConflict={onChanged}
        conflictOf={(error) => (
          <Conflict
            address={address}
            candidate={candidate}
            error={error}
            onChanged={onChanged}
            onDone={onDone}
            onReject={close}
            onRevise={close}
            onAnew={setForm}
            made={made}
          />
        )}
      />
    );
  if (form !== null)
    return (
      <>
        <HeadDifference address={address} candidate={candidate} head={form} />
        <ProposeAnew
          address={address}
          candidate={candidate}
          head={form}
          onClose={close}
          onMade={(proposed) => {
            setMade(proposed);
            close();
          }}
        />
      </>
    );
  return (
    <>
      <Heading candidate={candidate} item={item} />
      <Tabs candidate={candidate} shown={shownTabs} chosen={tab} parameters={parameters} />
      <div class={`detail${tab === 'evidence' ? ' at-evidence' : ''}`}>
        <div
          id={`panel-${tab === 'evidence' ? 'proposal' : tab}`}
          role="tabpanel"
          aria-labelledby={`tab-${tab}`}
          class="panel"
        >
          <div hidden={tab !== 'proposal' && tab !== 'evidence'}>
            <PackageFacts candidate={candidate} />
            <ProposalView
              address={address}
              candidate={candidate}
              head={item?.head ?? null}
              onDrawn={onDrawn}
            />
          </div>
          {tab === 'files' && files !== null && (
            <Files
              address={address}
              candidate={candidate}
              manifest={files.manifest}
              before={files.before}
              opened={opened}
              parameters={parameters}
            />
          )}
          {tab === 'versions' && <Versions address={address} candidate={candidate} />}
          {tab === 'similar' && <Similar address={address} candidate={candidate} />}
        </div>
        <section id="panel-evidence" class="evidence" aria-label={t.evidence}>
          <Evidence
            address={address}
            candidate={candidate}
            proposalText={fieldsOf(candidate.proposal)
              .map(({ text }) => text)
              .join('\0')}
          />
        </section>
      </div>
      <DecisionBar
        key={version}
        address={address}
        candidate={candidate}
        item={item}
        isReadable={isReadable}
        unopened={opened.unopenedExecutables(files?.manifest.data, files?.before.data)}
        onDone={onDone}
        onRevise={() => setForm('revise')}
        onAnew={setForm}
        made={made}
        onChanged={onChanged}
      />
    </>
  );
}

/**
 * The manifests of the proposed package and of the one that it replaces; null for a Candidate without a package. `areFilesShown`: the page
 * waits for both.
 */
function usePackage(
  address: Address,
  candidate: Candidate,
  areFilesShown: boolean,
): { manifest: Call<Manifest>; before: Call<Manifest> } | null {
  const { proposal, version, target } = candidate;
  const hasPackage = isSkill(proposal) && proposal.package !== null;
  const manifest = useCall('getCandidatePackageManifest', hasPackage ? { ...address, version } : null, {
    isImmutable: true,
  });
  const before = useCall(
    'getSkillPackageManifest',
    hasPackage && target !== null ? { scope_id: address.scope_id, artifact: target } : null,
    { isImmutable: true, isBackground: !areFilesShown },
  );
  return hasPackage ? { manifest, before } : null;
}

interface TabsProps {
  candidate: Candidate;
  shown: readonly Tab[];
  chosen: Tab;
  parameters: ReviewParameters;
}

function Tabs({ candidate, shown, chosen, parameters }: TabsProps) {
  const labels: Record<Tab, string> = {
    proposal: t.proposal,
    evidence: t.evidenceTab(candidate.source_refs.length + candidate.artifact_refs.length),
    files: t.filesTab(packageOf(candidate)?.file_count ?? 0),
    versions: t.versionsTab(candidate.version),
    similar: t.similar,
  };
  return (
    <div class="tabs" role="tablist" aria-label={t.candidate}>
      {shown.map((tab, index) => (
        <TabButton
          key={tab}
          label={labels[tab]}
          isChosen={tab === chosen}
          name={tab}
          action={`tab${index + 1}` as KeyAction}
          onChoose={() => parameters.set({ tab, file: null })}
        />
      ))}
    </div>
  );
}

function TabButton({
  label,
  name,
  isChosen,
  action,
  onChoose,
}: {
  label: string;
  name: Tab;
  isChosen: boolean;
  action: KeyAction;
  onChoose: () => void;
}) {
  useKey(action, onChoose);
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${name}`}
      class={`tab-${name}`}
      aria-selected={isChosen}
      aria-controls={`panel-${name}`}
      aria-keyshortcuts={shortcutsOf(action)}
      onClick={onChoose}
    >
      {label}
    </button>
  );
}

function Heading({ candidate, item }: { candidate: Candidate; item: InboxItem | undefined }) {
  const { proposal } = candidate;
  const title = isSkill(proposal)
    ? proposal.name
    : (item?.title ?? proposal.lesson.trim().split('\n', 1)[0]?.slice(0, 240) ?? '');
  return (
    <div class="candidate-head">
      <h2 tabIndex={-1}>
        <Stored text={title} />
      </h2>
      <p class="facts">
        <EnumValue value={candidate.family} phrases={t.families} /> · {t.version(candidate.version)}
        {item !== undefined && (
          <>
            {' '}
            · <EnumValue value={item.origin} phrases={t.origins} /> · <Stored text={item.scope_title} /> ·{' '}
            <Time value={item.created_at} />
          </>
        )}
        {candidate.target !== null && (
          <>
            {' '}
            · {t.replacesRevision(candidate.target.revision)} <code>{refText(candidate.target)}</code>
          </>
        )}
      </p>
      {candidate.reason !== null && (
        <p>
          {t.reasonOfVersion}: <Stored text={candidate.reason} />
        </p>
      )}
      {item?.stale != null && candidate.status === 'pending' && (
        <p class="note warning">
          <EnumValue value={item.stale} phrases={t.stale} />
        </p>
      )}
      {candidate.status !== 'pending' && <Decided candidate={candidate} item={item} />}
    </div>
  );
}

function Decided({ candidate, item }: { candidate: Candidate; item: InboxItem | undefined }) {
  return (
    <p class="note">
      <strong>
        <EnumValue value={candidate.status} phrases={t.statuses} />
      </strong>
      {item?.decided_by != null && (
        <>
          {' '}
          · <Stored text={item.decided_by.label} />
        </>
      )}
      {item?.decided_at != null && (
        <>
          {' '}
          · <Time value={item.decided_at} />
        </>
      )}
      {candidate.result_artifact !== null && (
        <>
          {' '}
          · <code>{refText(candidate.result_artifact)}</code>
        </>
      )}
      {candidate.decision_reason !== null && (
        <>
          {' '}
          · <Stored text={candidate.decision_reason} />
        </>
      )}
    </p>
  );
}
