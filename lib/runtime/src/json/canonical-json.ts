import type { JsonObject } from '@bufbuild/protobuf';
import canonicalize from 'canonicalize';

/** Canonical JSON (RFC 8785): the same text for equal objects. Throws for NaN, infinities and lone surrogates. */
export function toCanonicalJson(value: JsonObject): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('the value has no JSON form');
  return text;
}
