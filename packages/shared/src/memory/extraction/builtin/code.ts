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
