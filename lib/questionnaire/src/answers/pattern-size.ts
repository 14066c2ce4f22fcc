/** Quotes, escapes, classes and counted repetition each in one; the rest by character. Always matches on. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pPx](?:\{[^}]{0,60}\}|.)|\\.|\[\^?\]?(?:\[:\^?[a-z]{1,10}:\]|\\.|[^\]\\])*(?:\]|$)|\{\d+(?:,\d*)?\}|./gsu;
const COUNT = /^\{(\d+)(?:,(\d*))?\}$/;
const IGNORES_CASE = /\(\?[a-zA-Z]*i/;
const UNICODE_CLASS = /\\[pP]/g;
const RANGE_BEYOND_ASCII = /-(?:\\x\{|[^\0-\x7f])/g;

/** A group that is still open. */
interface Group {
  size: number;
  /** The part of it that a repetition would repeat. */
  last: number;
}

/**
 * Estimates what compiling a pattern of RE2 syntax takes, in instructions of its program, without compiling it:
 * counted repetition writes out what it repeats, so `(a{100}b){9}` is 909. Good enough to refuse what is far too
 * large; whether the pattern is right is for RE2 to say.
 */
export const patternSize = (pattern: string): number =>
  Math.max(pattern.length, programSize(pattern)) + surcharge(pattern);

const programSize = (pattern: string): number => {
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
};

/** A Unicode class is hundreds of ranges; a range in which case does not count is gone through by character. */
const surcharge = (pattern: string): number => {
  const classes = pattern.match(UNICODE_CLASS)?.length ?? 0;
  const ranges = IGNORES_CASE.test(pattern) ? (pattern.match(RANGE_BEYOND_ASCII)?.length ?? 0) : 0;
  return classes * 10 + ranges * 500;
};
