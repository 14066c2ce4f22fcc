import type { AnswerValue } from '../answers/answer-value.ts';
import { toNfc } from '../answers/plain-text.ts';
import { isArray } from '../json.ts';
import {
  type AnswerForms,
  type Fault,
  isFault,
  type Literal,
  type Operand,
  type Test,
  textLiteral,
} from './operand.ts';

interface OperatorEntry {
  /** The result for an unanswered source. */
  readonly whenUnanswered: boolean;
  /**
   * Builds the test of an answer from the condition's value; undefined when the question type does not support the
   * operator.
   */
  build(operand: Operand, value: unknown): Test | Fault | undefined;
}

type Build = OperatorEntry['build'];

/** The set of chosen ids of an answer, for questions with several choices. */
function toChosen({ chosenIds }: Operand) {
  if (chosenIds === undefined) return undefined;
  return (answer: AnswerValue, forms: AnswerForms): ReadonlySet<string> => {
    forms.chosen ??= new Set(chosenIds(answer));
    return forms.chosen;
  };
}

/** The scalar of an answer, for questions with one. */
function toScalar({ scalar }: Operand) {
  if (scalar === undefined) return undefined;
  return (answer: AnswerValue, forms: AnswerForms): Literal => {
    forms.scalar ??= scalar(answer);
    return forms.scalar;
  };
}

const buildEquals: Build = (operand, value) => {
  const [scalar, chosen] = [toScalar(operand), toChosen(operand)];
  if (chosen !== undefined) {
    return withLiterals(operand, isArray(value) ? value : [value], (literals) => {
      const wanted = new Set(literals);
      return {
        holds: (answer, forms) => chosen(answer, forms).size === wanted.size && isSubset(wanted, chosen(answer, forms)),
        steps: () => wanted.size,
      };
    });
  }
  return (
    scalar &&
    withLiterals(operand, [value], ([wanted]) => ({
      holds: (answer, forms) => scalar(answer, forms) === wanted,
      steps: (size) => Math.min(size, String(wanted).length),
    }))
  );
};

const buildContains: Build = (operand, value) => {
  const { text } = operand;
  const chosen = toChosen(operand);
  if (chosen !== undefined) {
    return withLiterals(operand, [value], ([wanted]) => ({
      holds: (answer, forms) => chosen(answer, forms).has(String(wanted)),
      steps: () => 1,
    }));
  }
  if (text === undefined) return undefined;
  const wanted = textLiteral(value);
  if (isFault(wanted)) return wanted;
  const isPart = createSearch(fold(wanted));
  return {
    holds: (answer, forms) => {
      forms.folded ??= fold(text(answer));
      return isPart(forms.folded);
    },
    steps: (size) => size,
  };
};

const buildIn: Build = (operand, value) => {
  const [scalar, chosen] = [toScalar(operand), toChosen(operand)];
  if (scalar === undefined && chosen === undefined) return undefined;
  return withLiterals(operand, isArray(value) ? value : [value], (literals) => {
    const wanted = new Set(literals);
    const steps = () => wanted.size;
    if (chosen !== undefined) {
      return { holds: (answer, forms) => !areDisjoint(wanted, chosen(answer, forms)), steps };
    }
    return { holds: (answer, forms) => scalar !== undefined && wanted.has(scalar(answer, forms)), steps };
  });
};

function buildOrder(accepts: (answer: Literal, wanted: Literal) => boolean): Build {
  return (operand, value) => {
    const scalar = toScalar(operand);
    if (scalar === undefined || operand.ordered === undefined) return undefined;
    return withLiterals(operand, [value], ([wanted]) => ({
      holds: (answer, forms) => wanted !== undefined && accepts(scalar(answer, forms), wanted),
      steps: () => 1,
    }));
  };
}

const buildMatches: Build = ({ text, pattern: compile }, value) => {
  if (text === undefined || compile === undefined) return undefined;
  if (typeof value !== 'string') return { code: 'BAD_VALUE', detail: 'the value must be a pattern' };
  const pattern = compile(value);
  return typeof pattern === 'function'
    ? { holds: (answer) => pattern(text(answer)), steps: (size) => pattern.size * size }
    : { code: 'BAD_PATTERN', detail: pattern.fault };
};

function buildConstant(result: boolean): Build {
  return () => ({ holds: () => result, steps: () => 1 });
}

