import { KnownCounts, KnownLanguages } from '../lexical/index.ts';
import { ScopeSizes } from './scope-sizes.ts';

/** What this process knows of Scopes since it last searched each. */
export class KnownScopes {
  readonly sizes = new ScopeSizes();
  readonly languages = new KnownLanguages();
  readonly counts = new KnownCounts();
}
