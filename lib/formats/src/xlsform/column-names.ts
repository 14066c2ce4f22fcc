/** The columns that a form can have, with slashes between groups, questions and choices. */
export interface KnownColumns {
  /** Names and labels of questions: `group/name`, `name`, `Label`. */
  readonly names: ReadonlySet<string>;
  /** Names and labels of choices by the name or label of the question. */
  readonly choices: ReadonlyMap<string, ReadonlySet<string>>;
  /** Names and labels of the questions with an "other" text that the tool added (`or_other`). */
  readonly withOther: ReadonlySet<string>;
}

/** The label that XLSForm gives to the text of "other". */
const SPECIFY_OTHER = 'Specify other.';
/** Characters between two names. Hyphens, dots and underscores can also be part of a name. */
const BETWEEN = /[^\p{L}\p{N}_[\]]+|_+/gu;
const MAX_SEPARATOR = 5;
/** Maximum names, and kinds of separators, that are considered to find the separator. */
const MAX_NAMES = 2_000;
const MAX_KINDS = 100;

/**
 * Converts the names of a header to names with slashes, whatever separator the export uses: `g.acts.hik` becomes
 * `g/acts/hik`. The column of an "other" text gets the name of its question with `_other`.
 */
export function toSlashes(header: readonly string[], known: KnownColumns): readonly string[] {
  const separator = findSeparator(header, known);
  const names = separator === undefined ? header : header.map((name) => withSlashes(name, separator, known));
  let question = '';
  return names.map((name) => {
    if (name === SPECIFY_OTHER && question !== '' && !known.names.has(name)) return `${question}_other`;
    const base = [name, name.slice(0, Math.max(0, name.lastIndexOf('/')))].find((one) => known.withOther.has(one));
    question = base ?? (name === SPECIFY_OTHER ? '' : question);
    return name;
  });
}

/** The separator that converts most names to columns of the form; undefined if it is a slash, or if there is none. */
function findSeparator(header: readonly string[], known: KnownColumns): string | undefined {
  const votes = new Map<string, number>();
  for (const name of header.slice(0, MAX_NAMES)) {
    if (isFixed(name, known)) continue;
    const candidates = new Set(name.match(BETWEEN)?.filter((one) => one.length <= MAX_SEPARATOR));
    for (const separator of candidates) {
      if (votes.size >= MAX_KINDS && !votes.has(separator)) continue;
      if (isKnown(split(name, separator), known)) votes.set(separator, (votes.get(separator) ?? 0) + 1);
    }
  }
  const [best] = [...votes].toSorted(([, one], [, other]) => other - one);
  return best === undefined || best[0] === '/' ? undefined : best[0];
}

function withSlashes(name: string, separator: string, known: KnownColumns): string {
  if (isFixed(name, known)) return name;
  const slashed = split(name, separator);
  return isKnown(slashed, known) ? slashed : name;
}

function split(name: string, separator: string): string {
  return name.split(separator).join('/');
}

/** Whether a name needs no conversion: it is already a column of the form, or the column of an "other" text. */
function isFixed(name: string, known: KnownColumns): boolean {
  return isKnown(name, known) || (name.endsWith('_other') && known.withOther.has(name.slice(0, -'_other'.length)));
}

/** Whether a name with slashes is a question, a choice of a question, or a row of a repeat. */
function isKnown(name: string, { names, choices }: KnownColumns): boolean {
  if (names.has(name) || /^[^[\]]+\[\d+\]\//.test(name)) return true;
  const slash = name.lastIndexOf('/');
  return slash > 0 && choices.get(name.slice(0, slash))?.has(name.slice(slash + 1)) === true;
}
