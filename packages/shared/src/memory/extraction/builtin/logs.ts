import { parseSpeaker } from './speakers.ts';

const LEVEL = '(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|FATAL|CRITICAL|SEVERE)';
const CLOCK = '\\d{1,2}:\\d{2}:\\d{2}(?:[.,]\\d{1,9})?';
const DATE = '\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}';
const ZONE = '(?:Z|[+-]\\d{2}:?\\d{2})?';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const STAMP = new RegExp(
  `^\\s*[\\[(<]?(?:${DATE}[T ,_]{1,2}${CLOCK} ?${ZONE}|${CLOCK}|${MONTH} {1,2}\\d{1,2} ${CLOCK})[\\])>]?[ \\t:|,-]*`,
);

// A bare level word begins a log line only before characters that do not follow it in prose; `DEBUG must be off` is prose.
const LEVEL_START = new RegExp(
  `^\\s*(?:\\[ ?${LEVEL} ?\\]|<${LEVEL}>|${LEVEL}(?:[\\]|:]|\\t| {2}| - | (?=[A-Z0-9[(/])))`,
);
const OTHER_LOGS: readonly RegExp[] = [
  /^\s*\[(?:trace|debug|info|notice|warn|warning|error|fatal)\]/i,
  /^\s*npm (?:ERR!|WARN|notice|error|warn) /,
  /(?:^|\s)level=\w/,
  /^\S+ \S+ \S+ \[[^\]]{5,60}\] "/,
];

/** Whether a line is a log line (spec 20 X2). `[10:32:05] Alice: …` is speech, not a log line. */
export function isLogLine(line: string): boolean {
  const stamp = STAMP.exec(line)?.[0];
  if (stamp !== undefined) return parseSpeaker(line.slice(stamp.length)) === null;
  return LEVEL_START.test(line) || OTHER_LOGS.some((log) => log.test(line));
}