function not(build: Build): Build {
  return (operand, value) => {
    const test = build(operand, value);
    if (test === undefined || isFault(test)) return test;
    return { ...test, holds: (answer, forms) => !test.holds(answer, forms) };
  };
}

/** All operators. For unanswered sources, only the four negative ones are true. */
export const OPERATORS = {
  equals: { whenUnanswered: false, build: buildEquals },
  not_equals: { whenUnanswered: true, build: not(buildEquals) },
  contains: { whenUnanswered: false, build: buildContains },
  not_contains: { whenUnanswered: true, build: not(buildContains) },
  in: { whenUnanswered: false, build: buildIn },
  not_in: { whenUnanswered: true, build: not(buildIn) },
  greater_than: { whenUnanswered: false, build: buildOrder((answer, wanted) => answer > wanted) },
  greater_or_equal: { whenUnanswered: false, build: buildOrder((answer, wanted) => answer >= wanted) },
  less_than: { whenUnanswered: false, build: buildOrder((answer, wanted) => answer < wanted) },
  less_or_equal: { whenUnanswered: false, build: buildOrder((answer, wanted) => answer <= wanted) },
  is_answered: { whenUnanswered: false, build: buildConstant(true) },
  is_not_answered: { whenUnanswered: true, build: buildConstant(false) },
  matches: { whenUnanswered: false, build: buildMatches },
} as const satisfies Record<string, OperatorEntry>;

export type Operator = keyof typeof OPERATORS;

/** The names of all operators. The cast is safe: the object has no other members. */
export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

export function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && Object.hasOwn(OPERATORS, value);
}

/**
 * Builds the test of an existing answer, or returns an error.
 *
 * @param type name of the question type, for errors
 */
export function buildTest(operator: Operator, type: string, operand: Operand, value: unknown): Test | Fault {
  const test = OPERATORS[operator].build(operand, value);
  if (test !== undefined) return test;
  const supported = OPERATOR_NAMES.filter((name) => OPERATORS[name].build(operand, undefined) !== undefined);
  return {
    code: 'BAD_OPERATOR',
    detail: `the type ${type} does not have the operator ${operator}; it has ${supported.join(', ')}`,
  };
}

function withLiterals(
  operand: Operand,
  values: readonly unknown[],
  build: (literals: readonly Literal[]) => Test,
): Test | Fault {
  if (values.length === 0) return { code: 'BAD_VALUE', detail: 'the value must not be an empty list' };
  const literals: Literal[] = [];
  for (const value of values) {
    const literal = operand.literal?.(value);
    if (literal === undefined)
      return { code: 'BAD_VALUE', detail: 'answers to this question cannot be compared with a value' };
    if (isFault(literal)) return literal;
    literals.push(literal);
  }
  return build(literals);
}

/** Upper case makes more letters equal than lower case: ß and SS, the two forms of sigma. */
function fold(text: string): string {
  return toNfc(text.toUpperCase());
}

/** The set methods of the language are too new for some browsers. Both sizes are those of the definition. */
function isSubset(some: ReadonlySet<Literal>, all: ReadonlySet<Literal>): boolean {
  for (const one of some) if (!all.has(one)) return false;
  return true;
}

function areDisjoint(some: ReadonlySet<Literal>, others: ReadonlySet<Literal>): boolean {
  for (const one of some) if (others.has(one)) return false;
  return true;
}

/**
 * Returns a function that finds a part in a text (Knuth, Morris and Pratt). Its time grows with the length of the text
 * alone. `includes` can take the product of both lengths.
 */
function createSearch(part: string): (text: string) => boolean {
  /** For each length of a matched beginning: the length to continue with if the next character differs. */
  const shorter = new Int32Array(part.length + 1);
  const extend = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && part.charCodeAt(length) !== unit) length = shorter[length] ?? 0;
    return part.charCodeAt(length) === unit ? length + 1 : 0;
  };
  for (let index = 1; index < part.length; index++) {
    shorter[index + 1] = extend(shorter[index] ?? 0, part.charCodeAt(index));
  }
  return (text) => {
    let matched = 0;
    for (let index = 0; index < text.length && matched < part.length; index++) {
      matched = extend(matched, text.charCodeAt(index));
    }
    return matched === part.length;
  };
}
