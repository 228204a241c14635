/** Forty entries about one project. */
export const projectEntries: readonly string[] = `
The billing database runs on Postgres 16 since March.
Migrations are written by hand; each one needs a rollback script in the same folder.
Deployments happen every Tuesday at ten, and never on the last day of a month.
The staging cluster has three nodes in Frankfurt.
Anna owns the invoice service, Ben owns the payment gateway.
Card numbers must never reach our logs; the payment gateway tokenizes them.
Retries of a webhook use exponential backoff, at most eight attempts over one day.
The customer portal is written in TypeScript with React 19.
Feature flags live in LaunchDarkly; a flag is deleted within two sprints after its rollout.
The nightly export to the data warehouse starts at 02:00 UTC and takes forty minutes.
We chose RabbitMQ over Kafka because nobody wanted to operate ZooKeeper.
API tokens expire after 90 days; the owner gets an email a week before.
Currency amounts are stored as integers of the smallest unit, never as floats.
The mobile app supports iOS 16 and later, Android 10 and later.
Load tests run with k6 against staging each Thursday night.
Access to production needs a ticket and the approval of a second engineer.
Search in the catalogue uses OpenSearch with one index per tenant.
Customer addresses are personal data and are deleted 30 days after an account is closed.
The rate limit is 600 requests a minute for each API token.
Terraform state is kept in the bucket infra-state, encrypted with a key of its own.
Dates in the user interface follow the locale of the browser.
Support answers tickets of priority one within two hours.
Emails are sent through Postmark; SendGrid was dropped after the outage in May.
The design system is called Harbor and is published as an npm package.
Unit tests must not access the network; use the recorded fixtures instead.
PDF rendering happens in a worker with 2 GB of memory, because Chromium leaks.
Invoices are numbered without gaps for each legal entity and year.
VAT is computed by line and rounded half up to two decimals.
The company has legal entities in Germany, Austria and Switzerland.
Backups are restored into an empty cluster on the first Monday of each month to test them.
Logs are kept 14 days, audit events ten years.
The search team wants snapshots of relevance tests before each release.
Pull requests need one review; changes to billing need two.
Commit messages follow Conventional Commits.
Sessions end after 30 minutes without activity.
The legacy importer is written in Perl and will be removed in the autumn.
Translations are managed in Lokalise by the content team.
The status page is hosted outside of our cloud, at Statuspage.
Passwords are hashed with Argon2id.
Monitoring alerts go to the channel #ops-alerts, and to the pager at night.
`
  .trim()
  .split('\n');

/** Prompts as people write them, with the entry that matters to each. */
export const prompts: readonly { name: string; prompt: string; wanted: string }[] = [
  {
    name: 'a feature request that mentions the database last',
    prompt: `I am picking up the ticket about open invoices. Show a customer all of them on one page, sorted by due date, with a
filter for currency. I want a materialized view that is refreshed every ten minutes. Before you write the migration for the billing
database, check which Postgres features I can rely on, and propose the SQL. Keep the style of the other files, add tests, and leave
the public endpoints alone.`,
    wanted: 'The billing database runs on Postgres 16 since March.',
  },
  {
    name: 'a stack trace above a question',
    prompt: `TypeError: Cannot read properties of undefined (reading 'amount')
    at toCents (/srv/app/src/money/parse.ts:41:19)
    at Array.map (<anonymous>)
    at parseLines (/srv/app/src/invoice/lines.ts:88:24)
    at processTicksAndRejections (node:internal/process/task_queues:105:5)

It happens with amounts such as 19.99. Somebody seems to have passed floats. How are currency amounts stored in this project, as integers or
as floats? Please fix the parser accordingly, add a test for it, and explain what you changed.`,
    wanted: 'Currency amounts are stored as integers of the smallest unit, never as floats.',
  },
  {
    name: 'a question of function words and one rare word, then a long explanation',
    prompt: `When can we deploy this? I have finished the style sheet, and I have already talked to the people who reported the problem: they
are happy with the preview. Marketing would like to announce it soon, so I hope that we get it out early. I could also split the work if
that makes things easier for you. Tell me what you think, and whether I forgot anything obvious.`,
    wanted: 'Deployments happen every Tuesday at ten, and never on the last day of a month.',
  },
  {
    name: 'instructions with a constraint in the middle',
    prompt: `Write an integration with the new acquirer. It posts a JSON document to our endpoint for every payment, with the fields that
are listed below, and expects an answer within five seconds. For debugging I would like to write the whole request to the logs, card numbers
included, at least for the first two weeks. Put the code beside the existing integrations, use the same naming, and write a short page for
the operators which explains how to turn it off. Fields: id, amount, currency, card, created, merchant, terminal, reference.`,
    wanted: 'Card numbers must never reach our logs; the payment gateway tokenizes them.',
  },
  {
    name: 'a list of tasks',
    prompt: `Tasks for today:
- rename the component of the header, and move its tests
- update the screenshots in the handbook
- the webhook of the partner failed during their maintenance: find out how many attempts our retries make, and over how long
- answer the questions in the pull request of Tom
- clean the board
Start with the third one, and give me a summary of three sentences.`,
    wanted: 'Retries of a webhook use exponential backoff, at most eight attempts over one day.',
  },
  {
    name: 'a German prompt that quotes English terms',
    prompt: `Ich möchte heute Nachmittag ein Problem mit dem Import lösen. Ein Kunde hat gemeldet, dass manche Zeilen doppelt ankommen. Ich
vermute, dass das Skript die Zeilenenden falsch liest. Bevor ich viel Zeit investiere: Wird der legacy importer in Perl überhaupt noch gebraucht?
Falls nicht, würde ich lieber gleich den neuen Weg nehmen und die alten Dateien löschen. Bitte schreib mir kurz, was du vorschlägst.`,
    wanted: 'The legacy importer is written in Perl and will be removed in the autumn.',
  },
];

