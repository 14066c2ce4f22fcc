import { isObject } from '@survey/questionnaire/json';

/** Data that a client stores with a response. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A merge patch (RFC 7386); null removes everything. */
export type MetadataPatch = Record<string, unknown> | null;

/** Formats metadata as the text of a field. The text is empty if there is no metadata. */
export function formatMetadata(metadata: Metadata = {}): string {
  return Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata, null, 2);
}

/** Reads the text of a field. Returns undefined for a text that is no JSON object; an empty text is an empty object. */
export function parseMetadata(text: string): Metadata | undefined {
  if (text.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the merge patch from `before` to `after`; undefined if they are the same. In a merge patch, null removes a
 * member, so members that are null in `after` are removed.
 */
export function diffMetadata(before: Metadata = {}, after: Metadata): MetadataPatch | undefined {
  const patch = diffObjects(before, after);
  if (Object.keys(patch).length === 0) return undefined;
  return Object.keys(after).length === 0 ? null : patch;
}

function diffObjects(before: Metadata, after: Metadata): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      const [old, next] = [memberOf(before, name), memberOf(after, name)];
      if (JSON.stringify(old) === JSON.stringify(next)) return [];
      if (!isObject(old) || !isObject(next)) return [[name, next]];
      const patch = diffObjects(old, next);
      return Object.keys(patch).length === 0 ? [] : [[name, patch]];
    }),
  );
}

/** Returns a member, or null if it does not exist, as in a merge patch. */
function memberOf(object: Metadata, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : null;
}
