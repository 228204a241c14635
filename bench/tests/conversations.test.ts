import { expect, test } from 'vitest';
import { makeConversations } from '../src/conversation-set/index.ts';

const { entries, questions } = makeConversations();

test.each(['en', 'de', 'zh'])(
  'the conversation in %s has 120 turns, and 30 questions about different ones',
  (language) => {
    const turns = entries.filter((entry) => entry.language === language);
    expect(turns.length).toBeGreaterThanOrEqual(120);
    // Equal texts would be one entry.
    expect(new Set(turns.map(({ text }) => text)).size).toBe(turns.length);
    const asked = questions.filter((question) => question.language === language);
    expect(asked.length).toBeGreaterThanOrEqual(30);
    const answers = asked.flatMap(({ answers: [answer] }) => answer ?? []);
    expect(new Set(answers).size).toBe(asked.length);
    for (const answer of answers) expect(turns.map(({ id }) => id)).toContain(answer);
  },
);
