import type { JsonObject } from '@bufbuild/protobuf';
import canonicalize from 'canonicalize';

/**
 * JSON text that is the same for equal objects, whatever the order of their members (RFC 8785): compact, sorted at every
 * depth. Throws for what JSON has no words for: numbers that are none, halves of surrogate pairs.
 */
export function toCanonicalJson(value: JsonObject): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error('an object has no JSON');
  return text;
}
