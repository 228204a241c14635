import { isPlanned, parseSpeaker, parseStampedName } from './speakers.ts';

// Transcripts whose lines do not begin with `Name:`. Each is written as one, so that the blocks name its speakers. A single line of a
// form can be anything, so that a text needs two of them.

/** Fewest lines of a form that make a text a transcript. */
const leastLines = 2;

const clock = '\\d{1,2}:\\d{2}(?::\\d{2})?';
const amPm = '(?: ?[AaPp]\\.?[Mm]\\.?)';
const day = '(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4})';

/** `[09:14] <lena> …`, `<lena> …`, `<v Lena>…</v>` of WebVTT. */
const ircLine = new RegExp(
  `^\\s*(?:\\[?(?:${day}[T ])?${clock}\\]?\\s+)?<[ @+%~&]?(?:v )?(?<name>[\\p{L}\\p{N}_][\\p{L}\\p{N}_[\\]\\\\\`^{}|.' -]{0,30})>(?<text>.*)$`,
  'u',
);
const ircNotice = new RegExp(
  `^\\s*(?:\\[?(?:${day}[T ])?${clock}\\]?\\s+)?(?:\\*{3} |-!- |\\* \\S+ (?:is|has|was|joined|left|quit)\\b|(?:-->|<--|→|←)\\s)`,
  'u',
);
/** LINE: `09:14<tab>田中<tab>…`. */
const tabLine = new RegExp(`^${clock}\\t(?<name>[^\\t:]{1,40})\\t(?<text>.*)$`, 'u');
/** `张三(09:14): …` */
const cjkStamped = new RegExp(
  `^(?<name>[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]{1,8})\\s?[(\\uFF08](?:${day} )?${clock}[)\\uFF09]\\s?[:\\uFF1A](?<text>.*)$`,
  'u',
);

/** The beginning of a message of an exported chat: `[12.03.26, 09:14:02] `, `12/03/2026, 09:14 - `. */
const exportStamp = new RegExp(
  `^[\\u200E\\u202A-\\u202E]*(?:\\[${day},? ${clock}${amPm}?\\] |${day},? ${clock}${amPm}? - )`,
  'u',
);
/** What an export writes in place of a message. */
const omitted =
  /[:\uFF1A]\s?[\u200E]?(?:<[^<>]{3,40}>|(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|ce message a été supprimé|se eliminó este mensaje|(?:image|video|audio|sticker|gif|document|media|bild|video|dokument|medien)(?: \p{L}+)? (?:omitted|weggelassen|ausgeschlossen|omis(?:e|es)?|omitid[oa]s?)|null)\.?)$/iu;

/** Teams: `[9:14 AM] Voss, Lena`. */
const teamsLine = new RegExp(`^\\[${clock}${amPm}\\] (?<name>\\p{Lu}[^\\d:\\n]{1,60})$`, 'u');
/** Slack and Teams: `lena.voss  9:14 AM`, `Voss, Lena 9:14 AM`. */
const nameBeforeTime = new RegExp(
  `^(?<name>\\p{Lu}[\\p{L}'’-]{1,30}, \\p{Lu}[\\p{L}'’ -]{1,30}|[a-z][\\w.-]{1,30})(?: {1,4}|\\t| — )(?:(?:[Tt]oday|[Yy]esterday|Heute|Gestern)(?: at| um)? )?${clock}${amPm}$`,
  'u',
);
const stampLine = new RegExp(`^(?:${day},? )?${clock}${amPm}?$`, 'u');
const nameLine = /^\p{Lu}[\p{L}\p{M}'’.-]{0,30}(?:,? \p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,3}$/u;

/** Headers of a mail. */
const mailHeader =
  /^\s*[*_]{0,2}(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|In-Reply-To|Von|An|Kopie|Datum|Gesendet|Betreff|Antwort an|De|À|Envoyé|Objet|Para|Enviado(?: el)?|Asunto|Da|A|Inviato|Oggetto|发件人|收件人|抄送|发送时间|日期|主题|主旨|差出人|宛先|送信日時|日時|件名)[*_]{0,2}\s?[:\uFF1A]/u;
const mailSender =
  /^\s*[*_]{0,2}(?:From|Von|De|Da|发件人|差出人)[*_]{0,2}\s?[:\uFF1A][*_]{0,2}\s*"?(?<name>[^"<>@()[\]\n]{2,60}?)"?\s*(?:$|[<([])/u;
