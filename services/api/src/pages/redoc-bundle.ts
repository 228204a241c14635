import { readPackageFile } from './assets.ts';

/** Replacements in the bundle that the content security policy of its page requires. */
const adaptations = [
  {
    why: 'The logo of its makers is the one thing that it would load from elsewhere; without an image it is left out.',
    from: 'https://cdn.redoc.ly/redoc/logo-mini.svg',
    to: 'data:,',
  },
  {
    why: 'Its styles carry the nonce from the start; its own option sets it after the first styles are made.',
    from: 'r.nc=void 0',
    to: 'r.nc=document.currentScript.nonce',
  },
];

/** Redoc's bundle, adapted. Throws if a new version needs other replacements. */
export function redocBundle(): Buffer {
  let bundle = readPackageFile('redoc/bundles/redoc.standalone.js').toString('utf8');
  for (const { why, from, to } of adaptations) {
    const parts = bundle.split(from);
    if (parts.length !== 2) throw new Error(`Redoc's bundle has ${from} ${parts.length - 1} times. ${why}`);
    bundle = parts.join(to);
  }
  return Buffer.from(bundle);
}
