/**
 * Names of code, files, addresses and versions; abbreviations. Each begins at its rarest sign and looks at most 64 characters back, so that
 * a long run of letters, `-` or `_` takes linear time.
 */
const codeNames = new RegExp(
  [
    '`|https?:',
    // A file with its path, or of several words.
    '\\w\\.(?<=[\\w-][./_-][\\w./-]{0,64}\\w\\.)\\w{1,5}(?!\\w)',
    '\\w/\\w',
    // `snake_case`, `camelCase`, a call.
    '_(?<=[a-z]\\w{0,64}_)\\w',
    '[A-Z](?<=[a-z][a-z0-9]{1,64}[A-Z])',
    '\\w\\(\\)',
    '(?<![A-Za-z])[A-Z][A-Z0-9]{1,}(?![A-Za-z])',
    '\\d\\.\\d',
  ].join('|'),
);

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
    // The same in other languages: Romance ones, Dutch, Polish, Turkish, Russian, Korean, Arabic, Hindi.
    `(?<![\\p{L}\\p{M}])(?:${words(`serveurs? données déploiements? équipe clients? factures? erreurs? fichiers? requêtes? réseau sauvegardes? paiements? journaux
      servidor(?:es)? datos despliegues? equipo clientes? facturas? archivos? pedidos? copias? pagos? registros?
      dados implantação equipe fatura arquivos? pagamentos? fila dati fattur[ae] errori? pagament[io] archivio
      databank klanten? factuur fouten bestand(?:en)? wachtrij betaling(?:en)? danych klient\\p{L}* faktur\\p{L}+ błęd\\p{L}+ plik\\p{L}* kolejk\\p{L}+ płatnoś\\p{L}+
      sunucu\\p{L}* veri\\p{L}* müşteri\\p{L}* fatura\\p{L}* hata\\p{L}* dosya\\p{L}* kuyru\\p{L}+ ödeme\\p{L}*
      сервер\\p{L}* данны\\p{L}+ систем\\p{L}+ команд\\p{L}+ клиент\\p{L}* сч[её]т\\p{L}* ошиб\\p{L}+ файл\\p{L}* запрос\\p{L}* очеред\\p{L}+ приложени\\p{L}+ журнал\\p{L}* релиз\\p{L}* оплат\\p{L}+
      서버\\p{L}* 데이터\\p{L}* 시스템\\p{L}* 팀\\p{L}? 고객\\p{L}* 배포\\p{L}* 오류\\p{L}* 파일\\p{L}* 요청\\p{L}* 결제\\p{L}* 설정\\p{L}*
      (?:ال)?(?:خادم|بيانات|نظام|فريق|عميل|عملاء|فواتير|فاتورة|ملفات?|خطأ|تطبيق|واجهة|طلبات?|سجلات|دفع|احتياطي)
      सर्वर डेटाबेस डेटा सिस्टम टीम ग्राहक चालान फाइल त्रुटि बैकअप ऐप लॉग अनुरोध भुगतान कतार संदेश
      classes? n(?:œ|oe)uds? composants? modules? widgets? thèmes? écrans? icônes? formulaires? champs? méthodes? fonctions? variables? bibliothèques? hérit\\p{L}+ migr(?:é|ée|és|er|ation|ations) compil\\p{L}+
      clases? nodos? componentes? módulos? pantallas? [ií]conos? formularios? campos? métodos? funci(?:ón|ones) permisos? tablas? widget bibliotecas? catálogos? heredan? sobrescrib\\p{L}+ renombr\\p{L}+
      telas? ícones? formulários? funç(?:ão|ões) tabelas? herdam? renome\\p{L}+ nod[oi] classi componente componenti modulo moduli schermat[ae] icon[ae] metod[oi] funzion[ei] tabell[ae] radice catalogo eredita\\p{L}*
      scherm(?:en)? knop(?:pen)? veld(?:en)? formulier(?:en)? klasse tabel(?:len)? functies? pagina\\p{L}* instelling(?:en)? icoon gecachet
      formularz\\p{L}* komponen\\p{L}+ moduł\\p{L}* ekran\\p{L}* ikon\\p{L}+ klas[aęyie] metod[aęyie] węz\\p{L}+ tabel\\p{L}+ funkcj\\p{L}+ aplikacj\\p{L}+
      servis\\p{L}* modül\\p{L}* bileşen\\p{L}* sayfa\\p{L}* düğüm\\p{L}* düğm\\p{L}+ sınıf\\p{L}* tablo\\p{L}* uygulama\\p{L}* portu\\p{L}*
      виджет\\p{L}* отч[её]т\\p{L}* каталог\\p{L}* компонент\\p{L}* модул\\p{L}+ экран\\p{L}* кнопк\\p{L}+ класс(?:а|е|ы|ов) узел узл\\p{L}+ метод\\p{L}* таблиц\\p{L}+ функци\\p{L}+ иконк\\p{L}+ сервис\\p{L}* страниц\\p{L}+
      아이콘\\p{L}* 화면\\p{L}* 버튼\\p{L}* 컴포넌트\\p{L}* 모듈\\p{L}* 위젯\\p{L}* 메서드\\p{L}* 클래스\\p{L}* 노드\\p{L}* 테이블\\p{L}* 함수\\p{L}* 기능\\p{L}*
      (?:ال)?(?:شاشة|زر|نموذج|حقل|جدول|مكون|أيقونة|صفحة|وحدة)
      postgres\\p{L}* kafka kubernetes redis mysql mongodb contrats? fournisseurs? contratos? proveedor(?:es)? migr(?!ain)\\p{L}+ proyectos? progett[oi] projetos?
      despliega\\p{L}* draait wdraż\\p{L}+ proje\\p{L}* yayın\\p{L}* прод профил\\p{L}+ 메모리\\p{L}* 캐시\\p{L}* 컬럼\\p{L}* (?:ال)?خدمة प्रोजेक्ट सर्विस
      विजेट स्क्रीन बटन फॉर्म मॉड्यूल घटक आइकन टेबल पेज नोड क्लास`)})(?![\\p{L}\\p{M}])`,
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

