import { expect, test } from 'vitest';
import { unitsOf } from '../../../src/memory/extraction/builtin/units.ts';
import { statementsIn } from './statements.ts';

// Minutes as people write them: a list directly below its name, and a sentence directly below the last item.
const minutes: [string, string, [string, string][]][] = [
  [
    'Dutch',
    'Besluiten\n- We gaan over op PostgreSQL 18.\n- De facturatieservice wordt op dinsdag uitgerold.\n\nActies\n- Joris werkt de handleiding bij voor 3 december.\n- Sanne vraagt een certificaat aan.\n\nUploads groter dan 25 MB worden geweigerd. We gebruiken geen feature flags meer.',
    [
      ['decision', 'We gaan over op PostgreSQL 18.'],
      ['decision', 'De facturatieservice wordt op dinsdag uitgerold.'],
      ['working_note', 'Joris werkt de handleiding bij voor 3 december.'],
      ['working_note', 'Sanne vraagt een certificaat aan.'],
      ['fact', 'Uploads groter dan 25 MB worden geweigerd.'],
      ['fact', 'We gebruiken geen feature flags meer.'],
    ],
  ],
  [
    'Polish',
    'Ustalenia:\n1. Przechodzimy na PostgreSQL 18.\n2. Wdrożenia tylko we wtorki.\nDo zrobienia:\n- Kasia: zaktualizować panel Grafana do piątku\n- Marek: poprosić o certyfikat\n\nKlient wymaga przechowywania faktur przez 10 lat. Wolimy małe pull requesty.',
    [
      ['decision', 'Przechodzimy na PostgreSQL 18.'],
      ['decision', 'Wdrożenia tylko we wtorki.'],
      ['working_note', 'Kasia: zaktualizować panel Grafana do piątku'],
      ['working_note', 'Marek: poprosić o certyfikat'],
      ['fact', 'Klient wymaga przechowywania faktur przez 10 lat.'],
      ['preference', 'Wolimy małe pull requesty.'],
    ],
  ],
  [
    'Turkish',
    "Kararlar:\n- PostgreSQL 18'e geçiyoruz.\n- Oturum jetonları 30 dakika sonra sona erer.\nYapılacaklar:\n- Elif panoyu cuma gününe kadar güncelleyecek.\n\nCuma günleri dağıtım yapılmaz. Ekip küçük PR'ları tercih ediyor.",
    [
      ['decision', "PostgreSQL 18'e geçiyoruz."],
      ['decision', 'Oturum jetonları 30 dakika sonra sona erer.'],
      ['working_note', 'Elif panoyu cuma gününe kadar güncelleyecek.'],
      ['fact', 'Cuma günleri dağıtım yapılmaz.'],
      ['preference', "Ekip küçük PR'ları tercih ediyor."],
    ],
  ],
  [
    'Russian',
    'Решения:\n- Переходим на PostgreSQL 18.\n- Логи хранятся 90 дней.\n\nЗадачи:\n- [ ] Анна: обновить дашборд до пятницы.\n\nДеплой по пятницам запрещён. Команда предпочитает маленькие PR.',
    [
      ['decision', 'Переходим на PostgreSQL 18.'],
      ['decision', 'Логи хранятся 90 дней.'],
      ['working_note', 'Анна: обновить дашборд до пятницы.'],
      ['constraint', 'Деплой по пятницам запрещён.'],
      ['preference', 'Команда предпочитает маленькие PR.'],
    ],
  ],
  [
    'Korean',
    '결정 사항\n- 모든 환경에서 PostgreSQL 18을 사용합니다.\n- 세션 토큰은 30분 후 만료됩니다.\n할 일\n- 민수: 금요일까지 대시보드 업데이트\n금요일에는 배포하지 않습니다.',
    [
      ['decision', '모든 환경에서 PostgreSQL 18을 사용합니다.'],
      ['decision', '세션 토큰은 30분 후 만료됩니다.'],
      ['working_note', '민수: 금요일까지 대시보드 업데이트 금요일에는 배포하지 않습니다.'],
    ],
  ],
  [
    'Vietnamese',
    'Quyết định:\n- Dùng PostgreSQL 18 cho mọi môi trường.\n- Token phiên hết hạn sau 30 phút.\nViệc cần làm:\n- Minh cập nhật dashboard trước thứ Sáu.\nKhông được triển khai vào thứ Sáu. Nhóm thích pull request nhỏ.',
    [
      ['decision', 'Dùng PostgreSQL 18 cho mọi môi trường.'],
      ['decision', 'Token phiên hết hạn sau 30 phút.'],
      ['working_note', 'Minh cập nhật dashboard trước thứ Sáu.'],
      ['constraint', 'Không được triển khai vào thứ Sáu.'],
      ['preference', 'Nhóm thích pull request nhỏ.'],
    ],
  ],
  [
    'Indonesian',
    'Keputusan:\n- Kita memakai PostgreSQL 18 di semua lingkungan.\n- Token sesi kedaluwarsa setelah 30 menit.\nTugas:\n- Budi memperbarui dasbor sebelum Jumat.\nDilarang deploy pada hari Jumat. Tim lebih suka pull request kecil.',
    [
      ['decision', 'Kita memakai PostgreSQL 18 di semua lingkungan.'],
      ['decision', 'Token sesi kedaluwarsa setelah 30 menit.'],
      ['working_note', 'Budi memperbarui dasbor sebelum Jumat.'],
      ['constraint', 'Dilarang deploy pada hari Jumat.'],
      ['preference', 'Tim lebih suka pull request kecil.'],
    ],
  ],
  [
    'Swedish',
    'Beslut:\n- Vi går över till PostgreSQL 18.\n- Loggar sparas i 90 dagar.\nAtt göra:\n- Erik uppdaterar instrumentpanelen före fredag.\nDet är förbjudet att driftsätta på fredagar. Teamet föredrar små pull requests.',
    [
      ['decision', 'Vi går över till PostgreSQL 18.'],
      ['decision', 'Loggar sparas i 90 dagar.'],
      ['working_note', 'Erik uppdaterar instrumentpanelen före fredag.'],
      ['constraint', 'Det är förbjudet att driftsätta på fredagar.'],
      ['preference', 'Teamet föredrar små pull requests.'],
    ],
  ],
  [
    'Czech',
    'Rozhodnutí:\n- Přecházíme na PostgreSQL 18.\nÚkoly:\n- Jana aktualizuje dashboard do pátku.\nV pátek se nesmí nasazovat. Tým dává přednost malým PR.',
    [
      ['decision', 'Přecházíme na PostgreSQL 18.'],
      ['working_note', 'Jana aktualizuje dashboard do pátku.'],
      ['constraint', 'V pátek se nesmí nasazovat.'],
      ['preference', 'Tým dává přednost malým PR.'],
    ],
  ],
  [
    'Thai',
    'มติ:\n- ใช้ PostgreSQL 18 ทุกสภาพแวดล้อม\n- โทเคนหมดอายุใน 30 นาที\nงานที่ต้องทำ:\n- สมชายอัปเดตแดชบอร์ดก่อนวันศุกร์\nห้ามดีพลอยวันศุกร์',
    [
      ['decision', 'ใช้ PostgreSQL 18 ทุกสภาพแวดล้อม'],
      ['decision', 'โทเคนหมดอายุใน 30 นาที'],
      ['working_note', 'สมชายอัปเดตแดชบอร์ดก่อนวันศุกร์'],
      ['constraint', 'ห้ามดีพลอยวันศุกร์'],
    ],
  ],
  [
    'Japanese',
    '決定事項\n・全環境で PostgreSQL 18 を使う\n・トークンは30分で失効する\nTODO\n・田中：金曜までにダッシュボードを更新\n金曜日のデプロイは禁止です。チームは小さな PR を好みます。',
    [
      ['decision', '全環境で PostgreSQL 18 を使う'],
      ['decision', 'トークンは30分で失効する'],
      ['working_note', '田中：金曜までにダッシュボードを更新'],
      ['constraint', '金曜日のデプロイは禁止です。'],
      ['preference', 'チームは小さな PR を好みます。'],
    ],
  ],
  [
    'Chinese',
    '决定：\n1、所有环境使用 PostgreSQL 18。\n2、会话令牌 30 分钟后失效。\n待办：\n- 小王周五前更新仪表盘\n周五不允许部署。团队喜欢小的 PR。',
    [
      ['decision', '所有环境使用 PostgreSQL 18。'],
      ['decision', '会话令牌 30 分钟后失效。'],
      ['working_note', '小王周五前更新仪表盘'],
      ['constraint', '周五不允许部署。'],
      ['preference', '团队喜欢小的 PR。'],
    ],
  ],
  [
    'Ukrainian',
    "Рішення:\n- Переходимо на PostgreSQL 18.\nЗавдання:\n- Олена: оновити дашборд до п'ятниці.\nДеплой у п'ятницю заборонено.",
    [
      ['decision', 'Переходимо на PostgreSQL 18.'],
      ['working_note', "Олена: оновити дашборд до п'ятниці."],
      ['constraint', "Деплой у п'ятницю заборонено."],
    ],
  ],
  [
    'Greek',
    'Αποφάσεις:\n- Χρησιμοποιούμε PostgreSQL 18.\nΕκκρεμότητες:\n- Η Μαρία ενημερώνει το dashboard ως την Παρασκευή.\nΑπαγορεύεται το deploy την Παρασκευή.',
    [
      ['decision', 'Χρησιμοποιούμε PostgreSQL 18.'],
      ['working_note', 'Η Μαρία ενημερώνει το dashboard ως την Παρασκευή.'],
      ['constraint', 'Απαγορεύεται το deploy την Παρασκευή.'],
    ],
  ],
  [
    'Arabic',
    'القرارات:\n- نستخدم PostgreSQL 18 في كل البيئات.\nالمهام:\n- تحديث لوحة المعلومات قبل يوم الجمعة (سارة).\nيمنع النشر يوم الجمعة.',
    [
      ['decision', 'نستخدم PostgreSQL 18 في كل البيئات.'],
      ['working_note', 'تحديث لوحة المعلومات قبل يوم الجمعة (سارة).'],
      ['constraint', 'يمنع النشر يوم الجمعة.'],
    ],
  ],
];

