import { seededRandom } from '../data/random.ts';

/** A sentence of a work log, and the kind of entry that it deserves; null if it deserves none. */
export interface LabeledSentence {
  language: 'en' | 'de' | 'zh' | 'ja';
  kind: 'fact' | 'preference' | 'decision' | 'constraint' | 'working_note' | null;
  text: string;
}

type Labels = Record<Exclude<LabeledSentence['kind'], null> | 'none', readonly string[]>;

const en: Labels = {
  decision: [
    'We decided to move the billing service to Postgres 16.',
    'After the review we settled on OpenTelemetry for tracing.',
    'The team agreed to ship the mobile release on Tuesdays.',
    "Let's go with Redis Streams instead of Kafka for the event log.",
    "We're dropping support for Node 18 in the next major version.",
    'The API will return 409 when two writers touch the same revision.',
    'I picked pnpm over yarn because of its strict node_modules layout.',
    "We won't build our own scheduler.",
    'The plan is to migrate tenants one at a time.',
  ],
  constraint: [
    'Never commit directly to the release branch.',
    'All migrations must be backwards compatible with the previous release.',
    'Secrets may not appear in log lines.',
    "You can't use more than 512 MB of memory per worker.",
    'Every endpoint has to check the tenant before it reads anything.',
    'Only the payments team is allowed to deploy the ledger.',
    "Don't run the seed script against production.",
    'Requests over 8 MiB need to be rejected with 413.',
  ],
  preference: [
    'Maria prefers short pull requests with one commit.',
    "I'd rather have explicit types than clever inference.",
    'The user likes dark mode and compact tables.',
    'Please keep answers short and skip the summary.',
    'Tom hates mocks in integration tests.',
  ],
  working_note: [
    'TODO: write the runbook for the failover.',
    'The retry logic of the webhook sender is still missing.',
    'We still need to benchmark the new index on a large tenant.',
    'The deploy is blocked until the certificate is renewed.',
    'Next I will add pagination to the audit log.',
  ],
  fact: [
    'The staging database runs on db-3 in Frankfurt.',
    'The memory leak came from an event listener that was never removed.',
    'Anna leads the platform team since March.',
    'The nightly export takes about 40 minutes.',
    'Feature flags live in config/flags.yaml.',
    'The legacy client sends dates without a time zone.',
    'Checkout failed because the currency was missing from the cache key.',
    'Port 5433 is used by the analytics replica.',
    'The search index holds one row per entry and language.',
  ],
  none: [
    'I had pizza for lunch.',
    'Sounds good, thanks a lot!',
    'Maybe we will use Rust for the parser.',
    'You must be kidding!',
    'The weather in Berlin is lovely today.',
    'Let me take a look at the file first.',
    'We might switch to Kubernetes at some point.',
    'My daughter starts school next week.',
    'Could you rerun the pipeline?',
    'Never mind, it was my mistake.',
    'I think we could perhaps try a different queue.',
    'Haha, that was a wild meeting.',
    'Have a great weekend everyone!',
    "I'm not sure whether the cache matters here.",
  ],
};

