/** Words of private life in one language, as patterns of whole words. */
interface PrivateWords {
  /** Meals, weather, family, tiredness and leisure. */
  readonly everyday: RegExp;
  /** The first person, or somebody of their family. */
  readonly self: RegExp;
  /** A day that is over soon, and praise or complaint. */
  readonly passing: RegExp;
}

/** Hindi words can end with a mark. */
const wholeWords = (list: string) => new RegExp(`(?<![\\p{L}\\p{M}])(?:${list})(?![\\p{L}\\p{M}])`, 'iu');

const privateWords = (everyday: string, self: string, passing: string): PrivateWords => ({
  everyday: wholeWords(everyday),
  self: wholeWords(self),
  passing: wholeWords(passing),
});

/**
 * Languages beside English, German, Chinese and Japanese. The words of a unit count within one language only: `hier` is French for
 * yesterday and German for here.
 */
export const privateWordsElsewhere: readonly PrivateWords[] = [
  // French
  privateWords(
    'déjeun(?:er|é)|dîn(?:er|é)|pizza|café|gâteau|bière|mang(?:er|é)|délicieu(?:x|se)|faim|météo|pluie|pleut|soleil|neige|il fait (?:\\p{L}+ )?(?:beau|chaud|froid)|fille|fils|femme|mari|enfants?|maman|papa|mère|père|sœur|frère|anniversaire|mariage|week-end|vacances|cinéma|foot|plage|fatiguée?|malade|dormi',
    "je|j[’']\\p{L}+|moi|mon|ma|mes",
    "aujourd[’']hui|hier|ce (?:matin|midi|soir|week-end)|cette nuit|délicieu(?:x|se)|magnifique|génial|trop (?:bon|bien|beau)",
  ),
  // Spanish
  privateWords(
    'almuerzo|almor\\p{L}+|cen(?:a|ar|amos|é)|desayun\\p{L}+|paella|cerveza|com(?:í|imos|ida)|riquísim[oa]s?|hambre|lluvia|llueve|lloviendo|sol|nieve|calor|frío|hij[oa]s?|esposa|marido|mujer|niñ[oa]s?|mamá|hermanos?|hermana|abuela|cumpleaños|boda|fin de semana|vacaciones|cine|fútbol|playa|cansad[oa]|dormí',
    'yo|mis?|me|conmigo|com(?:í|imos)|cené|almorcé|dormí',
    'hoy|ayer|anoche|esta (?:mañana|tarde|noche)|riquísim[oa]s?|delicios[oa]s?|genial',
  ),
  // Portuguese
  privateWords(
    'almoço|almocei|jantar|jantei|cerveja|comi|comemos|fome|chuva|chovendo|filh[oa]s?|esposa|mãe|pai|irmão|irmã|avó|aniversário|casamento|férias|cinema|futebol|praia|dormi',
    'eu|meus?|minhas?|comi|comemos|jantei|dormi',
    'hoje|ontem|delicios[oa]s?|gostos[oa]s?',
  ),
  // Italian
  privateWords(
    'pranzo|pranzato|cena|cenato|colazione|caffè|torta|birra|mangiat[oa]|buonissim[oa]|fame|pioggia|piove|sole|neve|figli[ao]?|moglie|marito|bambini|mamma|papà|fratello|sorella|nonna|compleanno|matrimonio|vacanz[ae]|calcio|spiaggia|stanc[oa]|dormito',
    'io|mi[aoe]|miei|ho',
    'oggi|ieri|stasera|stamattina|buonissim[oa]|fantastic[oa]',
  ),
  // Dutch
  privateWords(
    'avondeten|ontbijt|koffie|taart|gegeten|lekker|heerlijk|honger|regent|zonnig|sneeuwt?|dochter|zoon|vrouw|kinderen|moeder|vader|broer|zus|verjaardag|bruiloft|vakantie|bioscoop|voetbal|strand|moe|geslapen|ziek',
    'ik|mijn|mij',
    'vandaag|gisteren|vanavond|vanochtend|lekker|heerlijk',
  ),
  // Polish
  privateWords(
    'obiad\\p{L}*|kolacj\\p{L}+|śniadani\\p{L}+|kaw[ęay]|ciast\\p{L}+|piw[oa]|jadł\\p{L}*|pyszn\\p{L}+|pogod\\p{L}+|deszcz|śnieg|córk\\p{L}+|syn(?:em|a|ek)?|żon\\p{L}+|mąż|mężem|dzieci|mam[aąę]|tat[aąę]|siostr\\p{L}+|babci\\p{L}+|urodzin\\p{L}*|wesel\\p{L}+|urlopi?e?|kin(?:o|ie|a)|plaż\\p{L}+|zmęczon\\p{L}+|spał\\p{L}*',
    'mój|moj[aeą]|mnie|\\p{L}{2,}ł[ae]m',
    'dziś|dzisiaj|wczoraj|pyszn\\p{L}+|świetn\\p{L}+',
  ),
  // Turkish
  privateWords(
    'yemek|kahvaltı|kahve|bira|yedi[mk]|lezzetli|hava|yağmur|güneş|kızım|oğlum|eşim|karım|kocam|annem|babam|kardeşim|doğum günü\\p{L}*|düğün|tatil\\p{L}*|sinema\\p{L}*|plaj\\p{L}*|deniz\\p{L}*|yorgun\\p{L}*|uyudum',
    'ben|benim|bana|kızım|oğlum|eşim|karım|kocam|annem|babam|kardeşim|yedi[mk]|uyudum',
    'bugün|dün|bu (?:akşam|sabah)|harika|çok güzel',
  ),
  // Russian
  privateWords(
    'обед(?:ал[аи]?|е)?|ужин(?:ал[аи]?)?|завтрака\\p{L}*|пицц\\p{L}|кофе|торт|пиво|вкусн\\p{L}+|погод\\p{L}|дожд\\p{L}|снег|солнце|доч\\p{L}{1,4}|сын(?:а|ом|у)?|жен(?:а|ой|у|ы)|муж(?:ем|у)?|дет(?:и|ьми|ей)|мам(?:а|ой|у|ы)|пап(?:а|ой|у)|брат(?:ом|а)?|сестр\\p{L}{1,2}|бабушк\\p{L}|день рождения|свадьб\\p{L}|выходны[ехм]|отпуск[ае]?|кино|футбол|пляж[е]?|устал[аи]?|спал[аи]?|жарко',
    'я|мой|моя|мои|моей|моего|мне|меня|мы с (?:женой|мужем|детьми|друзьями)',
    'сегодня|вчера|очень вкусно|прекрасн\\p{L}+|ужасн\\p{L}+',
  ),
  // Korean
  privateWords(
    '점심\\p{L}*|저녁밥\\p{L}*|삼겹살|치킨|커피\\p{L}?|케이크|맥주\\p{L}?|먹\\p{L}+|맛있\\p{L}+|배고\\p{L}+|날씨\\p{L}?|비가|눈이|딸이|아들이|아내\\p{L}?|남편\\p{L}?|엄마\\p{L}?|아빠\\p{L}?|동생\\p{L}?|생일\\p{L}?|결혼식|휴가\\p{L}?|영화\\p{L}?|축구\\p{L}?|피곤\\p{L}+|졸려\\p{L}?|감기\\p{L}?',
    '저는|나는|내가|제가|우리 (?:딸|아들|엄마|아빠|집)\\p{L}?|친구들?(?:이랑|하고)',
    '오늘\\p{L}?|어제\\p{L}?|어젯밤\\p{L}?|정말|너무',
  ),
  // Arabic
  privateWords(
    '(?:ال)?(?:غداء|عشاء|فطور|قهوة|بيتزا|طعام)|أكلت|أكلنا|لذيذة?|جائع|الجو|الطقس|مطر|حار|ابنتي|ابني|زوجتي|زوجي|أولادي|أمي|أبي|أخي|أختي|جدتي|زفاف|عطلة|السينما|مباراة|الشاطئ|متعب|نمت',
    'أنا|أكلت|ذهبت|نمت|ابنتي|ابني|زوجتي|زوجي|أولادي|أمي|أبي|أخي|أختي|أصدقائي',
    'اليوم|أمس|البارحة|الليلة|لذيذة?|رائعة?',
  ),
  // Hindi
  privateWords(
    'खाना|खाया|नाश्ता|कॉफी|चाय|केक|भूख|मौसम|बारिश|गर्मी|ठंड|धूप|बेटी|बेटा|बेटे|पत्नी|पति|बच्चे|माँ|पापा|भाई|बहन|दादी|जन्मदिन|शादी|छुट्टी|फिल्म|क्रिकेट|नींद|बीमार',
    'मैं|मैंने|मेर[ाीे]|मुझे',
    'आज|कल|यार|मज़ा|मजा',
  ),
];
