import { expect, test } from 'vitest';
import { parseQuery, searchScope, VectorSupportCache } from '../../../src/memory/search/index.ts';
import { CorpusCache } from '../../../src/search/index.ts';
import { openOwnDatabase } from '../../support/database.ts';
import { rememberFact } from '../../support/memory.ts';

const { database, tenantId } = await openOwnDatabase('fact-states');
const deps = {
  database,
  embedder: () => null,
  vectorSupport: new VectorSupportCache(),
  corpusCache: new CorpusCache(),
  reranker: null,
};
const others = [
  'The office plants are watered on Mondays.',
  'Docs are written in Markdown.',
  'The logo is green.',
];
let scopes = 0;

/** The found texts of a Scope in which `texts` were remembered one after the other, best first. */
async function searchIn(texts: readonly string[], query: string): Promise<string[]> {
  scopes += 1;
  const scopeId = `fact-states ${scopes}`;
  for (const text of [...others, ...texts]) await rememberFact(database, { tenantId, scopeId }, text);
  const scope = { tenantId, scopeId, limit: 10 };
  const answer = await searchScope(deps, scope, await parseQuery(null, { query, mode: 'auto' }));
  return answer.hits.map(({ text }) => text);
}

test.each([
  ['The cache TTL is 300 seconds.', 'We changed the cache TTL to 60 seconds.', 'what is the cache TTL'],
  [
    'The lead of the mobile team is Hannah Weiss.',
    'Omar Haddad now leads the mobile team; Hannah left in August.',
    'who leads the mobile team?',
  ],
  ['Stand-up is at 9:30.', 'Stand-up moved to 10:15 from next week on.', 'standup'],
  [
    'Das Passwort-Ablaufdatum liegt bei 90 Tagen.',
    'Das Passwort-Ablaufdatum wurde auf 180 Tage erhöht.',
    'Passwort Ablaufdatum',
  ],
  [
    'Le déploiement se fait le lundi.',
    'Le déploiement se fait désormais le jeudi.',
    'quand se fait le déploiement ?',
  ],
  [
    'We use Jest for unit tests.',
    'We no longer use Jest for unit tests since the move to Vitest.',
    'do we use Jest?',
  ],
  [
    'We use Jest for unit tests.',
    "We don't use Jest for unit tests anymore, it was too slow.",
    'do we use Jest for unit tests?',
  ],
  [
    'Wir nutzen Jenkins für den Build.',
    'Wir nutzen Jenkins für den Build nicht mehr.',
    'Nutzen wir Jenkins für den Build?',
  ],
  ['发布窗口是每周四晚上八点。', '发布窗口改为每周二晚上九点。', '发布窗口是什么时候？'],
  ['リリースは毎週金曜日です。', 'リリースは毎週水曜日に変更されました。', 'リリースはいつですか'],
  [
    'API port: 3100',
    'API port is now 3200, the reverse proxy was adapted.',
    'The deploy fails since this morning. What port does the API use?',
  ],
])('spec 25 Q6: after "%s", the longer "%s" comes first', async (older, newer, query) => {
  expect((await searchIn([older, newer], query)).slice(0, 2)).toEqual([newer, older]);
});

test.each([
  [
    'of another thing',
    'Backups are kept for 90 days.',
    'Logs are written to the disk and kept for 30 days in Loki.',
  ],
  ['that repeats all of it', 'Cache TTL kept', 'The cache TTL is kept in the settings.'],
  [
    'that is a question',
    'The cache TTL is 300 seconds.',
    'Why is the cache TTL still only 300 seconds in staging?',
  ],
  [
    'with more text than a state of it has',
    'The cache TTL is 300 seconds.',
    `The cache TTL is one of the settings of the edge that nobody owns, ${'and much else is said about it, '.repeat(8)}by us.`,
  ],
])('spec 25 Q6: a newer text %s does not come before a shorter one', async (_what, older, newer) => {
  expect((await searchIn([older, newer], 'cache TTL, or how long something is kept'))[0]).toBe(older);
});

test('spec 25 Q6: of three states, the last one comes first', async () => {
  const states = [
    'The cache TTL is 300 seconds.',
    'The cache TTL is now 60 seconds everywhere.',
    'The cache TTL is 30 seconds from release 4 on, everywhere in the shop.',
  ];
  expect((await searchIn(states, 'what is the cache TTL'))[0]).toBe(states[2]);
});

test('spec 25 Q6: the newer state does not come first where it holds fewer words of the query', async () => {
  const texts = [
    'The cache TTL of the shop is 300 seconds.',
    'The cache TTL of the forum is 60 seconds, by decision of the team.',
  ];
  expect((await searchIn(texts, 'cache TTL of the shop'))[0]).toBe(texts[0]);
});