/** Fewest headers of a mail, and one that notes do not have. */
const leastHeaders = 3;

/** Writes the lines of a transcript as `Name: …`, and blanks the notices and headers between them. Linear. */
export function readTranscript(lines: readonly string[]): string[] {
  return readMails(readTwoLineNames(readNamesAndTimes(readExport(readLabels(lines)))));
}

function count(lines: readonly string[], isOne: (line: string, at: number) => boolean): number {
  return lines.reduce((sum, line, at) => sum + (isOne(line, at) ? 1 : 0), 0);
}

/** A label that names a speaker whatever the case of the name is. */
function labelled(name: string, text: string): string {
  const plain = name.trim();
  return /^\p{Lu}/u.test(plain)
    ? `${plain}: ${text.trim()}`
    : `@${plain.replace(/[^\p{L}\p{N}'’._-]/gu, '_')}: ${text.trim()}`;
}

function readLabels(lines: readonly string[]): readonly string[] {
  const forms = [ircLine, tabLine, cjkStamped].filter(
    (form) => count(lines, (line) => form.test(line)) >= leastLines,
  );
  if (forms.length === 0) return lines;
  return lines.map((line) => {
    if (forms.includes(ircLine) && ircNotice.test(line)) return '';
    for (const form of forms) {
      const { name, text } = form.exec(line)?.groups ?? {};
      if (name !== undefined && text !== undefined) return labelled(name, text.replace(/<\/v>\s*$/, ''));
    }
    return line;
  });
}

function readExport(lines: readonly string[]): readonly string[] {
  const isMessage = (line: string) => exportStamp.test(line) && parseSpeaker(line) !== null;
  if (count(lines, isMessage) < leastLines) return lines;
  return lines.map((line) =>
    exportStamp.test(line) && (!isMessage(line) || omitted.test(line)) ? '' : line,
  );
}

/** Names with a time in forms that `parseStampedName` does not know. */
function readNamesAndTimes(lines: readonly string[]): readonly string[] {
  const nameOf = (line: string, at: number) => {
    const name = (teamsLine.exec(line) ?? nameBeforeTime.exec(line))?.groups?.['name'];
    return name !== undefined && isSpeaker(name) && (lines[at + 1] ?? '').trim() !== '' ? name : undefined;
  };
  if (count(lines, (line, at) => nameOf(line, at) !== undefined) < leastLines) return lines;
  return lines.map((line, at) => {
    const name = nameOf(line, at);
    return name === undefined ? line : stamped(name);
  });
}

/** A line that `parseStampedName` knows. */
function stamped(name: string): string {
  return /^\p{Ll}/u.test(name) ? `@${name}  0:00` : `[Day 0:00] ${name}`;
}

/** Whether a name beside a time is that of a person, and not what is planned then. */
function isSpeaker(name: string): boolean {
  return !isPlanned(name) && parseStampedName(stamped(name)) !== null;
}

/** A name on one line, and the time below it. */
function readTwoLineNames(lines: readonly string[]): readonly string[] {
  const isName = (line: string, at: number) =>
    nameLine.test(line.trim()) &&
    isSpeaker(line.trim()) &&
    stampLine.test((lines[at + 1] ?? '').trim()) &&
    (lines[at + 2] ?? '').trim() !== '';
  if (count(lines, isName) < leastLines) return lines;
  return lines.flatMap((line, at) => {
    if (isName(line, at)) return [stamped(line.trim())];
    return at > 0 && isName(lines[at - 1] ?? '', at - 1) ? [] : [line];
  });
}

/** The headers of mails name who wrote them, and are no statements. */
function readMails(lines: readonly string[]): string[] {
  const read = [...lines];
  let start = 0;
  while (start < read.length) {
    let end = start;
    while (end < read.length && mailHeader.test(lines[end] ?? '')) end += 1;
    const headers = lines.slice(start, end);
    const sender = headers.map((line) => mailSender.exec(line)?.groups?.['name']).find(Boolean);
    if (headers.length >= leastHeaders && headers.some((line) => mailSender.test(line) || /@/.test(line))) {
      read.fill('', start, end);
      if (sender !== undefined) read[end - 1] = `${sender.trim().replace(/^(.+), (.+)$/, '$2 $1')}:`;
    }
    start = Math.max(end, start + 1);
  }
  return read;
}
