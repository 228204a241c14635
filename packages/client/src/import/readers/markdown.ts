import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Item, leftOut, type Session } from '../items.ts';
import { maxLineBytes } from '../lines.ts';
import type { SessionFile } from './session-file.ts';

/** Title of a note in its front matter, where basic-memory writes it instead of a heading. */
const title = /^title:[ \t]*(["']?)(?<title>\S.*?)\1[ \t]*$/m;
/** Front matter of a note, and the fences of code, in which `#` is no heading. */
const frontMatter = /^---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/;
const fence = /^ {0,3}(`{3,}|~{3,})/;
const heading = /^ {0,3}(#{1,2})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/;

/** A file of Markdown, by sections. `name` is its path below the folder that is imported. */
export function markdownSession(file: SessionFile, name: string): Session {
  return {
    ...file,
    format: 'markdown',
    start: 0,
    last: file.modified,
    directory: dirname(file.path),
    scope: null,
    resumes: false,
    read: () => read(file, name),
  };
}

async function* read({ path, bytes }: SessionFile, name: string): AsyncGenerator<Item> {
  if (bytes > maxLineBytes) {
    yield leftOut('long_line');
    return;
  }
  for (const section of sectionsOf(await readFile(path, 'utf8'))) {
    const id = section.heading === '' ? `markdown/${name}` : `markdown/${name}#${section.heading}`;
    const metadata = { kind: 'document', host: 'markdown', path: name, heading: section.heading };
    yield { type: 'document', id, text: section.text, time: null, metadata, scope: null, line: section.line };
  }
}

/** The title of the front matter as a heading; empty without one. */
function topOf(front: string): string {
  const name = title.exec(front)?.groups?.['title'];
  return name === undefined ? '' : `# ${name}`;
}

interface Section {
  heading: string;
  /** With its heading, and that of the section around it. */
  text: string;
  line: number;
}

/**
 * The sections of level 1 and 2 that have a text of their own, below their headings and the title of the front matter. A heading without
 * a text belongs to the next section.
 */
function sectionsOf(text: string): Section[] {
  const front = frontMatter.exec(text)?.[0] ?? '';
  const first = front.split('\n').length;
  const sections: { heading: string; level: number; lines: string[]; line: number }[] = [
    { heading: '', level: 0, lines: [], line: first },
  ];
  let closes: string | null = null;
  for (const [index, line] of text.slice(front.length).split(/\r?\n/).entries()) {
    const mark = fence.exec(line)?.[1];
    const found = closes === null ? heading.exec(line) : null;
    if (found !== null)
      sections.push({
        heading: found[2] ?? '',
        level: found[1]?.length ?? 1,
        lines: [line],
        line: first + index,
      });
    else sections.at(-1)?.lines.push(line);
    if (mark !== undefined) closes = closes === null ? mark : mark.startsWith(closes) ? null : closes;
  }
  let top = topOf(front);
  return sections.flatMap(({ heading: name, level, lines, line }) => {
    if (level === 1) top = lines[0] ?? '';
    if (
      lines
        .slice(level === 0 ? 0 : 1)
        .join('')
        .trim() === ''
    )
      return [];
    const above = level !== 1 && top !== '' ? `${top}\n\n` : '';
    return [{ heading: name, text: `${above}${lines.join('\n').trim()}`, line }];
  });
}
