import {
  countHiddenCharacters,
  type HiddenKind,
  readTags,
  splitHiddenCharacters,
} from '@continuity/contract/hidden-characters';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../catalog/index.ts';
import { partsOf, shownLimits } from './parts.ts';

/** Codes that a text in a line draws at most: a page has 50 rows. */
const maxCodesOfLine = 20;

/**
 * A stored text in a line: text nodes only, its direction isolated, hidden characters drawn (spec 60 §5.2). What follows the twentieth
 * of them is one code with its length.
 */
export function Stored({ text }: { text: string }) {
  const [beginning = ''] = partsOf(text, { ...shownLimits, codes: maxCodesOfLine });
  const rest = text.slice(beginning.length);
  return (
    <bdi>
      <Pieces text={beginning} />
      {rest !== '' && (
        <span class="code-point" data-raw={rest}>
          {t.restOfText(rest.length)}
        </span>
      )}
    </bdi>
  );
}

/** The parts of a text. `data-raw` has what copying gives. */
export function Pieces({ text }: { text: string }) {
  return (
    <>
      {[...splitHiddenCharacters(text)].map((part, index) =>
        part.hidden ? (
          <span key={index} class="code-point" data-raw={part.text} title={t.hiddenKinds[part.kind]}>
            {part.code}
            {part.count > 1 && ` ×${part.count}`}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

/** Names what some texts hide, and reads their tags. */
export function HiddenNote({ texts }: { texts: readonly string[] }) {
  const text = texts.join('\n');
  const counts = Object.entries(countHiddenCharacters(text)) as [HiddenKind, number][];
  const found = counts.filter(([, count]) => count > 0);
  if (found.length === 0) return null;
  const tags = readTags(text);
  return (
    <p class="note warning" role="note">
      {t.hiddenCharacters(found.map(([kind, count]) => t.hiddenCounts[kind](count)).join(', '))}
      {tags !== '' && (
        <>
          {` ${t.tagsRead} `}
          <bdi>{tags}</bdi>
        </>
      )}
    </p>
  );
}

/** A long stored text, a part at a time. */
export function StoredBlock({ text, marks }: { text: string; marks?: readonly string[] }) {
  const parts = partsOf(text);
  const [chosen, choose] = useState(0);
  const index = Math.min(chosen, parts.length - 1);
  return (
    <div class="stored">
      <Parts count={parts.length} index={index} choose={choose} />
      <ScrolledText>
        <Marked text={parts[index] ?? ''} marks={marks ?? []} />
      </ScrolledText>
    </div>
  );
}

/** A box of limited height. What scrolls in it can be reached by keyboard. */
function ScrolledText({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setScrolls(element.scrollHeight > element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} class="text" dir="auto" {...(scrolls && { tabIndex: 0 })}>
      {children}
    </div>
  );
}

/** Ways between the parts of a long text. */
export function Parts({
  count,
  index,
  choose,
}: {
  count: number;
  index: number;
  choose: (index: number) => void;
}) {
  if (count <= 1) return null;
  return (
    <p class="parts">
      <button type="button" disabled={index === 0} onClick={() => choose(index - 1)}>
        {t.previousPart}
      </button>{' '}
      {t.partOf(index + 1, count)}{' '}
      <button type="button" disabled={index === count - 1} onClick={() => choose(index + 1)}>
        {t.nextPart}
      </button>
    </p>
  );
}

/** A text in which some passages are marked. */
function Marked({ text, marks }: { text: string; marks: readonly string[] }) {
  const ranges = rangesOf(text, marks);
  if (ranges.length === 0) return <Pieces text={text} />;
  let end = 0;
  return (
    <>
      {ranges.map(([from, to]) => {
        const before = text.slice(end, from);
        end = to;
        return (
          <span key={from}>
            <Pieces text={before} />
            <mark>
              <Pieces text={text.slice(from, to)} />
            </mark>
          </span>
        );
      })}
      <Pieces text={text.slice(end)} />
    </>
  );
}

/** Disjoint ascending ranges of the passages in a text. */
function rangesOf(text: string, marks: readonly string[]): [number, number][] {
  const found = marks.flatMap((mark): [number, number][] => {
    const at = mark === '' ? -1 : text.indexOf(mark);
    return at === -1 ? [] : [[at, at + mark.length]];
  });
  const merged: [number, number][] = [];
  for (const [from, to] of found.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged.slice(0, 200);
}
