import { useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { Stored } from '../text/stored-text.tsx';
import { EnumValue } from '../ui/enum-value.tsx';
import { Failure } from '../ui/states.tsx';
import { checkItem, type Verdict } from './check-item.ts';
import { type PastedItem, readPreparedBlock } from './prepared-block.ts';

/** "Paste a context": what an agent got in an old turn, against what is stored (spec 60 §7.4.4). */
export function PasteCheck({ scope }: { scope: string }) {
  const [text, setText] = useState('');
  const [results, setResults] = useState<{ item: PastedItem; verdict: Verdict }[] | 'noBlock' | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [isRunning, setRunning] = useState(false);
  const check = async () => {
    const items = readPreparedBlock(text);
    setFailure(null);
    if (items === null) {
      setResults('noBlock');
      return;
    }
    setRunning(true);
    try {
      setResults(
        await Promise.all(items.map(async (item) => ({ item, verdict: await checkItem(scope, item) }))),
      );
    } catch (error) {
      setFailure(error as Error);
    } finally {
      setRunning(false);
    }
  };
  return (
    <details class="paste">
      <summary>{t.pasteContext}</summary>
      <p class="hint">{t.pasteHint}</p>
      <div class="field wide">
        <label for="pasted">{t.preparedContext}</label>
        <textarea id="pasted" rows={5} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </div>
      <button type="button" disabled={isRunning || text === ''} onClick={check}>
        {t.check}
      </button>
      {failure !== null && <Failure error={failure} onRetry={check} />}
      {results === 'noBlock' && <p role="alert">{t.noBlock}</p>}
      {Array.isArray(results) && (
        <ol aria-label={t.verdictsLabel}>
          {results.map(({ item, verdict }, index) => (
            <li key={index}>
              <strong>
                <EnumValue value={verdict} phrases={t.verdicts} />
              </strong>{' '}
              <Stored text={item.text.slice(0, 240)} />
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
