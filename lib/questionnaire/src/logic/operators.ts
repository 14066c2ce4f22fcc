import { toNfc } from '../answers/plain-text.ts';
import { isArray } from '../json.ts';
import { type Fault, isFault, type Literal, type Operand, type Test, textLiteral } from './operand.ts';

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

const buildEquals: Build = (operand, value) => {
  const { literal, scalar, chosenIds } = operand;
  if (literal === undefined) return undefined;
  if (chosenIds !== undefined) {
    return withLiterals(operand, isArray(value) ? value : [value], (literals) => {
      const wanted = new Set(literals);
      return (answer) => {
        const chosen = chosenIds(answer);
        return chosen.length === wanted.size && chosen.every((id) => wanted.has(id));
      };
    });
  }
  return (
    scalar &&
    withLiterals(
      operand,
      [value],
      ([wanted]) =>
        (answer) =>
          scalar(answer) === wanted,
    )
  );
};

const buildContains: Build = (operand, value) => {
  const { chosenIds, text } = operand;
  if (chosenIds !== undefined) {
    return withLiterals(
      operand,
      [value],
      ([wanted]) =>
        (answer) =>
          chosenIds(answer).some((id) => id === wanted),
    );
  }
  if (text === undefined) return undefined;
  const wanted = textLiteral(value);
  if (isFault(wanted)) return wanted;
  const part = fold(wanted);
  return (answer) => fold(text(answer)).includes(part);
};

const buildIn: Build = (operand, value) => {
  const { scalar, chosenIds } = operand;
  if (scalar === undefined && chosenIds === undefined) return undefined;
  return withLiterals(operand, isArray(value) ? value : [value], (literals) => {
    const wanted = new Set(literals);
    if (chosenIds !== undefined) return (answer) => chosenIds(answer).some((id) => wanted.has(id));
    return (answer) => scalar !== undefined && wanted.has(scalar(answer));
  });
};

function buildOrder(accepts: (answer: Literal, wanted: Literal) => boolean): Build {
  return (operand, value) => {
    const { scalar, ordered } = operand;
    if (scalar === undefined || ordered === undefined) return undefined;
    return withLiterals(
      operand,
      [value],
      ([wanted]) =>
        (answer) =>
          wanted !== undefined && accepts(scalar(answer), wanted),
    );
  };
}

const buildMatches: Build = ({ text, pattern: compile }, value) => {
  if (text === undefined || compile === undefined) return undefined;
  if (typeof value !== 'string') return { code: 'BAD_VALUE', detail: 'the value must be a pattern' };
  const pattern = compile(value);
  return typeof pattern === 'function'
    ? (answer) => pattern(text(answer))
    : { code: 'BAD_PATTERN', detail: pattern.fault };
};

function not(build: Build): Build {
  return (operand, value) => {
    const test = build(operand, value);
    return typeof test === 'function' ? (answer) => !test(answer) : test;
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
  is_answered: { whenUnanswered: false, build: () => () => true },
  is_not_answered: { whenUnanswered: true, build: () => () => false },
  matches: { whenUnanswered: false, build: buildMatches },
} as const satisfies Record<string, OperatorEntry>;

export type Operator = keyof typeof OPERATORS;

/** The names of all operators. The cast is safe: the object has no other members. */
export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly Operator[];

export function isOperator(value: unknown): value is Operator {
  return typeof value === 'string' && Object.hasOwn(OPERATORS, value);
}

/** Builds the test of an existing answer, or returns an error. */
export function buildTest(operator: Operator, operand: Operand, value: unknown): Test | Fault {
  return (
    OPERATORS[operator].build(operand, value) ?? {
      code: 'BAD_OPERATOR',
      detail: `this question type does not support the operator ${operator}`,
    }
  );
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
