import { isPlanned, parseSpeaker, parseStampedName } from './speakers.ts';
import { hasWorkWord } from './work-words.ts';

// Transcripts whose lines do not begin with `Name:`. Each is written as one, so that the blocks name its speakers. A single line of a
// form can be anything, so that a text needs two of them. What is no message stays as it is: a text is never dropped for its form alone.

/** Fewest lines of a form that make a text a transcript. */
const leastLines = 2;

const clock = '\\d{1,2}:\\d{2}(?::\\d{2})?';
const amPm = '(?:[ \\u202F]?[AaPp]\\.?[Mm]\\.?)';
const day = '(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{2,4})';
const ircTime = `(?:\\[(?:${day}[T ])?${clock}\\]|(?:${day}[T ])?${clock})\\s{1,4}`;

/** IRC: `[09:14] <lena> …`. Without a time, a name in angle brackets is a placeholder or a tag. */
const ircLine = new RegExp(
  `^\\s{0,8}${ircTime}<[ @+%~&]?(?<name>[\\p{L}\\p{N}_][\\p{L}\\p{N}_[\\]\\\\\`^{}|.'-]{0,30})>(?<text>.*)$`,
  'u',
);
/** Who came and went. An action (`* lena …`) is said by somebody. */
const ircNotice = new RegExp(`^\\s{0,8}${ircTime}(?:\\*{3} |-!- |-->\\s|<--\\s)`, 'u');
/** WebVTT: `<v Lena>…</v>`. */
const vttLine = /^\s{0,8}<v (?<name>[^<>\n]{1,40})>(?<text>.*)$/u;
/** LINE: `09:14<tab>田中<tab>…`. */
const tabLine = new RegExp(`^${clock}\\t(?<name>[^\\t:]{1,40})\\t(?<text>.*)$`, 'u');
/** `张三(09:14): …` */
const cjkStamped = new RegExp(
  `^(?<name>[\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Hangul}]{1,8})\\s?[(\\uFF08](?:${day} )?${clock}[)\\uFF09]\\s?[:\\uFF1A](?<text>.*)$`,
  'u',
);

/** The beginning of a message of an exported chat: `[12.03.26, 09:14:02] `, `12/03/2026, 09:14 - `. */
const exportStamp = new RegExp(
  `^[\\u200E\\u202A-\\u202E]{0,4}(?:\\[${day},? ${clock}${amPm}?\\] |${day},? ${clock}${amPm}? - )`,
  'u',
);
/** What an export writes in place of a message, behind the name. */
const omitted =
  /^[^:\uFF1A]{1,60}[:\uFF1A]\s?\u200E?(?:<(?:media omitted|medien ausgeschlossen|multimedia omitido|médias? omis|archivo omitido|(?:attached|angehängt|adjunto|pièce jointe)\s?:[^<>]{1,80})>|(?:this message was deleted|you deleted this message|diese nachricht wurde gelöscht|ce message a été supprimé|se eliminó este mensaje)\.?|(?:image|video|audio|sticker|gif|document|bild|dokument)(?: \p{L}{1,20})? (?:omitted|weggelassen|ausgeschlossen|omis(?:e|es)?|omitid[oa]s?))$/iu;

const person = '(?:[Yy]ou|\\+\\d[\\d -]{4,20}|\\p{Lu}\\p{Ll}+(?: \\p{Lu}\\p{Ll}+){0,2})';
const asNotice = (forms: readonly string[]) =>
  new RegExp(forms.map((form) => `^(?:${form})[.!]?$`).join('|'), 'u');
/**
 * Notices of an export, which have no name before them. A work log has lines without a name too, so only whole sentences of notices count,
 * in the spelling of the programs.
 */
const exportNotice = asNotice([
  `${person} (?:left|joined(?: using .{1,60})?)`,
  `${person} (?:created (?:the |this )?group.{0,80}|changed (?:the|this) (?:group|subject|topic|description|icon|name|settings).{0,80}|changed their phone number.{0,80}|pinned a message)`,
  '.{0,80}(?:end-to-end encrypted|[Yy]our security code).{0,120}',
  `${person} (?:hat die Gruppe (?:verlassen|erstellt)|ist (?:der Gruppe )?beigetreten|hat (?:das Gruppenbild|den Betreff|den Gruppennamen|die Gruppenbeschreibung).{0,80} geändert)`,
  '.{0,80}(?:Ende-zu-Ende-verschlüsselt|chiffrés de bout en bout|cifrados de extremo a extremo).{0,120}',
  `${person} a (?:quitté|rejoint|créé|modifié) (?:le groupe|l[’']icône|le sujet|la description).{0,80}`,
  `${person} (?:salió(?: del grupo)?|se unió.{0,60}|creó el grupo.{0,80}|cambió (?:el|la) (?:asunto|[ií]cono|descripción).{0,80})`,
]);
/** Who was added and removed. A thing of the work can be, too. */
const memberNotice = asNotice([
  `${person} (?:added|removed) ${person}`,
  `${person} hat ${person} (?:hinzugefügt|entfernt)`,
  `${person} a (?:ajouté|retiré) ${person}`,
  `${person} (?:añadió|eliminó) a ${person}`,
]);
/** Longest notice, in characters. */
const maxNotice = 200;

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
  /^\s{0,8}[*_]{0,2}(?:From|To|Cc|Bcc|Date|Sent|Subject|Reply-To|Message-ID|In-Reply-To|Von|An|Kopie|Datum|Gesendet|Betreff|Antwort an|De|À|Envoyé|Objet|Para|Enviado(?: el)?|Asunto|Da|A|Inviato|Oggetto|发件人|收件人|抄送|发送时间|日期|主题|主旨|差出人|宛先|送信日時|日時|件名)[*_]{0,2}\s?[:\uFF1A]/u;
