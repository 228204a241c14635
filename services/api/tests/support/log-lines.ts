/** The log lines of a service under test. */
export interface Lines {
  write(line: string): void;
  /** All lines, unchanged. */
  text(): string;
  /** The lines with this message, as objects. */
  named(message: string): Record<string, unknown>[];
}

export function collectLines(): Lines {
  const lines: string[] = [];
  return {
    write: (line) => lines.push(line),
    text: () => lines.join(''),
    named: (message) =>
      lines
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter((line) => line['msg'] === message),
  };
}
