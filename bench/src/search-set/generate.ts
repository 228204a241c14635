import { pick, type Random } from '../data/random.ts';
import { writeDate } from './dates.ts';
import { type Paragraph, parseParagraphs } from './parse.ts';
import type { Language, LanguageTopics, Question } from './shapes.ts';

/** An entry with the questions that it answers. */
interface Generated {
  kind: string;
  text: string;
  asks: Pick<Question, 'kind' | 'text'>[];
}

type Values = Readonly<Record<string, string>>;

/**
 * Generates one entry for each pair of topic and subject, in one of the wordings of the topic. So a question has one relevant
 * entry among many about the same subject or the same topic.
 */
export function generateEntries(language: Language, data: LanguageTopics, random: Random): Generated[] {
  return parseParagraphs(data.topics).flatMap((topic) => {
    const type = subjectType(topic, data);
    return listOf(data.subjects[type]).map((subject) => {
      const values = { ...subjectValues(type, subject), ...drawSlots(language, data, random) };
      return {
        kind: topic.head[0] ?? '',
        text: capitalized(fill(pick(random, topic.texts), values)),
        asks: topic.asks.map(({ kind, text }) => ({ kind, text: fill(text, values) })),
      };
    });
  });
}

function subjectType({ head }: Paragraph, { subjects }: LanguageTopics): keyof LanguageTopics['subjects'] {
  const type = head[1];
  if (type === undefined || !(type in subjects)) throw new Error(`Unknown subject: ${head.join(' ')}`);
  return type as keyof LanguageTopics['subjects'];
}

/** `{service}` is the full name, `{service.words}` has spaces for hyphens, `{service.first}` and `.last` are single words. */
function subjectValues(type: string, subject: string): Values {
  const words = subject.split(/[ -]/);
  return {
    [type]: subject,
    [`${type}.words`]: words.join(' '),
    [`${type}.first`]: words.at(0) ?? subject,
    [`${type}.last`]: words.at(-1) ?? subject,
  };
}

function drawSlots(language: Language, { slots }: LanguageTopics, random: Random): Values {
  const { full, ...others } = writeDate(language, random);
  const drawn = Object.entries(slots).map(([name, values]) => [name, pick(random, listOf(values))] as const);
  const dates = Object.entries(others).map(([form, value]) => [`date.${form}`, value] as const);
  return Object.fromEntries([...drawn, ['date', full], ...dates]);
}

function fill(template: string, values: Values): string {
  return template.replace(/\{([a-z.]+)\}/g, (_match, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}}: ${template}`);
    return value;
  });
}

function listOf(values: string): string[] {
  return values.split('|');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
