import { useState } from 'preact/hooks';
import { useCall } from '../api/calls.ts';
import { readRevision } from '../app/pasted-id.ts';
import { t } from '../catalog/index.ts';
import { Stored } from '../text/stored-text.tsx';
import { useDebounced } from '../ui/debounce.ts';
import { TextField } from '../ui/fields.tsx';
import { type ArtifactRef, refText, type SourceRef, sameRef } from './types.ts';

interface EvidenceProps {
  sources: SourceRef[];
  artifacts: ArtifactRef[];
  /** Always cited: it cannot be removed. */
  target: ArtifactRef | null;
  scope: string;
  onChange: (change: { sources?: SourceRef[]; artifacts?: ArtifactRef[] }) => void;
}

/** The cited evidence: order, remove, add by id. */
export function EvidenceFields({ sources, artifacts, target, scope, onChange }: EvidenceProps) {
  return (
    <fieldset>
      <legend>{t.evidence}</legend>
      <ul class="rows plain">
        {sources.map((source, index) => (
          <Cited
            key={JSON.stringify(source)}
            text={`${source.name} ${source.source_id}`}
            name={source.source_id}
            onUp={index === 0 ? null : () => onChange({ sources: movedUp(sources, index) })}
            onRemove={() => onChange({ sources: sources.filter((one) => one !== source) })}
          />
        ))}
        {artifacts.map((artifact, index) => (
          <Cited
            key={refText(artifact)}
            text={refText(artifact)}
            name={refText(artifact)}
            onUp={index === 0 ? null : () => onChange({ artifacts: movedUp(artifacts, index) })}
            onRemove={
              target !== null && sameRef(target, artifact)
                ? null
                : () => onChange({ artifacts: artifacts.filter((one) => one !== artifact) })
            }
          />
        ))}
      </ul>
      <AddEvidence
        scope={scope}
        sources={sources}
        artifacts={artifacts}
        onSource={(source) => onChange({ sources: [...sources, source] })}
        onArtifact={(artifact) => onChange({ artifacts: [...artifacts, artifact] })}
      />
    </fieldset>
  );
}

function movedUp<T>(all: readonly T[], index: number): T[] {
  const moved = [...all];
  moved.splice(index - 1, 2, all[index] as T, all[index - 1] as T);
  return moved;
}

function Cited({
  text,
  name,
  onUp,
  onRemove,
}: {
  text: string;
  name: string;
  onUp: (() => void) | null;
  onRemove: (() => void) | null;
}) {
  return (
    <li>
      <Stored text={text} />{' '}
      <button
        type="button"
        class="quiet"
        disabled={onUp === null}
        aria-label={t.moveUp(name)}
        onClick={() => onUp?.()}
      >
        ↑
      </button>
      {onRemove !== null && (
        <button type="button" class="quiet" aria-label={t.removeReference(name)} onClick={onRemove}>
          {t.remove}
        </button>
      )}
    </li>
  );
}

/** Adds a Source by type and id, or a revision as `family/artifact_id@revision`, once the service has it in this Scope. */
function AddEvidence({
  scope,
  sources,
  artifacts,
  onSource,
  onArtifact,
}: {
  scope: string;
  sources: SourceRef[];
  artifacts: ArtifactRef[];
  onSource: (source: SourceRef) => void;
  onArtifact: (artifact: ArtifactRef) => void;
}) {
  const [text, setText] = useState('');
  const [type, setType] = useState('content');
  const wanted = useDebounced(text.trim());
  const artifact = readRevision(wanted);
  const source = wanted === '' || artifact !== null ? null : { name: type.trim(), source_id: wanted };
  const foundSource = useCall(
    'getSource',
    source === null || source.name === ''
      ? null
      : { scope_id: scope, source_type: source.name, source_id: source.source_id },
    { isBackground: true },
  );
  const foundArtifact = useCall(
    'listArtifactRevisions',
    artifact === null
      ? null
      : {
          scope_id: scope,
          family: artifact.family as 'skill',
          artifact_id: artifact.artifact_id,
          limit: '1',
        },
    { isBackground: true },
  );
  const head = foundArtifact.data?.items[0]?.revision ?? 0;
  const isFound = artifact === null ? foundSource.data !== undefined : artifact.revision <= head;
  const isCited =
    artifact === null
      ? sources.some((one) => one.name === source?.name && one.source_id === source.source_id)
      : artifacts.some((one) => sameRef(one, artifact));
  const isMissing =
    foundSource.error !== null ||
    foundArtifact.error !== null ||
    (artifact !== null && foundArtifact.data !== undefined && !isFound);
  const add = () => {
    if (artifact !== null) onArtifact(artifact);
    else if (source !== null) onSource(source);
    setText('');
  };
  return (
    <>
      <TextField label={t.addEvidence} value={text} onInput={setText} />
      {artifact === null && <TextField label={t.sourceType} value={type} onInput={setType} />}
      <button type="button" disabled={wanted !== text.trim() || !isFound || isCited} onClick={add}>
        {t.add}
      </button>
      {wanted !== '' && isMissing && <span class="hint bad"> {t.notFound}</span>}
    </>
  );
}
