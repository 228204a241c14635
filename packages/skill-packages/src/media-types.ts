/** Media types of files by lower-cased suffix (spec 40 §5.6). Part of the contract: entries are added, and never changed. */
const mediaTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  htm: 'text/html',
  html: 'text/html',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  js: 'text/javascript',
  mjs: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  xml: 'text/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

const defaultType = 'application/octet-stream';

const suffix = /\.([^./]+)$/;

/** The media type of a file by the suffix of its path. */
export function mediaTypeOf(path: string): string {
  const key = suffix.exec(path)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(mediaTypes, key) ? (mediaTypes[key] ?? defaultType) : defaultType;
}