test.each(minutes)('spec 25 Q14: minutes in %s', async (_language, text, statements) => {
  expect(await statementsIn(text)).toEqual(statements);
});

test.each([
  '`env` Optional, a map.\nYou must give a source.\n- `argv` Optional, a list of words.',
  'Der Export darf nicht laufen ohne die\nZustimmung des Nutzers.',
  "Don't use any\nTypeScript enums.",
  'We decided to move the search index from Solr to\nElasticsearch in March.',
  'Emails that are sent to customers must come from\nPostmark and never from the server itself.',
  '数据库备份保存在对象存储\n并且每周必须做一次恢复演练。',
  'データベースは毎晩三時に東京の\nサーバーへ必ずコピーされる。',
  'Never commit secrets.\nUse the vault for tokens.\nAsk Anna first.',
  'We take Postgres for invoices.\nIt must run in Frankfurt.',
  'Dr. Müller prüft die Abrechnung mit Dr.\nSchmidt muss zustimmen.',
])('spec 25 Q14: the lines below an item belong to it: %j', (text) => {
  const [item] = unitsOf({ text: `- ${text}`, speaker: null });
  expect(item?.text.replace(/\s/g, '')).toBe(text.split('\n- ')[0]?.replace(/\s/g, ''));
});

test('spec 25 Q14: a list goes on behind a label and a remark', async () => {
  expect(
    await statementsIn(
      'Decisions:\n- Use Postgres for the invoices.\nIt has the extensions that the team knows.\n\n- Use Redis for the sessions\nConstraint: version 8 or later\n- Use Loki for the logs',
    ),
  ).toEqual([
    ['decision', 'Use Postgres for the invoices. It has the extensions that the team knows.'],
    ['decision', 'Use Redis for the sessions'],
    ['constraint', 'Constraint: version 8 or later'],
    ['decision', 'Use Loki for the logs'],
  ]);
});

