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
