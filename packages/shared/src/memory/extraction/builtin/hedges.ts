import type { ExtractionProfile } from '../port.ts';
import { cueIndex, type KnownKind } from './kinds.ts';

/** Words of a guess or an open thought (spec 25 Q15). What they stand in is no decision. */
const hedges = new RegExp(
  [
    "(?<![\\p{L}])(?:maybe|perhaps|possibly|probably|presumably|conceivably|hopefully|might|i (?:guess|suppose|wonder|doubt|reckon)|not sure|unsure|not certain|no idea|who knows|it depends|let[’']s see|thinking (?:about|of)|toying with|considering|leaning towards?|what if|how about|should we|(?:we|i|it|you|they|one) could(?! not|n[’']t)|(?:we|i|it|this|that) may(?! not| only)|would be (?:nice|cool|great|good|worth)|i(?: do not|[’']m not| don[’']t) (?:know|sure|think))(?![\\p{L}])",
    '(?<![\\p{L}])(?:vielleicht|eventuell|evtl|womöglich|möglicherweise|vermutlich|wahrscheinlich|hoffentlich|angeblich|könnte(?:n|st)?(?= (?:wir|man|ich|es|auch|sein))|(?:wir|man|ich|es|das) könnten?|überleg(?:en|e|t)|keine ahnung|nicht sicher|unsicher|mal (?:sehen|schauen|gucken)|ich (?:glaube|denke|schätze|vermute)|wäre (?:\\p{L}+ )?(?:denkbar|schön|gut|cool)|denkbar|weiß (?:noch )?nicht)(?![\\p{L}])',
    '(?<![\\p{L}])(?:peut-être|probablement|on pourrait|je pense|quizás?|tal vez|probablemente|podríamos|talvez|provavelmente|forse|probabilmente|возможно|может быть|наверное|вероятно)(?![\\p{L}])',
    '(?<![\\p{L}\\p{M}])(?:misschien|wellicht|być może|belki|kanske|kanskje|måske|ehkä|talán|možná|ίσως|можливо|мабуть|có lẽ|אולי|ربما|शायद)(?![\\p{L}\\p{M}])',
    '^mungkin(?!\\p{L})|บางที|อาจจะ',
    '也许|也許|或许|或許|(?<!不)可能(?!性)|大概(?![需要]*\\d|需)|说不定|說不定|估计|估計|恐怕|不(?:太|大)?(?:确定|確定|清楚|知道)|没想好|沒想好|考虑(?:一下|是否|要不要|换|下)|考慮(?:一下|是否|要不要|換)|要不(?!然)|是不是|会不会|會不會|我猜|看情况|看情況|再说吧|再說吧|似乎|好像',
    'かもしれ|かも[。！!]?$|たぶん|多分|おそらく|恐らく|もしかし|かな[。！!]?$|でしょうか|だろうか|と思(?:う|い|って)|気がする|気がします|のでは|分から(?:ない|な|ず)|わから(?:ない|な|ず)|分かりません|わかりません|検討(?:中|し(?:た|て)|する|しよう)|可能性が|かどうか|はず(?:だ|です)|どうしよう',
    '아마|어쩌면|모르겠|것 같',
  ].join('|'),
  'iu',
);

const kana = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;

/**
 * Whether a guess makes a text none of its kind. A decision or a rule stays one if the guess is about something behind it: `We decided
 * to use Rust, which might be slower.` A Japanese sentence ends with its guess. Under `conversation`, plans and opinions are statements.
 */
export function deniesStatement(text: string, kind: KnownKind, profile: ExtractionProfile): boolean {
  const hedge = hedges.exec(text);
  if (hedge === null) return false;
  if (hedge.index === 0 && kind !== 'constraint' && kind !== 'working_note') return true;
  if (profile === 'conversation') return false;
  if (kind === 'constraint' || kind === 'working_note') return hedge.index === 0 || kana.test(hedge[0]);
  return kind === 'fact' || kana.test(hedge[0]) || hedge.index < cueIndex(text);
}
