const ESCAPE = String.raw`\\[dDwW.^$|?*+(){}[\]\\/]`;
const CLASS = String.raw`\[(?!\^?\])(?:[^\\[\]]|${ESCAPE})+\]`;
const GROUP = String.raw`\((?:\?:|(?!\?))`;
/**
 * Matches the syntax that RE2 and ECMA-262 have in common. To avoid exponential backtracking, at most one alternative
 * matches at each position, in only one way.
 */
const PORTABLE = new RegExp(
  String.raw`^(?:[^\\[\](){}?*+.^$|]|${ESCAPE}|${CLASS}|${GROUP}|[).^$|?*+]|\{\d+(?:,\d*)?\})*$`,
  'u',
);

/** Returns a pattern in RE2 syntax for JSON Schema (ECMA-262); undefined if it could mean something else there. */
export function toPortablePattern(pattern: string): string | undefined {
  if (!PORTABLE.test(pattern)) return undefined;
  try {
    return new RegExp(pattern, 'u').source;
  } catch {
    return undefined;
  }
}