test.each([
  ['The API has no permits endpoint and no acceptance tests.', 'fact'],
  ['Formularz zdecydowanie wymaga poprawy.', 'fact'],
  ['Het kantoor is besloten op vrijdag.', 'fact'],
  ['ถูกต้องแล้วระบบสำรองข้อมูลทุกคืนเวลาตีสาม', 'fact'],
  ['Dữ liệu không được mã hóa vì lý do lịch sử.', 'fact'],
  ['Halo ships with dark mode.', 'fact'],
  ['Please let us know two weeks before a vacation.', 'fact'],
])('a word of another language gives no kind, and no greeting: %s', async (text, kind) => {
  expect(await statementsIn(text)).toEqual([[kind, text]]);
});

test.each([
  'Hej allihopa!',
  'Tack så mycket för hjälpen!',
  'Xin chào mọi người!',
  'Cảm ơn các bạn rất nhiều.',
  'Selamat pagi semuanya!',
  'Terima kasih banyak atas bantuannya.',
  'สวัสดีครับทุกคน',
  'ขอบคุณมากครับ',
  'Kiitos kaikille avusta.',
  'Misschien nemen we later Redis.',
  'Belki daha sonra Redis kullanırız.',
  'Možná později použijeme Redis.',
])('a greeting, thanks or a guess: %s', async (text) => {
  expect(await statementsIn(`${text}\n\nPostgreSQL 18 runs in Frankfurt.`)).toEqual([
    ['fact', 'PostgreSQL 18 runs in Frankfurt.'],
  ]);
});

test('a sentence without spaces is long enough', async () => {
  const thai = `ระบบฐานข้อมูล${'ของเซิร์ฟเวอร์สำรอง'.repeat(15)}`;
  expect(await statementsIn(`${thai}\n\nรองรับผู้ใช้งานพร้อมกันหลายคน`)).toEqual([
    ['fact', thai],
    ['fact', 'รองรับผู้ใช้งานพร้อมกันหลายคน'],
  ]);
});