const de: Labels = {
  decision: [
    'Wir haben beschlossen, die Rechnungen künftig als PDF zu speichern.',
    'Wir nehmen Fastify statt Express.',
    'Das Team hat sich auf zweiwöchige Sprints geeinigt.',
    'Für die Suche setzen wir auf OpenSearch.',
    'Die Entscheidung fiel auf Hetzner als Anbieter.',
    'Ich habe mich für den zweiten Entwurf entschieden.',
    'Ab Version 3 unterstützen wir kein XML mehr.',
  ],
  constraint: [
    'Passwörter dürfen niemals im Klartext gespeichert werden.',
    'Jede Änderung am Schema muss rückwärtskompatibel sein.',
    'Freitags darf nicht deployt werden.',
    'Der Container muss ohne Root-Rechte laufen.',
    'Kundendaten dürfen die EU nicht verlassen.',
    'Verwende keine globalen Variablen.',
    'Pro Anfrage sind höchstens 100 Einträge erlaubt.',
    'Tests müssen ohne Netzwerk laufen.',
  ],
  preference: [
    'Sabine arbeitet am liebsten mit Vim.',
    'Ich mag kurze Commit-Nachrichten auf Englisch.',
    'Der Kunde bevorzugt eine dunkle Oberfläche.',
    'Bitte antworte immer auf Deutsch.',
    'Uns sind kleine Releases lieber als große.',
  ],
  working_note: [
    'Die Dokumentation für den Webhook fehlt noch.',
    'Als Nächstes baue ich die Seitennavigation ein.',
    'Offen ist noch die Anbindung an das alte CRM.',
    'Wir müssen noch die Lasttests wiederholen.',
    'Das Deployment hängt an der Freigabe durch die Sicherheit.',
    'TODO: Fehlermeldungen übersetzen.',
  ],
  fact: [
    'Der Build-Server steht in Nürnberg und hat 32 Kerne.',
    'Die Latenz stieg, weil der Verbindungspool zu klein war.',
    'Die Schnittstelle liefert Beträge in Cent.',
    'Herr Krüger ist der Ansprechpartner für die Datenbank.',
    'Die Konfiguration liegt in deploy/values.yaml.',
    'Der Fehler trat nur unter Node 22 auf.',
    'Das alte System speichert Zeiten in Ortszeit.',
    'Die Testdaten stammen aus dem Export vom 3. Mai.',
    'Ein Mandant hat im Schnitt 4000 Einträge.',
  ],
  none: [
    'Zum Mittagessen gab es heute Lasagne.',
    'Guten Morgen zusammen!',
    'Vielleicht nehmen wir doch lieber Rust.',
    'Das darf doch wohl nicht wahr sein!',
    'Ich schaue mir das gleich mal an.',
    'Schönes Wochenende und bis Montag!',
    'Eventuell könnten wir auch auf Kafka umsteigen.',
    'Bin gerade vom Zahnarzt zurück.',
    'Kannst du den Test noch einmal starten?',
    'Ich muss sagen, das Spiel gestern war großartig.',
    'Alles klar, danke dir.',
    'Keine Ahnung, warum das so langsam ist.',
    'Wahrscheinlich liegt es am Netzwerk.',
    'Mein Zug hatte wieder Verspätung.',
    'Wir überlegen noch, ob sich ein Umzug lohnt.',
  ],
};

const zh: Labels = {
  decision: [
    '我们决定把订单服务迁移到 Go。',
    '团队一致同意每周二发布。',
    '最终选用 ClickHouse 做分析库。',
    '经过讨论，缓存方案定为 Redis Cluster。',
    '我们不再支持 IE 浏览器。',
    '从 2.0 版本开始改用 gRPC 通信。',
    '日志格式统一采用 JSON。',
    '会上确定由王伟负责支付模块。',
  ],
  constraint: [
    '生产环境禁止直接修改数据库。',
    '所有接口必须校验租户身份。',
    '密钥不能写进代码仓库。',
    '单个请求最多返回 100 条记录。',
    '上线前务必备份数据。',
    '不要在主分支上强制推送。',
    '每次迁移都要能够回滚。',
    '只有管理员才可以删除项目。',
  ],
  preference: [
    '李娜喜欢用深色主题。',
    '我更喜欢用命令行而不是图形界面。',
    '客户希望报告用中文书写。',
    '小张偏好小而频繁的提交。',
    '请用简短的句子回答我。',
  ],
  working_note: [
    '支付回调的重试逻辑还没写完。',
    '下一步是给审计日志加分页。',
    '待办：补充部署文档。',
    '还需要在大租户上测试新索引。',
    '发布卡在安全审核上。',
    '单元测试尚未覆盖导入模块。',
  ],
  fact: [
    '测试数据库部署在上海机房的 db-3 上。',
    '内存泄漏是由未移除的监听器引起的。',
    '夜间导出大约需要 40 分钟。',
    '配置文件放在 deploy/values.yaml 里。',
    '王芳从三月起负责平台组。',
    '旧客户端发送的日期不带时区。',
    '5433 端口被只读副本占用。',
    '这个故障只在 Node 22 下出现。',
    '接口返回的金额以分为单位。',
  ],
  none: [
    '今天中午吃了火锅。',
    '好的，谢谢大家！',
    '也许我们会用 Rust 重写。',
    '你一定是在开玩笑吧！',
    '今天天气真不错。',
    '我先看一下这个文件。',
    '以后可能会换成 Kubernetes。',
    '我女儿下周开学。',
    '能不能再跑一次流水线？',
    '不得不说昨晚的电影太好看了。',
    '周末愉快，下周见！',
    '我不太确定是不是缓存的问题。',
    '哈哈，太有意思了。',
    '我觉得或许可以考虑一下别的方案。',
  ],
};