/** Whether a unit has a name of code or a word of software or projects. */
export function hasWorkWord(text: string): boolean {
  return codeNames.test(text) || vocabulary.test(text);
}

const number =
  /\p{Nd}|[一二三四五六七八九十百千万两]+(?:点|點|号|號|月|日|个|個|名|位|间|間|次|天|周|週|元|年|時|人|件|回|円|%)/u;

/** A capitalized word behind another word. In German that is any noun, so a name is two such words, or one behind a title. */
const name = /(?<=[\p{L}\p{N},;:] )(?!I(?:[’'] ?\p{L}+)?(?!\p{L}))\p{Lu}[\p{L}\p{M}\d’'-]+/u;
const germanName =
  /(?<!\p{L})(?:Herrn?|Frau|Dr\.|Prof\.|Firma|Familie) \p{Lu}|(?<=[\p{L}\p{N},;:] )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u;
const german =
  /(?<!\p{L})(?:der|die|das|den|dem|und|ist|sind|wird|werden|ein|eine|einen|im|am|mit|von|vom|zur?|zum|auf|für|nicht|nur|bei|nach|hat|haben)(?!\p{L})/iu;
/** Titles behind names, words in Katakana, and Latin letters inside of Chinese and Japanese text. */
const cjkName =
  /\p{Script=Han}{1,3}(?:老师|老師|先生|女士|医生|醫生|经理|經理|主任|校长|校長|教授)|(?:さん|様|氏|先生)|[\p{Script=Katakana}ー]{4,}|(?<=[\p{Script=Han}\p{Script=Hiragana}])[A-Za-z]{2,}|[A-Za-z]{2,}(?=[\p{Script=Han}\p{Script=Hiragana}])/u;

/** Whether a unit says something that can be looked up later: it has a word of work, a number or a name. */
export function isConcrete(text: string): boolean {
  if (hasWorkWord(text) || number.test(text) || cjkName.test(text)) return true;
  return (german.test(text) ? germanName : name).test(text);
}

/** Whether a unit has a number. */
export function hasNumber(text: string): boolean {
  return number.test(text);
}