const subjects = 'The gardener|My neighbour|A violinist|The old sailor|Some painter|The baker'.split('|');
const verbs = 'watches|remembers|describes|prefers|avoids|collects'.split('|');
const objects =
  'purple mountains beyond the river|quiet mornings with warm bread|a wooden boat under the bridge|seven lanterns in the orchard|the smell of fresh paint|old coins from distant islands'.split(
    '|',
  );

/** Sentences of about `count` words together about something else, the same for a seed. */
export function unrelatedWords(count: number, seed: number): string[] {
  const sentences: string[] = [];
  let words = 0;
  for (let at = seed; words < count; at += 1) {
    const pick = (list: readonly string[], step: number): string => list[(at * step) % list.length] ?? '';
    const sentence = `${pick(subjects, 5)} ${pick(verbs, 7)} ${pick(objects, 11)}.`;
    sentences.push(sentence);
    words += sentence.split(' ').length;
  }
  return sentences;
}

/** A fact and a question, and both in English. */
export interface Twin {
  fact: string;
  question: string;
  twin: { fact: string; question: string };
}

const twin = (fact: string, question: string, englishFact: string, englishQuestion: string): Twin => ({
  fact,
  question,
  twin: { fact: englishFact, question: englishQuestion },
});

export const twins: readonly Twin[] = [
  twin('部署在每周二进行', '什么时候部署？', 'Deployments happen every Tuesday', 'When do we deploy?'),
  twin(
    '账单数据库运行在 Postgres 16 上',
    '账单数据库用的是哪个版本？',
    'The billing database runs on Postgres 16',
    'Which version does the billing database use?',
  ),
  twin(
    '支付网关由小明负责',
    '谁负责支付网关？',
    'Ming owns the payment gateway',
    'Who owns the payment gateway?',
  ),
  twin('日志保留十四天', '日志要保留多久？', 'Logs are kept for fourteen days', 'How long are logs kept?'),
  twin(
    '备份存放在法兰克福',
    '我们的备份放在哪里？',
    'Backups are stored in Frankfurt',
    'Where are our backups?',
  ),
  twin(
    '密码不得写入配置文件',
    '能不能把密码放进配置文件？',
    'Passwords must not be in configuration files',
    'May I put a password into the configuration file?',
  ),
  twin(
    '再起動には承認が必要です',
    '誰が再起動できますか',
    'A restart needs an approval',
    'Who can restart it?',
  ),
  twin(
    '請求書は毎月末に送信されます',
    '請求書はいつ送信されますか？',
    'Invoices are sent at the end of each month',
    'When are invoices sent?',
  ),
  twin(
    '本番環境へのアクセスは申請が必要です',
    '本番環境にアクセスするにはどうすればいいですか？',
    'Access to production needs a request',
    'How do I get access to production?',
  ),
  twin(
    '検索には OpenSearch を使っています',
    '検索は何で動いていますか',
    'Search uses OpenSearch',
    'What does search run on?',
  ),
  twin(
    '顧客データは三十日後に削除されます',
    '顧客データはいつ削除されますか',
    'Customer data is deleted after thirty days',
    'When is customer data deleted?',
  ),
  twin('매주 화요일에 배포합니다', '언제 배포하나요?', 'We deploy every Tuesday', 'When do we deploy?'),
  twin(
    '결제 서비스는 민수가 담당합니다',
    '결제 서비스는 누가 담당하나요?',
    'Minsu owns the payment service',
    'Who owns the payment service?',
  ),
  twin(
    '백업은 서울 리전에 저장됩니다',
    '백업을 어디에 저장하나요?',
    'Backups are stored in the Seoul region',
    'Where do we store backups?',
  ),
  twin(
    '토큰은 90일 후에 만료됩니다',
    '토큰은 언제 만료되나요?',
    'Tokens expire after 90 days',
    'When do tokens expire?',
  ),
  twin(
    '테스트는 네트워크를 사용하지 않습니다',
    '테스트에서 네트워크를 사용해도 되나요?',
    'Tests do not use the network',
    'May tests use the network?',
  ),
  twin(
    'เราสำรองฐานข้อมูลทุกคืนเวลาตีสอง',
    'สำรองฐานข้อมูลเมื่อไร',
    'We back up the database every night at two',
    'When do we back up the database?',
  ),
  twin(
    'ใบแจ้งหนี้ส่งให้ลูกค้าทุกสิ้นเดือน',
    'ส่งใบแจ้งหนี้ให้ลูกค้าเมื่อไหร่',
    'Invoices go to customers at the end of each month',
    'When do invoices go to customers?',
  ),
  twin(
    'เซิร์ฟเวอร์ทดสอบอยู่ที่สิงคโปร์',
    'เซิร์ฟเวอร์ทดสอบอยู่ที่ไหน',
    'The test server is in Singapore',
    'Where is the test server?',
  ),
  twin(
    'รหัสผ่านต้องเปลี่ยนทุกสามเดือน',
    'ต้องเปลี่ยนรหัสผ่านบ่อยแค่ไหน',
    'Passwords must change every three months',
    'How often must passwords change?',
  ),
];
