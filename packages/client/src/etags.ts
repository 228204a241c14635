const etags = new WeakMap<object, string>();

/** The entity tag that came with an answer; undefined if it had none. */
export function etagOf(answer: object): string | undefined {
  return etags.get(answer);
}

/** Remembers the entity tag of an answer as long as the answer lives. */
export function rememberEtag(answer: unknown, headers: Headers): void {
  const etag = headers.get('etag');
  if (etag !== null && typeof answer === 'object' && answer !== null) etags.set(answer, etag);
}

/** The value of `If-Match`. Throws for an answer that had no entity tag. */
export function toIfMatch(ifMatch: string | object): string {
  const etag = typeof ifMatch === 'string' ? ifMatch : etagOf(ifMatch);
  if (etag === undefined) {
    throw new TypeError(
      'ifMatch: this object is no answer with an ETag. Pass an answer of getArtifact, or a tag.',
    );
  }
  return etag;
}
