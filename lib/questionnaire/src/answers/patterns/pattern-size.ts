/** A quoted text, an escape, a class, a counted repetition, or a single character. Always matches something. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pPx](?:\{[^}]{0,60}\}|.)|\\.|\[\^?\]?(?:\[:\^?[a-z]{1,10}:\]|\\.|[^\]\\])*(?:\]|$)|\{\d+(?:,\d*)?\}|./gsu;
const COUNT = /^\{(\d+)(?:,(\d*))?\}$/;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;
const UNICODE_CLASS = /\\[pP]/g;
const RANGE_BEYOND_ASCII = /-(?:\\x\{|[^\0-\x7f])/g;

/** Syntax of other engines, which RE2 does not have because it runs in linear time, and what to tell authors. */
const UNSUPPORTED: readonly (readonly [syntax: RegExp, detail: string])[] = [
  [/^\(\?<?[=!]/, 'patterns have no look-ahead and look-behind, such as (?=a), (?!a) or (?<=a)'],
  [/^\\[1-9k]/, 'patterns have no back-references, such as \\1'],
  [/^\(\?>/, 'patterns have no atomic groups, such as (?>a)'],
  [/^\\u/, 'patterns have no \\u escapes: write \\x{e9} in place of \\u00e9'],
];
const LONGEST_UNSUPPORTED = 4;

/** Explains syntax in a pattern that RE2 does not support; undefined if there is none. */
export function explainUnsupported(pattern: string): string | undefined {
  for (const { index } of pattern.matchAll(TOKEN)) {
    const start = pattern.slice(index, index + LONGEST_UNSUPPORTED);
    const found = UNSUPPORTED.find(([syntax]) => syntax.test(start));
    if (found !== undefined) return found[1];
  }
  return undefined;
}

/** An open group. */
interface Group {
  size: number;
  /** Size of the last item, to which a following repetition applies. */
  last: number;
}

/**
 * Estimates the size of a compiled RE2 pattern in instructions, without compiling it. A counted repetition is expanded:
 * `(a{100}b){9}` has size 909. The estimate only rejects patterns that are far too large.
 */
export function patternSize(pattern: string): number {
  return Math.max(pattern.length, programSize(pattern)) + surcharge(pattern);
}

function programSize(pattern: string): number {
  let group: Group = { size: 0, last: 0 };
  const outer: Group[] = [];
  const add = (size: number): void => {
    group = { size: group.size + size, last: size };
  };
  for (const [token] of pattern.matchAll(TOKEN)) {
    const count = COUNT.exec(token);
    if (count !== null) {
      const times = Math.max(1, Number(count[1]), Number(count[2] ?? 0));
      group = { size: group.size + group.last * (times - 1), last: group.last * times };
    } else if (token === '(') {
      outer.push(group);
      group = { size: 0, last: 0 };
    } else if (token === ')' && outer.length > 0) {
      const { size } = group;
      group = outer.pop() ?? group;
      add(size);
    } else add(token.startsWith('\\Q') ? token.length : 1);
  }
  return outer.reduce((sum, { size }) => sum + size, group.size);
}

/** Additional cost. A Unicode class has hundreds of ranges. RE2 expands each case-insensitive range to characters. */
function surcharge(pattern: string): number {
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  const ranges = IGNORES_CASE.test(pattern) ? (pattern.match(RANGE_BEYOND_ASCII)?.length ?? 0) : 0;
  return classes * 10 + ranges * 500;
}
