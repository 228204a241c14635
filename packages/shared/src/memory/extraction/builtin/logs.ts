import { parseSpeaker } from './speakers.ts';

const levelPattern = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE)';
const clockPattern = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?';
const datePattern = '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}';
const zonePattern = '(?:Z|[+-]\\d{2}:?\\d{2})?';
const monthPattern = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const stampPattern = new RegExp(
  `^\\s*[\\[(<]?(?:${datePattern}[T ,_]{1,2}${clockPattern} ?${zonePattern}|${clockPattern}|${monthPattern} {1,2}\\d{1,2} ${clockPattern})[\\])>]?[ \\t:|,-]*`,
);

// A bare level word begins a log line only before characters that do not follow it in prose; `DEBUG must be off` is prose.
const levelStart = new RegExp(
  `^\\s*(?:\\[ ?${levelPattern} ?\\]|<${levelPattern}>|${levelPattern}(?:[\\]|:]|\\t| {2}| - | (?=[A-Z0-9[(/])))`,
);
const otherLogs: readonly RegExp[] = [
  /^\s*\[(?:trace|debug|info|notice|warn|warning|error|fatal)\]/i,
  /^\s*npm (?:ERR!|WARN|notice|error|warn) /,
  /(?:^|\s)level=\w/,
  /^\S+ \S+ \S+ \[[^\]]{5,60}\] "/,
];

/** Whether a line is a log line (spec 20 X2). `[10:32:05] Alice: …` is speech, not a log line. */
export function isLogLine(line: string): boolean {
  const stamp = stampPattern.exec(line)?.[0];
  if (stamp !== undefined) return parseSpeaker(line.slice(stamp.length)) === null;
  return levelStart.test(line) || otherLogs.some((log) => log.test(line));
}
