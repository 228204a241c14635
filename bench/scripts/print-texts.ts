// Prints the texts of the labeled search set as a JSON array: the input of make-vectors.py.
import { makeSearchSet, textsOf } from '../src/search-set/index.ts';

process.stdout.write(`${JSON.stringify(textsOf(makeSearchSet()))}\n`);
