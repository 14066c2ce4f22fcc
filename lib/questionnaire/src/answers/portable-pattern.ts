const ESCAPE = String.raw`\\[dDwW.^$|?*+(){}[\]\\/]`;
const CLASS = String.raw`\[(?!\^?\])(?:[^\\[\]]|${ESCAPE})+\]`;
const GROUP = String.raw`\((?:\?:|(?!\?))`;
/**
 * At each position, at most one alternative matches, and in only one way. Otherwise, the time could double with each
 * token.
 */
const PORTABLE = new RegExp(
  String.raw`^(?:[^\\[\](){}?*+.^$|]|${ESCAPE}|${CLASS}|${GROUP}|[).^$|?*+]|\{\d+(?:,\d*)?\})*$`,
  'u',
);

/** A pattern in RE2 syntax that means the same in JSON Schema (ECMA-262); undefined for others. */
export function toPortablePattern(pattern: string): string | undefined {
  if (!PORTABLE.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u').source;
  } catch {
    return undefined;
  }
}
