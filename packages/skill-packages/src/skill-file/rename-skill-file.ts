import { isScalar } from 'yaml';
import { parseFrontMatter } from './front-matter.ts';
import { splitAtFences } from './read-skill-file.ts';

/**
 * Replaces the value of `name` in a valid `SKILL.md`, quotes or block included, by a plain scalar (spec 40 §7.4). All other bytes stay.
 * `name` is a slug.
 */
export function renameSkillFile(text: string, name: string): string {
  const { front } = splitAtFences(text);
  const pair = parseFrontMatter(front).items.find(({ key }) => isScalar(key) && key.value === 'name');
  const range = isScalar(pair?.value) ? pair.value.range : undefined;
  if (range == null) throw new Error('A SKILL.md without a name is not valid.');
  const [start, end] = range.map((index) => index + text.indexOf('\n') + 1) as [number, number];
  // The range of a block scalar holds the line break that ends it.
  const lineEnd = /\r?\n$/.exec(text.slice(start, end))?.[0] ?? '';
  return text.slice(0, start) + name + lineEnd + text.slice(end);
}
