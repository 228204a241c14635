/** Number of Unicode code points, the unit of the contract's `str(a..b)`. */
export function codePointLength(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) length += 1;
    else if (isLowSurrogate(text.charCodeAt(index + 1))) {
      length += 1;
      index += 1;
    } else length += 1;
  }
  return length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const notWhite = /[^\p{White_Space}\uFEFF]/u;

/** True when the text holds no character but white space (Unicode White_Space, and U+FEFF). */
export function isBlank(text: string): boolean {
  return !notWhite.test(text);
}
