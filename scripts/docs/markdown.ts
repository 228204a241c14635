/** Says in each generated file where it comes from. */
export const generatedNote = '<!-- Written by `npm run docs:generate`. Change the source, not this file. -->';

/** A Markdown table; cells may hold anything but line breaks. */
export function table(head: string[], rows: string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
}

export const code = (text: string): string => `\`${text}\``;

function escapeCell(cell: string): string {
  return cell.replaceAll('|', '\\|');
}
