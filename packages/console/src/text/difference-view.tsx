import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { shortcutsOf } from '../keys/table.ts';
import { useKey } from '../keys/use-key.ts';
import { useBusy } from '../ui/busy.ts';
import { Loading } from '../ui/states.tsx';
import { useDifference } from './compare.ts';
import type { DifferenceLine } from './difference.ts';
import { countCodes, partsOf, shownLimits } from './parts.ts';
import { HiddenNote, Parts, Pieces, StoredBlock } from './stored-text.tsx';

const context = 3;
/** Of a line, before a person opens the rest of it. */
const rowLimits = { lines: 1, characters: 2_000, codes: 100 };

type Row = { line: DifferenceLine } | { folded: number; from: number };

/** The difference of two texts, computed in a worker. `onDrawn` runs when a person can read it. */
export function DifferenceView({
  before,
  after,
  label,
  onDrawn,
}: {
  before: string;
  after: string;
  label: string;
  onDrawn?: () => void;
}) {
  const comparison = useDifference(before, after);
  useBusy(comparison.state === 'running');
  useEffect(() => {
    if (comparison.state !== 'running') onDrawn?.();
  }, [comparison.state, onDrawn]);
  if (comparison.state === 'running') return <Loading />;
  if (comparison.state === 'stopped')
    return (
      <>
        <p class="note">{t.differenceStopped}</p>
        <h4>{t.before}</h4>
        <StoredBlock text={before} />
        <h4>{t.after}</h4>
        <StoredBlock text={after} />
      </>
    );
  return (
    <>
      <HiddenNote texts={[before, after]} />
      <Lines lines={comparison.result} label={label} />
    </>
  );
}

function Lines({ lines, label }: { lines: DifferenceLine[]; label: string }) {
  const [opened, setOpened] = useState<readonly number[]>([]);
  const [part, setPart] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const [change, setChange] = useState(-1);
  const rows = useMemo(() => foldRows(lines, opened), [lines, opened]);
  const starts = useMemo(() => partStarts(rows), [rows]);
  const index = Math.min(part, starts.length - 1);
  const start = starts[index] ?? 0;
  const changes = rows.flatMap((row, index) =>
    isFirstOfChange(rows, index) && 'line' in row ? [index] : [],
  );
  const goTo = (step: number) => {
    const next = Math.min(changes.length - 1, Math.max(0, change + step));
    const row = changes[next];
    if (row === undefined) return;
    setChange(next);
    setPart(starts.findLastIndex((from) => from <= row));
  };
  useEffect(() => {
    const row = changes[change];
    const element = row === undefined ? undefined : list.current?.children[row - start];
    if (element instanceof HTMLElement) element.scrollIntoView({ block: 'center' });
  }, [change, part]);
  useKey('nextChange', () => goTo(1), changes.length > 0);
  useKey('previousChange', () => goTo(-1), changes.length > 0);
  if (changes.length === 0) return <p class="note">{t.noDifference}</p>;
  return (
    <section class="difference" aria-label={label}>
      <p class="parts">
        {t.changesCount(changes.length)}{' '}
        <button
          type="button"
          class="quiet"
          aria-keyshortcuts={shortcutsOf('previousChange')}
          onClick={() => goTo(-1)}
        >
          {t.previousChange}
        </button>{' '}
        <button
          type="button"
          class="quiet"
          aria-keyshortcuts={shortcutsOf('nextChange')}
          onClick={() => goTo(1)}
        >
          {t.nextChange}
        </button>
      </p>
      <Parts count={starts.length} index={index} choose={setPart} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul ref={list} class="lines" tabIndex={0}>
        {rows.slice(start, starts[index + 1]).map((row, at) =>
          'line' in row ? (
            <LineRow key={start + at} line={row.line} isChosen={changes[change] === start + at} />
          ) : (
            <li key={`f${row.from}`}>
              <button type="button" class="quiet" onClick={() => setOpened([...opened, row.from])}>
                {t.unchangedLines(row.folded)}
              </button>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}

function LineRow({ line, isChosen }: { line: DifferenceLine; isChosen: boolean }) {
  const { kind } = line;
  const [isWhole, setWhole] = useState(false);
  const { text, words } = beginningOf(line);
  const rest = line.text.length - text.length;
  return (
    <li class={`${kind}${isChosen ? ' chosen' : ''}`} dir="auto">
      {kind !== 'same' && <span class="sign">{kind === 'added' ? t.added : t.removed}</span>}
      {isWhole && <StoredBlock text={line.text} />}
      {isWhole ? null : words === undefined ? (
        <Pieces text={text} />
      ) : (
        words.map((word, index) =>
          word.isChanged ? (
            <b key={index}>
              <Pieces text={word.text} />
            </b>
          ) : (
            <Pieces text={word.text} />
          ),
        )
      )}
      {rest > 0 && !isWhole && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          {t.restOfLine(rest)}
        </button>
      )}
    </li>
  );
}

/** What is shown of a line at first: all of it with its changed words, or its beginning. */
function beginningOf({ text, words }: DifferenceLine): Pick<DifferenceLine, 'text' | 'words'> {
  if (words !== undefined && countCodes(text) <= rowLimits.codes) return { text, words };
  return { text: partsOf(text, rowLimits)[0] ?? '' };
}

/** The first row of each part: a part has at most 300 rows, 20,000 characters and 500 drawn codes and changed words. */
function partStarts(rows: Row[]): number[] {
  const starts = [0];
  let [lines, characters, codes] = [0, 0, 0];
  rows.forEach((row, index) => {
    const { text, words = [] } = 'line' in row ? beginningOf(row.line) : { text: '' };
    const drawn = countCodes(text) + words.filter(({ isChanged }) => isChanged).length;
    const isFull =
      lines >= shownLimits.lines ||
      characters + text.length > shownLimits.characters ||
      codes + drawn > shownLimits.codes;
    if (isFull && lines > 0) {
      starts.push(index);
      [lines, characters, codes] = [0, 0, 0];
    }
    lines += 1;
    characters += text.length;
    codes += drawn;
  });
  return starts;
}

function isFirstOfChange(rows: Row[], index: number): boolean {
  const isChange = (row: Row | undefined) => row !== undefined && 'line' in row && row.line.kind !== 'same';
  return isChange(rows[index]) && !isChange(rows[index - 1]);
}

/** Rows to show: long runs of unchanged lines are one row, unless they were opened. */
function foldRows(lines: DifferenceLine[], opened: readonly number[]): Row[] {
  const rows: Row[] = [];
  for (let from = 0; from < lines.length; ) {
    const isSame = lines[from]?.kind === 'same';
    let to = from + 1;
    while (to < lines.length && (lines[to]?.kind === 'same') === isSame) to += 1;
    const run = lines.slice(from, to).map((line) => ({ line }));
    rows.push(...(isSame && !opened.includes(from) ? foldRun(run, from, to === lines.length) : run));
    from = to;
  }
  return rows;
}

/** A run of unchanged lines with three of them beside each change. */
function foldRun(run: { line: DifferenceLine }[], from: number, isLast: boolean): Row[] {
  const before = from === 0 ? 0 : context;
  const after = isLast ? 0 : context;
  const folded = run.length - before - after;
  return folded > 1 ? [...run.slice(0, before), { folded, from }, ...run.slice(run.length - after)] : run;
}
