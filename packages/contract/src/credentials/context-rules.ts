import { isPublicValue } from './secret-values.ts';
import { matchSpans, type Span } from './spans.ts';

/** A pattern for a secret that its context identifies. */
export interface ContextRule {
  /** Each text that the pattern matches has one of these, in lower case. Others are not searched: to compile a pattern takes time. */
  signs: readonly string[];
  /** The group `value` is the secret. */
  pattern: RegExp;
  isSecret?: ((value: string) => boolean) | undefined;
}

/** Makes a rule from its signs, separated by blanks, and the source of its pattern. */
export function contextRule(
  signs: string,
  source: string,
  flags: string,
  isSecret?: (value: string) => boolean,
): ContextRule {
  let pattern: RegExp | undefined;
  return {
    signs: signs.split(' '),
    get pattern() {
      pattern ??= new RegExp(source, `dg${flags}`);
      return pattern;
    },
    isSecret,
  };
}

/** Finds the values of rules, without the punctuation behind them. */
export function findByRules(text: string, rules: readonly ContextRule[]): Span[] {
  const spans: Span[] = [];
  const lower = text.toLowerCase();
  for (const rule of rules) {
    if (!rule.signs.some((sign) => lower.includes(sign))) continue;
    const { pattern, isSecret } = rule;
    for (const { start, end, value } of matchSpans(text, pattern)) {
      if (isPublicValue(value) || isSecret?.(value) === false) continue;
      const trail = /[.,;:'"`)]*$/.exec(value.slice(-8))?.[0].length ?? 0;
      const lead = /^["'`]?/.exec(value)?.[0].length ?? 0;
      spans.push({ start: start + lead, end: end - trail });
    }
  }
  return spans;
}

/** Words of documents where a value could be: `--password is required`. */
const description =
  /^(?:and|or|is|was|are|must|should|can|will|has|have|to|for|in|on|at|of|the|an?|with|from|instead|not|no|none|null|undefined|true|false|required|optional|text|string|password|passwort|passwd|token|secret|fields?|forms?|flags?|options?|arguments?|hash(?:es|ing)?|managers?|polic(?:y|ies)|resets?|rules?|authentication|auth|login|logins|pairs?|prompts?|inputs?|stdin|protected|protection|based|combinations?|twice|again|correctly|wird|und|oder|ist)$/i;

/** Whether a word is none that a document has in place of a password. */
export function isNotDescription(value: string): boolean {
  return !description.test(value.replace(/^["'`]|["'`.!?:]+$/g, '')) && !value.startsWith('-');
}
