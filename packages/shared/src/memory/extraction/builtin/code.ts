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
  /^Merge (?:branch|remote-tracking branch|tag|pull request) ['"#]/,
  /^\S+ \S+ \S+ \[[^\]]{5,60}\] "/,
];

/** Whether a line is a log line (spec 20 X2). `[10:32:05] Alice: …` is speech, not a log line. */
export function isLogLine(line: string): boolean {
  const stamp = stampPattern.exec(line)?.[0];
  if (stamp !== undefined) return parseSpeaker(line.slice(stamp.length)) === null;
  return levelStart.test(line) || otherLogs.some((log) => log.test(line));
}

const framePatterns: readonly RegExp[] = [
  // JavaScript, Java, .NET
  /^\s*at (?:async |new )*[^\s(]+(?: \[as [^\]]+\])? ?\((?:.*:\d+|native|<anonymous>|Native Method|Unknown Source)\)/,
  /^\s*at (?:async )?\S+:\d+(?::\d+)?\)?$/,
  /^\s+at [\w.<>`+]+\([^)]*\)(?: in .*:line \d+)?$/,
  /^\s*\.\.\. \d+ (?:more|common frames omitted)$/,
  /^\s*Caused by: \S/,
  // Python
  /^\s*File ".*", line \d+/,
  // Ruby, Go, Rust
  /^\s*(?:from )?\S+\.rb:\d+:in /,
  /^\s*\S+\.go:\d+(?: \+0x[0-9a-f]+)?$/,
  /^(?:goroutine \d+ \[|panic: |thread '.*' panicked at )/,
  /^\s+\d+: (?:0x[0-9a-f]+ - )?[\w<>:]+$/,
  /^\s+at \.?\/\S+:\d+/,
];
const tracebackPattern = /^\s*Traceback \(most recent call last\):/;
const errorHeader = /(?:Error|Exception|Throwable|Panic)\b/;

/** Blanks stack traces: frames, source lines between them, and the error before or after them. */
export function blankOutTraces(lines: readonly string[]): string[] {
  const result = [...lines];
  let inTraceback = false;
  lines.forEach((line, index) => {
    const frame = framePatterns.some((pattern) => pattern.test(line));
    if (tracebackPattern.test(line)) inTraceback = true;
    else if (frame) blankHeaderBefore(result, index);
    if (!inTraceback && !frame) return;
    result[index] = '';
    // A traceback ends with the first line at the margin, which names the exception.
    if (inTraceback && !tracebackPattern.test(line) && /^\S/.test(line)) inTraceback = false;
  });
  return result;
}

function blankHeaderBefore(lines: string[], frameIndex: number): void {
  const header = lines[frameIndex - 1];
  if (header !== undefined && errorHeader.test(header)) lines[frameIndex - 1] = '';
}

const fencePattern = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})/;
const listMark = /^\s*(?:[-*+•]|\d{1,9}[.)])\s/;
const indentedPattern = /^(?: {4}|\t)/;

const codeLines: readonly RegExp[] = [
  // Punctuation only, a tag only, a JSON object or array on one line.
  /^\s*[{}[\]();,]+\s*$/,
  /^\s*<\/?[A-Za-z][^<>]*>\s*$/,
  /^\s*(?:\{.*[}{]|\[.*\]|"[^"]*"\s*:\s.*[,{[])\s*,?$/,
  // A shell prompt, a setting of an environment file, a part of a diff.
  /^\s*(?:\$|❯)\s+\S/,
  /^\s*(?:export\s+)?[A-Z][A-Z0-9_]{2,}=\S*$/,
  /^(?:diff --git |index [0-9a-f]{7,}\.\.|--- a\/|\+\+\+ b\/|@@ )/,
  // A statement of a programming language.
  /^\s*(?:import|export|const|let|var|function|class|return|public|private|async|if|for|while|#include)\b.*[;{]\s*$/,
  /^\s*(?:def|class) \w.*:\s*$/,
];

/**
 * Blanks lines of code (spec 20 X2): fenced blocks (an unclosed one runs to the end, as in CommonMark), indented blocks outside
 * lists, and single lines that are not prose.
 */
export function blankOutCode(lines: readonly string[]): string[] {
  return blankOutIndented(blankOutArmor(blankOutFenced(lines))).map((line) =>
    codeLines.some((code) => code.test(line)) ? '' : line,
  );
}

function blankOutFenced(lines: readonly string[]): string[] {
  let open: string | null = null;
  return lines.map((line) => {
    const fence: string | undefined = fencePattern.exec(line)?.[1];
    if (open === null) {
      open = fence ?? null;
      return fence === undefined ? line : '';
    }
    if (fence?.startsWith(open) && line.trim().endsWith(fence)) open = null;
    return '';
  });
}

/** Blanks PEM and OpenPGP blocks, such as public keys. An unclosed one runs to the end. */
function blankOutArmor(lines: string[]): string[] {
  let isOpen = false;
  return lines.map((line) => {
    const wasOpen = isOpen;
    if (/^\s*-----BEGIN [A-Z0-9 ]{1,60}-----/.test(line)) isOpen = true;
    else if (isOpen && /-----END [A-Z0-9 ]{1,60}-----\s*$/.test(line)) isOpen = false;
    return wasOpen || isOpen ? '' : line;
  });
}

function blankOutIndented(lines: readonly string[]): string[] {
  let inList = false;
  let afterBlank = true;
  let inCode = false;
  return lines.map((line) => {
    if (line.trim() === '') {
      afterBlank = true;
      return line;
    }
    const indented = indentedPattern.test(line);
    if (listMark.test(line) && !inCode) inList = inList || !indented;
    else if (afterBlank && !/^\s/.test(line)) inList = false;
    inCode = indented && !inList && (inCode || afterBlank);
    afterBlank = false;
    return inCode ? '' : line;
  });
}
