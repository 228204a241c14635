/** What a labelled set of questions is made of. */

export const languages = ['en', 'de', 'zh'] as const;
export type Language = (typeof languages)[number];

/**
 * How a question differs from the entry that answers it: other forms of its words (inflections, parts of compounds,
 * another order); only a name or a part of one; a date or a number; other words, so that few are in common.
 */
export const questionKinds = ['forms', 'names', 'dates', 'paraphrase'] as const;
export type QuestionKind = (typeof questionKinds)[number];

export interface SetEntry {
  /** Its name in the set: `en-core-12`, `zh-topic-301`. */
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
  /** True for the third that nobody looks at while ranking is worked on. */
  isHeldOut: boolean;
}

export interface SearchSet {
  entries: SetEntry[];
  questions: Question[];
}

/** Subjects, and what is said of them, in one language; `a|b|c` is a list. */
export interface LanguageTopics {
  slots: Readonly<Record<string, string>>;
  subjects: Readonly<Record<'service' | 'person' | 'customer', string>>;
  topics: string;
}
