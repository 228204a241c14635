import type { KnownKind } from './kinds.ts';

/** Names of code, files, addresses and versions; abbreviations; numbers. */
const names =
  /`|https?:|[\w-]+[./_-][\w./-]*\w\.\w{1,5}(?!\w)|\w+\/\w+|[a-z]\w*_\w+|[a-z][a-z0-9]+[A-Z]\w*|\w+\(\)|(?<![A-Za-z])[A-Z][A-Z0-9]{1,}(?![A-Za-z])|v?\d+\.\d+|\d{2,}|[A-Za-z]+ ?\d/;

/** Words of software and of projects. */
const vocabulary = new RegExp(
  [
    // English and words that German shares.
    `(?<![\\p{L}])(?:${words(`server service database db cache queue api endpoint client backend frontend gateway worker job cron build builds test
      tests deploy deploys deployed deployment release branch commit repo repository merge merged pull request requests config configuration setting settings flag
      file files folder directory script module package library dependency dependencies version bug bugs error errors exception crash crashed crashes leak latency
      timeout timeouts memory disk network port host cluster container image pod node token auth login session user users tenant
      tenants account schema table column row rows index migration migrations query queries transaction lock backup log logs metric metrics alert
      alerts dashboard monitoring webhook response header payload json yaml certificate domain dns proxy load throughput
      team owner customer customers contract invoice billing payment payments license vendor deadline budget sprint ticket tickets
      issue incident production staging environment region feature features product project roadmap architecture design
      model prompt agent agents pipeline code function class method parameter variable type types interface field key keys value
      string parser compiler runtime framework docs documentation readme security permission role policy audit encryption
      import export batch stream event events message messages topic consumer producer shard replica pool connection connections thread process kernel
      app application web mobile ui ux page button form report reports data dataset record records entry entries storage bucket object search
      fails failed failing broke broken fix fixed returns stores runs lives uses supports requires depends limit limits format
      datenbank dienst schnittstelle anfrage anfragen fehler absturz speicher netzwerk konfiguration datei dateien ordner verzeichnis
      skript modul paket bibliothek abhängigkeit schema tabelle spalte zeile abfrage sperre sicherung protokoll zertifikat
      kunde kunden vertrag rechnung rechnungen zahlung lizenz frist budget mandant mandanten benutzer nutzer konto umgebung
      produktion testdaten daten einträge ansprechpartner projekt bericht verbindungspool system version lösung anbieter`)})(?![\\p{L}])`,
    // German compounds of these words.
    '\\p{L}{3,}(?:server|dienst|datenbank|schnittstelle|konfiguration|datei|dateien|fehler|speicher|schlüssel|test|tests|daten|system|pool|zeit|rate)(?![\\p{L}])',
    '服务|服務|数据|數據|資料庫|缓存|快取|队列|佇列|接口|介面|客户端|前端|后端|後端|网关|任务|任務|构建|測試|测试|部署|发布|發布|分支|提交|仓库|倉庫|合并|配置|设置|文件|檔案|目录|脚本|模块|模組|依赖|版本|缺陷|错误|錯誤|异常|崩溃|泄漏|延迟|延遲|超时|超時|内存|記憶體|磁盘|网络|端口|主机|集群|容器|镜像|令牌|登录|会话|用户|租户|账户|表|索引|迁移|查询|事务|备份|日志|指标|告警|监控|请求|响应|证书|域名|代理|团队|负责|客户|合同|发票|支付|许可|期限|预算|工单|故障|环境|机房|功能|产品|项目|架构|模型|代码|函数|参数|变量|类型|权限|审计|加密|批处理|消息|副本|连接|线程|进程|应用|报告|记录|存储|系统|程序|算法|字段|时区|金额|导出|导入',
    'サーバ|サービス|データ|キャッシュ|キュー|エンドポイント|クライアント|バックエンド|フロント|ゲートウェイ|ワーカー|ジョブ|ビルド|テスト|デプロイ|リリース|ブランチ|コミット|リポジトリ|マージ|設定|ファイル|フォルダ|ディレクトリ|スクリプト|モジュール|パッケージ|ライブラリ|依存|バージョン|バグ|エラー|例外|クラッシュ|リーク|遅延|タイムアウト|メモリ|ディスク|ネットワーク|ポート|ホスト|クラスタ|コンテナ|イメージ|トークン|認証|ログ|セッション|ユーザー|テナント|アカウント|スキーマ|テーブル|インデックス|マイグレーション|クエリ|トランザクション|バックアップ|メトリクス|アラート|監視|リクエスト|レスポンス|証明書|ドメイン|チーム|担当|顧客|お客様|契約|請求|決済|ライセンス|期限|予算|チケット|障害|本番|ステージング|環境|リージョン|機能|製品|プロジェクト|設計|モデル|コード|関数|引数|変数|権限|監査|暗号|バッチ|メッセージ|レプリカ|接続|スレッド|プロセス|アプリ|レポート|レコード|ストレージ|システム|仕様|タイムゾーン|金額|原因',
  ].join('|'),
  'iu',
);

function words(list: string): string {
  return list.trim().split(/\s+/).join('|');
}

/** Whether a unit has a sign that it bears on work. */
export function hasWorkWord(text: string): boolean {
  return names.test(text) || vocabulary.test(text);
}

/** Words of private life. A unit with them, and without a sign of work, is small talk under `coding`. */
const privateLife = new RegExp(
  [
    '(?<![\\p{L}])(?:lunch|dinner|breakfast|brunch|pizza|burgers?|sushi|coffee|tea|cake|beer|wine|snacks?|hungry|thirsty|ate|eat(?:en|ing)?|delicious|tasty|weather|rain(?:y|ing)?|sunny|sunshine|snow(?:ing)?|daughter|son|wife|husband|kids?|mom|mum|dad|mother|father|sister|brother|grandma|girlfriend|boyfriend|birthday|wedding|weekend|holidays?|vacation|movies?|film|football|soccer|match|party|concert|gym|tired|sleepy|slept|sick|headache|dentist|doctor|traffic|commute|bus|bike|dog|cat|puppy|garden|beach|hik(?:e|ing)|netflix|meme|joke|funny|hilarious)(?![\\p{L}])',
    '(?<![\\p{L}])(?:mittagessen|abendessen|frühstück|essen|gegessen|lecker|hunger|kaffee|kuchen|bier|wein|wetter|regen|regnet|sonnig|sonne|schnee|schneit|tochter|sohn|frau|mann|kinder|mutter|vater|schwester|bruder|oma|opa|geburtstag|hochzeit|wochenende|urlaub|ferien|kino|film|fußball|spiel|feier|party|konzert|müde|geschlafen|krank|kopfschmerzen|zahnarzt|arzt|stau|zug|bahn|bus|fahrrad|hund|katze|garten|strand|lustig|witzig)(?![\\p{L}])',
    '午饭|午餐|晚饭|晚餐|早饭|早餐|中午吃|吃饭|吃飯|一起(?:吃|喝|玩)|火锅|咖啡|奶茶|蛋糕|啤酒|好吃|饿|天气|下雨|下雪|晴天|女儿|儿子|老婆|老公|妻子|丈夫|孩子|爸|妈|姐|哥|妹妹|弟弟|生日|婚礼|周末|假期|放假|旅游|旅行|电影|球赛|足球|聚会|演唱会|健身|好累|很累|困了|睡|感冒|生病|头疼|牙医|医生|堵车|地铁|公交|狗|猫|有意思|好笑|笑死',
    'ランチ|お昼|昼食|昼ご飯|夕食|晩ご飯|朝食|朝ご飯|ラーメン|寿司|コーヒー|ケーキ|ビール|食べ|飲みに|飲み会|美味し|おいし|お腹|天気|雨が|雪が|晴れ|娘|息子|妻|夫|子供|子ども|母|父|姉|兄|妹|弟|誕生日|結婚|週末|休み|休暇|旅行|映画|試合|サッカー|野球|パーティ|コンサート|ジム|疲れ|眠|風邪|病気|頭痛|歯医者|医者|渋滞|電車|バス|犬|猫|面白|楽し|笑',
  ].join('|'),
  'iu',
);

const firstPerson =
  /^(?:(?:well|so|and|but|today|yesterday|btw)[, ]{1,2})*(?:i|i[’'](?:m|ve|d|ll)|my|we had|me)(?![\p{L}])|^(?:ich|mein\p{L}{0,2}|bin|hab(?:e)?|mir)(?![\p{L}])|^(?:今天|昨天|刚才)?我(?!们|方|司|們)|^(?:昨日|今日|今朝)?(?:私|僕|俺|うち)(?:は|の|も)/iu;

/** Comments on what was said or seen: `That is great.`, `It works.` */
const comment =
  /^(?:that|this|it|these|those)(?:[’']s| is| was| looks?| sounds?| seems?| feels?| makes?| works?| worked| did)(?![\p{L}])(?: \S+){0,5}[.!]?$|^(?:das|es|dies) (?:ist|war|klingt|sieht|wirkt|passt|geht|funktioniert)(?![\p{L}])(?: \S+){0,5}[.!]?$|^(?:那|这|這)(?:真|太|很|挺|个很|就)[^，。]{0,8}[。！!]?$|^(?:それ|これ)は[^、。]{0,8}(?:です|だ)ね[。！!]?$/iu;

/**
 * Whether a unit does not matter to later work: private life, and of facts comments and what the first person felt or did. A constraint
 * matters whatever its words are, because a project may be about concerts, doctors or buses.
 */
export function isPrivate(text: string, kind: KnownKind): boolean {
  if (kind === 'constraint' || hasWorkWord(text)) return false;
  return privateLife.test(text) || (kind === 'fact' && (firstPerson.test(text) || comment.test(text)));
}
