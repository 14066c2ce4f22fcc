import type { Operator } from '@survey/questionnaire/logic/operators';
import { type Condition, type Formula, NotConvertedError } from './formula.ts';

/** A conjunction of conditions. */
export type Term = readonly Condition[];

const MAX_TERMS = 100;
const MAX_CONDITIONS = 500;
/** Limit of the work to convert one formula to alternatives. */
const MAX_STEPS = 50_000;

/**
 * The disjunctive normal form: alternatives of conditions. An empty list never holds, an empty alternative always
 * holds. Throws `NotConvertedError` if there are too many alternatives, or a condition has no opposite.
 */
export function toTerms(formula: Formula): readonly Term[] {
  const writer = createTermWriter();
  return writer.termsOf(formula, true);
}

/** A subformula, possibly negated (`holds: false`). */
interface Part {
  readonly formula: Formula;
  readonly holds: boolean;
}

function createTermWriter() {
  const keys = new Map<Condition, string>();
  let steps = 0;
  const keyOf = (condition: Condition): string => {
    const key = keys.get(condition) ?? JSON.stringify(condition);
    keys.set(condition, key);
    return key;
  };
  const count = (more: number) => {
    steps += more;
    if (steps > MAX_STEPS) throw tooMany();
  };

  function termsOf(formula: Formula, holds: boolean): readonly Term[] {
    switch (formula.kind) {
      case 'always':
      case 'never':
        return (formula.kind === 'always') === holds ? [[]] : [];
      case 'unknown':
        throw new NotConvertedError(formula.reason);
      case 'condition':
        return holds ? [[formula.condition]] : oppositeOf(formula.condition);
      case 'not':
        return termsOf(formula.of, !holds);
      case 'all':
      case 'any': {
        const isAll = (formula.kind === 'all') === holds;
        const parts = partsOf({ formula, holds }, isAll).map((part) => termsOf(part.formula, part.holds));
        return isAll ? combineAll(parts) : simplify(parts.flat());
      }
    }
  }

  /** Merges subformulas with a single alternative first, so that they are simplified once. */
  function combineAll(parts: readonly (readonly Term[])[]): readonly Term[] {
    const single = parts.flatMap((terms) => (terms.length === 1 ? (terms[0] ?? []) : []));
    return parts.filter((terms) => terms.length !== 1).reduce(combine, simplify([single]));
  }

  function combine(some: readonly Term[], others: readonly Term[]): readonly Term[] {
    count(some.length * others.length);
    return simplify(some.flatMap((one) => others.map((other) => [...one, ...other])));
  }

  /** Removes duplicates, and alternatives that another alternative makes redundant. */
  function simplify(terms: readonly Term[]): readonly Term[] {
    count(terms.reduce((sum, term) => sum + term.length, 0));
    const unique = terms.map((term) => new Map(term.map((condition) => [keyOf(condition), condition])));
    const kept = new Set<ReadonlyMap<string, Condition>>();
    for (const term of unique.toSorted((one, other) => one.size - other.size)) {
      count(kept.size);
      if (![...kept].some((shorter) => [...shorter.keys()].every((key) => term.has(key)))) kept.add(term);
      if (kept.size > MAX_TERMS) throw tooMany();
    }
    if ([...kept].reduce((sum, term) => sum + term.size, 0) > MAX_CONDITIONS) throw tooMany();
    return unique.filter((term) => kept.has(term)).map((term) => [...term.values()]);
  }

  return { termsOf };
}

/** Flattens nested subformulas with the same operator, in order. */
function partsOf(whole: Part, isAll: boolean): readonly Part[] {
  const found: Part[] = [];
  const open = [whole];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const { formula, holds } = part;
    if (formula.kind === 'not') open.push({ formula: formula.of, holds: !holds });
    else if ((formula.kind === 'all' || formula.kind === 'any') && ((formula.kind === 'all') === holds) === isAll) {
      open.push(...formula.of.map((of) => ({ formula: of, holds })).toReversed());
    } else found.push(part);
  }
  return found;
}

const tooMany = () =>
  new NotConvertedError(`it needs more than ${MAX_TERMS} alternatives or ${MAX_CONDITIONS} conditions`);

const NEGATED: Readonly<Partial<Record<Operator, Operator>>> = {
  equals: 'not_equals',
  not_equals: 'equals',
  contains: 'not_contains',
  not_contains: 'contains',
  in: 'not_in',
  not_in: 'in',
  is_answered: 'is_not_answered',
  is_not_answered: 'is_answered',
};
/** Opposites of operators that compare an order. Without an answer, an operator and its opposite are both false. */
const REVERSED: Readonly<Partial<Record<Operator, Operator>>> = {
  greater_than: 'less_or_equal',
  greater_or_equal: 'less_than',
  less_than: 'greater_or_equal',
  less_or_equal: 'greater_than',
};

function oppositeOf(condition: Condition): readonly Term[] {
  const negated = NEGATED[condition.operator];
  if (negated !== undefined) return [[{ ...condition, operator: negated }]];
  const reversed = REVERSED[condition.operator];
  if (reversed === undefined) throw new NotConvertedError(`${condition.operator} has no opposite`);
  return [[{ ...condition, operator: reversed }], [{ source: condition.source, operator: 'is_not_answered' }]];
}
