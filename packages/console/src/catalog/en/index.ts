import { firstSteps } from './first-steps.ts';
import { frame } from './frame.ts';
import { home } from './home.ts';
import { memory } from './memory.ts';
import { review } from './review.ts';
import { shared } from './shared.ts';
import { why } from './why.ts';

type NamesOf<Part> = Part extends unknown ? keyof Part : never;

/** Names that two of the parts have. */
type Doubled<Parts extends readonly object[]> = Parts extends readonly [
  infer First,
  ...infer Rest extends readonly object[],
]
  ? (keyof First & NamesOf<Rest[number]>) | Doubled<Rest>
  : never;

type Names = Doubled<
  [typeof frame, typeof shared, typeof review, typeof memory, typeof home, typeof firstSteps, typeof why]
>;

/**
 * English. The type of this object is that of every language. The specification of the console fixes many of these words. A name that
 * two parts have does not compile, because the later one would replace the other.
 */
export const en = {
  ...frame,
  ...shared,
  ...review,
  ...memory,
  ...home,
  ...firstSteps,
  ...why,
} satisfies [Names] extends [never] ? object : Record<'doubled', Names>;
