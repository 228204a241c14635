import { useState } from 'preact/hooks';
import { downSince } from '../api/connection.ts';
import { call, newKey } from '../api/service.ts';
import { t } from '../catalog/index.ts';
import { addressOf } from '../routing/place.ts';
import { announce } from '../ui/messages.ts';
import { Failure } from '../ui/states.tsx';
import { useStore } from '../ui/store.ts';
import { toBase64 } from './archive.ts';
import type { ArtifactRef, BareCandidate } from './types.ts';

/** Replaces a package by another one: an upload makes a Candidate of its own, and the old one can be rejected (spec 60 §7.3.11). */
export function PackageUpload({
  scope,
  target,
  reason,
}: {
  scope: string;
  target: ArtifactRef | null;
  reason: string | null;
}) {
  const [file, setFile] = useState<{ bytes: Uint8Array; key: string } | null>(null);
  const [made, setMade] = useState<BareCandidate | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isSending, setSending] = useState(false);
  const isDown = useStore(downSince) !== null;
  const choose = async (chosen: File | undefined) => {
    setMade(null);
    setFailure(null);
    // One key for each choice of a file, so that a second click makes no second Candidate.
    setFile(
      chosen === undefined ? null : { bytes: new Uint8Array(await chosen.arrayBuffer()), key: newKey() },
    );
  };
  const upload = async () => {
    if (file === null) return;
    setSending(true);
    setFailure(null);
    try {
      const request = { scope_id: scope, archive_base64: toBase64(file.bytes), reason, target };
      setMade(await call('proposeSkillPackage', request, { idempotencyKey: file.key }));
      announce(t.uploaded);
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setSending(false);
    }
  };
  return (
    <fieldset>
      <legend>{t.replacePackage}</legend>
      <p class="hint">{t.replacePackageHint}</p>
      <input
        type="file"
        accept=".zip,application/zip"
        aria-label={t.packageFile}
        onChange={(event) => void choose(event.currentTarget.files?.[0])}
      />{' '}
      <button type="button" disabled={file === null || isSending || isDown || made !== null} onClick={upload}>
        {t.uploadPackage}
      </button>
      {failure !== null && <Failure error={failure} />}
      {made !== null && (
        <p class="note">
          <a href={addressOf('review', { candidate: made.candidate_id, of: scope })}>{t.uploaded}</a>{' '}
          {t.rejectTheOld}
        </p>
      )}
    </fieldset>
  );
}
