/**
 * The address of a link.
 *
 * @param token token of a single-use link. It is in the fragment, which browsers do not send, so it gets into no log
 */
export function linkAddress(slug: string, token?: string): string {
  const fragment = token === undefined ? '' : `#token=${encodeURIComponent(token)}`;
  return `${location.origin}/s/${encodeURIComponent(slug)}${fragment}`;
}
