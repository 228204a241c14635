/** The log lines of a service under test. */
export interface Lines {
  write(line: string): void;
  /** All of them as they were written. */
  text(): string;
  /** Those with this message, as objects. */
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
