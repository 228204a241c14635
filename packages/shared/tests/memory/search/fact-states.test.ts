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

test.each([
  [
    'The manager of the Berlin office is Anna.',
    'The deputy manager of the Berlin office is Tom.',
    'Who is the manager of the Berlin office?',
  ],
  [
    'The production server is in Frankfurt.',
    'The backup of the production server is in Dublin.',
    'Where is the production server?',
  ],
  [
    'The team meeting on Monday is at 9:30.',
    'The room for the team meeting on Monday is Atlas.',
    'When is the team meeting on Monday?',
  ],
  [
    'The office wifi network is called Falcon.',
    'The guest wifi network in the office is called Heron.',
    'name of the office wifi network',
  ],
  [
    'The staging database listens on port 5432.',
    'The staging cache beside the database listens on port 6379.',
    'staging database port',
  ],
  ['生产数据库在法兰克福。', '生产数据库的备份在都柏林。', '生产数据库在哪里'],
  ['The limit is 10000 requests.', 'The yearly limit is 10,000,000 requests.', 'limit 10000 requests'],
  [
    'Anna approved the budget of 2000000 euros.',
    'Tom approved the budget of 2,000 euros.',
    'Who approved the budget of 2000000 euros?',
  ],
  [
    'The API rate limit is 100 requests per minute.',
    'Tom proposed an API rate limit of 500 requests per minute, but it was rejected.',
    'API rate limit',
  ],
  [
    'Kafka retention is 7 days.',
    'Kafka dropped messages because retention is 7 days and consumers lagged.',
    'Kafka retention',
  ],
  [
    'Der Leiter der Filiale in Kiel ist Jens Ott.',
    'Der stellvertretende Leiter der Filiale in Kiel ist Udo Rau.',
    'Wer ist der Leiter der Filiale in Kiel?',
  ],
])('spec 25 Q6: "%s" is no older state of "%s"', async (right, other, query) => {
  expect((await searchIn([right, other], query))[0]).toBe(right);
});

test.each([
  [
    'Anna is the owner of the billing repository.',
    'Tom is the owner of the billing repository since May, by decision of the board.',
    'owner of the billing repository',
  ],
  [
    'The weekly sync is on Monday at 10:00.',
    'Since 1 December the weekly sync is on Tuesday at 14:00.',
    'when is the weekly sync?',
  ],
  [
    'Uploads are limited to 25 MB.',
    'Lena Meyer raised the limit of uploads to 50 MB for everybody.',
    'limit of uploads',
  ],
  [
    'Die Mindestlänge für Passwörter ist 8 Zeichen.',
    'Die Mindestlänge für Passwörter ist jetzt 12 Zeichen, wie vom Kunden gefordert.',
    'Mindestlänge für Passwörter',
  ],
  [
    'El límite de subida es de 25 MB.',
    'El límite de subida cambió a 50 MB para todos los clientes.',
    '¿cuál es el límite de subida?',
  ],
  ['会话令牌30分钟后失效。', '会话令牌现在改为60分钟后失效，客户要求。', '会话令牌多久失效'],
  [
    'Node 20 is the minimum version.',
    'The minimum version is Node 24 since release 3.',
    'minimum Node version',
  ],
  ['Our CI runs on Jenkins.', 'Our CI moved from Jenkins to GitHub Actions.', 'Is our CI on Jenkins?'],
])('spec 25 Q6: "%s" is an older state of "%s"', async (older, newer, query) => {
  expect((await searchIn([older, newer], query)).slice(0, 2)).toEqual([newer, older]);
});

test('spec 25 Q6: a state does not come before a still newer entry with the same words', async () => {
  const texts = [
    'Standup time: 9:30 daily.',
    'Standup time is daily 10:00 because Tom and Anna commute.',
    'Lena moved the standup time to 11:15.',
  ];
  expect((await searchIn(texts, 'standup time')).slice(0, 3)).toEqual(texts.toReversed());
});

test('spec 25 Q7: a number comes before another one with some of its groups', async () => {
  const texts = [
    'The limit is 10k requests a day.',
    'The yearly limit is 10,000,000 requests.',
    'The limit is 10 rows.',
  ];
  expect((await searchIn(texts, 'limit 10k requests'))[0]).toBe(texts[0]);
  const budgets = ['The budget for 2027 is 1000000 euros.', 'The budget is 1,000 euros.'];
  expect((await searchIn(budgets, 'budget 1000000'))[0]).toBe(budgets[0]);
  const sizes = ['A page has 20,000 rows.', 'A batch has 10,000 rows.', 'A list has 30,000 rows.'];
  expect((await searchIn(sizes, '10k rows'))[0]).toBe(sizes[1]);
  const releases = ['The release 4.2 is on 3 November 2026.', 'The release 4.1 was on 2026-03-11.'];
  expect((await searchIn(releases, 'release 3 Nov 2026'))[0]).toBe(releases[0]);
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