const ja: Labels = {
  decision: [
    '請求サービスをPostgres 16へ移行することに決めました。',
    'ログの形式はJSONに統一する。',
    'キューにはRedis Streamsを採用します。',
    'リリースは毎週火曜日に行うことで合意した。',
    '次のバージョンからNode 18のサポートを終了します。',
    '検討の結果、自前のスケジューラは作らないことにした。',
    '認証はAuth0を使うことになりました。',
    'テナントは一つずつ移行する方針です。',
  ],
  constraint: [
    '本番データベースを直接変更してはいけません。',
    'すべてのAPIはテナントを確認しなければならない。',
    '秘密鍵をリポジトリに含めないでください。',
    '1回のリクエストで返せるのは最大100件までです。',
    'マイグレーションは必ずロールバック可能にすること。',
    '金曜日のデプロイは禁止です。',
    'メインブランチへの強制プッシュは不可。',
    '個人情報は国外に持ち出せない。',
  ],
  preference: [
    '田中さんはダークモードを好みます。',
    '私はGUIよりコマンドラインの方が好きです。',
    '回答は短くまとめてほしい。',
    'お客様は日本語のレポートを希望しています。',
    '佐藤さんは小さなプルリクエストを好む。',
  ],
  working_note: [
    'Webhookの再送処理がまだ実装されていません。',
    '次は監査ログにページングを追加する予定です。',
    'TODO: エラーメッセージの翻訳',
    '大規模テナントでの性能測定が残っています。',
    'セキュリティ審査待ちでリリースが止まっている。',
    '導入手順書を書く必要がある。',
  ],
  fact: [
    'ステージングのデータベースは東京リージョンのdb-3で動いている。',
    'メモリリークの原因は解除されないリスナーだった。',
    '夜間バッチは約40分かかります。',
    '設定ファイルはdeploy/values.yamlにあります。',
    '3月から鈴木さんが基盤チームのリーダーです。',
    '古いクライアントはタイムゾーンなしの日付を送信する。',
    'ポート5433は分析用レプリカが使用している。',
    'このエラーはNode 22でのみ発生する。',
    '金額はセント単位で返されます。',
  ],
  none: [
    'お昼はラーメンを食べました。',
    'ありがとうございます、助かりました！',
    'Rustで書き直すかもしれません。',
    '冗談でしょう！',
    '今日はいい天気ですね。',
    'まずファイルを見てみます。',
    '将来的にはKubernetesに移るかも。',
    '娘が来週から小学校に通います。',
    'もう一度パイプラインを実行してもらえますか？',
    'お疲れ様でした、良い週末を！',
    'たぶんキャッシュは関係ないと思う。',
    '昨日の試合は本当に面白かった。',
    'なるほど、わかりました。',
    '原因がどこにあるのかよく分からない。',
  ],
};

/** 200 sentences as people and agents write them: 50 in each language, a quarter of them worth no entry. */
export const labeledSentences: readonly LabeledSentence[] = Object.entries({ en, de, zh, ja }).flatMap(
  ([language, labels]) =>
    Object.entries(labels).flatMap(([kind, texts]) =>
      texts.map((text) => ({
        language: language as LabeledSentence['language'],
        kind: kind === 'none' ? null : (kind as LabeledSentence['kind']),
        text,
      })),
    ),
);

/** Seed of the held-out half. */
const seed = 20_261_127;

/**
 * The half that rules are tuned on, and the half that only measures them. Every second sentence of each language, in an order by a
 * seeded generator, is held out.
 */
export function splitSentences(): { tuning: LabeledSentence[]; heldOut: LabeledSentence[] } {
  const halves = { tuning: [] as LabeledSentence[], heldOut: [] as LabeledSentence[] };
  const next = seededRandom(seed);
  const drawn = labeledSentences.map((sentence) => ({ sentence, order: next() }));
  for (const group of Map.groupBy(drawn, ({ sentence }) => sentence.language).values()) {
    group
      .toSorted((a, b) => a.order - b.order)
      .forEach(({ sentence }, index) => {
        halves[index % 2 === 0 ? 'tuning' : 'heldOut'].push(sentence);
      });
  }
  return halves;
}