const mailSender = /^\s{0,8}[*_]{0,2}(?:From|Von|De|Da|发件人|差出人)[*_]{0,2}\s?[:\uFF1A]/u;
/** Fewest headers of a mail whose sender has an address, and of one without it: notes have such fields, too. */
const [leastHeaders, leastPlainHeaders] = [3, 4];
const longestSender = 60;

/** Writes the lines of a transcript as `Name: …`, and blanks the notices and headers between them. Linear. */
export function readTranscript(lines: readonly string[]): string[] {
  return readMails(readTwoLineNames(readNamesAndTimes(readExport(readLabels(lines)))));
}

/** A label that `parseSpeaker` reads as this name; null for a name that it takes for no speaker. */
function labelOf(name: string): string | null {
  const plain = name.trim();
  const marked = `@${plain.replace(/[^\p{L}\p{N}'’._-]/gu, '_').replace(/^[^\p{L}\p{N}]+/u, '')}`;
  return [plain, marked].find((label) => parseSpeaker(`${label}: x`) !== null) ?? null;
}

function readLabels(lines: readonly string[]): readonly string[] {
  const forms = [ircLine, vttLine, tabLine, cjkStamped].filter((form) => {
    const names = lines.map((line) => form.exec(line)?.groups?.['name'] ?? null);
    const isSure = form === ircLine || form === vttLine;
    if (!(isSure ? countOf(names) >= leastLines : isConversation(names))) return false;
    return names.every((name) => name === null || labelOf(name) !== null);
  });
  if (forms.length === 0) return lines;
  return lines.map((line) => {
    if (forms.includes(ircLine) && ircNotice.test(line)) return '';
    for (const form of forms) {
      const { name, text } = form.exec(line)?.groups ?? {};
      if (name !== undefined && text !== undefined)
        return `${labelOf(name)}: ${text.replace('</v>', '').trim()}`;
    }
    return line;
  });
}

/** Whether one of the names is there twice, and none is planned: a plan has times as well, and names each thing once. */
function isConversation(names: readonly (string | null)[]): boolean {
  const known = names.filter((name) => name !== null);
  return new Set(known).size < known.length && !known.some(isPlanned);
}

function countOf(names: readonly (string | null)[]): number {
  return names.filter((name) => name !== null).length;
}

function readExport(lines: readonly string[]): readonly string[] {
  const isMessage = (line: string) => exportStamp.test(line) && parseSpeaker(line) !== null;
  if (lines.filter(isMessage).length < leastLines) return lines;
  return lines.map((line) => {
    const [stamp] = exportStamp.exec(line) ?? [];
    if (stamp === undefined) return line;
    const said = line.slice(stamp.length);
    return omitted.test(said) || isNotice(said) ? '' : line;
  });
}

function isNotice(said: string): boolean {
  if (said.length > maxNotice || /[:\uFF1A]/.test(said)) return false;
  return exportNotice.test(said) || (memberNotice.test(said) && !hasWorkWord(said));
}

/** Names with a time in forms that `parseStampedName` does not know. */
function readNamesAndTimes(lines: readonly string[]): readonly string[] {
  const names = lines.map((line, at) => {
    const name = (teamsLine.exec(line) ?? nameBeforeTime.exec(line))?.groups?.['name'];
    return name !== undefined && isSpeaker(name) && (lines[at + 1] ?? '').trim() !== '' ? name : null;
  });
  if (!isConversation(names)) return lines;
  return lines.map((line, at) => {
    const name = names[at] ?? null;
    return name === null ? line : stamped(name);
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
  const names = lines.map((line, at) => {
    const name = line.trim();
    const isName =
      nameLine.test(name) &&
      stampLine.test((lines[at + 1] ?? '').trim()) &&
      (lines[at + 2] ?? '').trim() !== '' &&
      isSpeaker(name);
    return isName ? name : null;
  });
  if (!isConversation(names)) return lines;
  return lines.flatMap((line, at) => {
    const name = names[at] ?? null;
    if (name !== null) return [stamped(name)];
    return at > 0 && names[at - 1] !== null ? [] : [line];
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
    if (areOfMail(headers)) {
      const sender = headers.map(senderOf).find((name) => name !== null);
      read.fill('', start, end);
      const label = sender && labelOf(sender.replace(/^([^,]+), ([^,]+)$/, '$2 $1'));
      if (label) read[end - 1] = `${label}:`;
    }
    start = Math.max(end, start + 1);
  }
  return read;
}

/** Whether headers are those of a mail: each once, and one of them names who wrote it. */
function areOfMail(headers: readonly string[]): boolean {
  const senders = headers.filter((line) => mailSender.test(line));
  const least = senders.some((line) => line.includes('@')) ? leastHeaders : leastPlainHeaders;
  if (headers.length < least || senders.length === 0) return false;
  return (
    new Set(headers.map((line) => mailHeader.exec(line)?.[0].trim().toLowerCase())).size === headers.length
  );
}

/** The name in the header of who wrote a mail: `From: "Voss, Lena" <lena@example.com>`; null without one. */
function senderOf(line: string): string | null {
  const [header] = mailSender.exec(line) ?? [];
  if (header === undefined) return null;
  const [value = ''] = line.slice(header.length, header.length + 4 * longestSender).split(/[<([]/);
  const name = value.replace(/["*_]/g, '').trim();
  return name.length < 2 || name.length > longestSender || name.includes('@') ? null : name;
}
