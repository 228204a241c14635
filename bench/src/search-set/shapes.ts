// The types of the labeled search set.

export const languages = ['en', 'de', 'zh'] as const;
export type Language = (typeof languages)[number];

/**
 * How a question differs from the entry that answers it:
 *
 * - `forms`: other forms of its words (inflections, parts of compounds, another order);
 * - `names`: only a name or a part of one;
 * - `dates`: only a date or a number;
 * - `paraphrase`: other words, few of them in common.
 */
export const questionKinds = ['forms', 'names', 'dates', 'paraphrase'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface SetEntry {
  /** For example `en-core-12` or `zh-topic-301`. */
  id: string;
  language: Language;
  kind: string;
  text: string;
}

export interface Question {
  language: Language;
  kind: QuestionKind;
  text: string;
  /** Ids of the entries that answer it. */
  answers: string[];
  origin: 'written' | 'generated';
  /** True for the third of the questions that is not used during development. */
  isHeldOut: boolean;
}

/** The parts of a set from which questions inside prompts are made. */
export interface LabeledSet {
  entries: readonly { id: string; language: string; kind: string; text: string }[];
  questions: readonly LabeledQuestion[];
}

export type LabeledQuestion = Pick<Question, 'text' | 'answers'> & { language: string };

export interface SearchSet {
  entries: SetEntry[];
  questions: Question[];
}

/** Topics, and the subjects that they are about, in one language. `a|b|c` is a list. */
export interface LanguageTopics {
  slots: Readonly<Record<string, string>>;
  subjects: Readonly<Record<'service' | 'person' | 'customer', string>>;
  topics: string;
}
