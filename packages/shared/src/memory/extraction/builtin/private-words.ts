/** Words of private life in one language, as patterns of whole words. */
interface PrivateWords {
  /** What only people do or have: family behind a possessive, meals that somebody ate, hunger, tiredness. */
  readonly own: RegExp;
  /** Meals, weather and leisure, which a project can be about too. */
  readonly everyday: RegExp;
  /** The first person, or somebody of their family. */
  readonly self: RegExp;
  /** A day that is over soon, and praise or complaint. */
  readonly passing: RegExp;
}

/** Hindi words can end with a mark. */
const wholeWords = (list: string) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${list})(?![\\p{L}\\p{M}])`, 'iu');

const privateWords = (own: string, everyday: string, self: string, passing: string): PrivateWords => ({
  own: wholeWords(own),
  everyday: wholeWords(everyday),
  self: wholeWords(self),
  passing: wholeWords(passing),
});

/**
 * Languages beside English, German, Chinese and Japanese. The words of a unit count within one language only: `hier` is French for
 * yesterday and German for here. Names of relatives are names of nodes and classes too (`la classe mère`), so they count behind a
 * possessive.
 */
export const privateWordsElsewhere: readonly PrivateWords[] = [
  // French
  privateWords(
    "(?:mon|ma|mes|notre|nos) (?:fille|fils|femme|mari|enfants?|maman|papa|mère|père|sœur|frère)s?|(?:ai|avons) (?:mangé|déjeuné|dîné|dormi)|j[’']ai (?:faim|soif|sommeil)|(?:suis|très|trop) (?:fatiguée?|malade)|délicieu(?:x|se)",
    'déjeuner|dîner|pizza|gâteau|bière|pluie|pleut|il fait (?:\\p{L}+ )?(?:beau|chaud|froid)|anniversaire|mariage|week-end|plage',
    "je|j[’']\\p{L}+|moi|mon|ma|mes",
    "aujourd[’']hui|hier|ce (?:matin|midi|soir|week-end)|cette nuit|délicieu(?:x|se)|magnifique|génial|trop (?:bon|bien|beau)",
  ),
  // Spanish
  privateWords(
    '(?:mis?|nuestr[oa]s?) (?:hij[oa]s?|esposa|marido|mujer|mamá|madre|padre|hermanos?|hermana|abuela)|comí|cené|almorcé|desayuné|dormí|tengo (?:hambre|sueño|frío|calor)|estoy (?:muy )?cansad[oa]|riquísim[oa]s?|hace (?:\\p{L}+ )?(?:calor|frío|viento)',
    'almuerzo|paella|cerveza|llueve|lloviendo|cumpleaños|boda|fin de semana|playa',
    'yo|mis?|me|conmigo|comí|cené|almorcé|desayuné|dormí|tengo|estoy',
    'hoy|ayer|anoche|esta (?:mañana|tarde|noche)|riquísim[oa]s?|delicios[oa]s?|genial',
  ),
  // Portuguese
  privateWords(
    '(?:meus?|minhas?) (?:filh[oa]s?|esposa|marido|mãe|pai|irmão|irmã|avó)|almocei|jantei|comi|dormi|estou com fome',
    'almoço|jantar|cerveja|chovendo|aniversário|casamento|praia',
    'eu|meus?|minhas?|almocei|comi|jantei|dormi|estou',
    'hoje|ontem|delicios[oa]s?|gostos[oa]s?',
  ),
  // Italian
  privateWords(
    '(?:mi[aoe]|miei) (?:figli[ao]?|moglie|marito|bambini|mamma|papà|fratello|sorella|nonna)|ho (?:mangiato|pranzato|cenato|dormito|fame|sonno)|sono (?:\\p{L}+ )?stanc[oa]|buonissim[oa]',
    'pranzo|cena|colazione|birra|piove|compleanno|spiaggia',
    'io|mi[aoe]|miei|ho|sono',
    'oggi|ieri|stasera|stamattina|buonissim[oa]|fantastic[oa]',
  ),
  // Dutch
  privateWords(
    'mijn (?:dochter|zoon|vrouw|man|kinderen|moeder|vader|broer|zus)|gegeten|lekker|ik heb honger|ben (?:\\p{L}+ )?(?:moe|ziek)',
    'avondeten|ontbijt|koffie|taart|regent|zonnig|verjaardag|bruiloft|bioscoop|voetbal|strand',
    'ik|mijn|mij',
    'vandaag|gisteren|vanavond|vanochtend|lekker|heerlijk',
  ),
  // Polish
  privateWords(
    '(?:mój|moj[aeą]|mojego|moim) (?:córk\\p{L}+|syn(?:em|a|ek)?|żon\\p{L}+|mąż|mężem|dzieci|mam[aąę]|tat[aąę]|siostr\\p{L}+|babci\\p{L}+)|zjadł[ae]m|jadł[ae]m|spał[ae]m|jestem (?:\\p{L}+ )?(?:zmęczon[ya]|głodn[ya])',
    'obiad|kolacj\\p{L}+|śniadani\\p{L}+|piw[oa]|pyszn\\p{L}+|deszcz|urodzin\\p{L}*|wesel\\p{L}+|plaż\\p{L}+',
    'mój|moj[aeą]|mojego|moim|mnie|\\p{L}{2,}ł[ae]m|jestem',
    'dziś|dzisiaj|wczoraj|pyszn\\p{L}+|świetn\\p{L}+',
  ),
  // Turkish
  privateWords(
    'kızım|oğlum|eşim|karım|kocam|annem|babam|kardeşim|yemek yedi[mk]|uyudum|yorgunum|acıktım',
    'kahvaltı|bira|lezzetli|yağmur|doğum günü\\p{L}*|düğün|plaj\\p{L}*',
    'ben|benim|bana|kızım|oğlum|eşim|karım|kocam|annem|babam|kardeşim|yedi[mk]|uyudum|yorgunum|acıktım',
    'bugün|dün|bu (?:akşam|sabah)|harika|çok güzel',
  ),
  // Russian
  privateWords(
    '(?:мой|моя|моей|моего|мою|моим|с) (?:доч\\p{L}{1,4}|сын(?:а|ом|у)?|жен(?:а|ой|у|ы)|муж(?:ем|у)?|дет(?:и|ьми)|мам(?:а|ой|у|ы)|пап(?:а|ой|у)|брат(?:ом|а)?|сестр\\p{L}{1,2}|бабушк\\p{L})|обедал[аи]?|ужинал[аи]?|завтракал[аи]?|(?:я|очень) устала?|очень вкусно',
    'пицц\\p{L}|торт|пиво|вкусн\\p{L}+|дожд\\p{L}|день рождения|свадьб\\p{L}|выходны[ехм]|пляже?|жарко',
    'я|мой|моя|мои|моей|моего|мне|меня|мы с (?:женой|мужем|детьми|друзьями)',
    'сегодня|вчера|очень вкусно|прекрасн\\p{L}+|ужасн\\p{L}+',
  ),
  // Korean
  privateWords(
    '(?:우리|제|내) (?:딸|아들|아내|남편|엄마|아빠|동생)\\p{L}?|먹었\\p{L}+|맛있\\p{L}+|배고\\p{L}+|피곤\\p{L}+|졸려\\p{L}?',
    '점심\\p{L}*|저녁밥\\p{L}*|삼겹살|치킨|맥주\\p{L}?|생일\\p{L}?|결혼식',
    '저는|나는|내가|제가|(?:우리|제|내) (?:딸|아들|아내|남편|엄마|아빠|동생|집)\\p{L}?|친구들?(?:이랑|하고)',
    '오늘\\p{L}?|어제\\p{L}?|어젯밤\\p{L}?|정말|너무',
  ),
  // Arabic
  privateWords(
    'أكلت|أكلنا|لذيذة?|أنا جائع|ابنتي|زوجتي|زوجي|أولادي|أمي|أختي|جدتي|أنا متعب|نمت',
    '(?:ال)?(?:غداء|عشاء|فطور)|مطر|زفاف|السينما|الشاطئ',
    'أنا|أكلت|ذهبت|نمت|ابنتي|زوجتي|زوجي|أولادي|أمي|أختي|جدتي|أصدقائي',
    'اليوم|أمس|البارحة|الليلة|لذيذة?|رائعة?',
  ),
  // Hindi
  privateWords(
    'मेर[ाीे] (?:बेटी|बेटा|बेटे|पत्नी|पति|बच्चे|माँ|पापा|भाई|बहन|दादी)|खाया|भूख लगी|नींद आ',
    'खाना|नाश्ता|बारिश|जन्मदिन|शादी|क्रिकेट',
    'मैं|मैंने|मेर[ाीे]|मुझे',
    'आज|कल|यार|मज़ा|मजा',
  ),
];
