import { NotConvertedError } from './formula.ts';

/** A parsed expression of another tool. Names and operators are the tool's own. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

/** The syntax of a tool's expressions, such as `${age} > 17 and ${sex} = 'f'`. */
export interface ExpressionSyntax {
  /** Matches a variable at the current position (sticky). Its first group is the name. */
  readonly variable: RegExp;
  /** Operators by their spelling in lower case. Spellings in letters match whole words only. */
  readonly prefix: Readonly<Record<string, OperatorSyntax>>;
  readonly infix: Readonly<Record<string, OperatorSyntax>>;
  /** Postfix operators bind tighter than all others. */
  readonly postfix: Readonly<Record<string, string>>;
  /** Keywords with a value, in lower case. */
  readonly constants: Readonly<Record<string, string | number | boolean>>;
  /** Treatment of other words: as texts, or as syntax errors. */
  readonly words: 'texts' | 'rejected';
  /** Whether a backslash in quotes escapes the next character. */
  readonly escapes: boolean;
}

export interface OperatorSyntax {
  readonly operator: string;
  /** Precedence: a higher precedence binds tighter. Operators of equal precedence are left-associative. */
  readonly precedence: number;
}

export function variablesOf(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (part: Expression): void => {
    if (part.kind === 'variable') names.add(part.name);
    for (const child of partsOf(part)) visit(child);
  };
  visit(expression);
  return names;
}

function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'list':
      return expression.items;
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'call':
      return expression.args;
    default:
      return [];
  }
}

const MAX_LENGTH = 20_000;
const MAX_DEPTH = 64;
/** Maximum operands and operators. A long chain of operators becomes a deeply nested tree. */
const MAX_PARTS = 1_000;

const SPACE = /\s*/y;
const NUMBER = /-?(?:\d+(?:\.\d+)?|\.\d+)/y;
const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const QUOTED = /"([^"]*)"|'([^']*)'/y;
const QUOTED_WITH_ESCAPES = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;
const CALL = /[A-Za-z_][\w:-]*(?=\s*\()/y;

/** Throws `NotConvertedError` for an expression that is too long. */
export function checkLength(text: string): void {
  if (text.length > MAX_LENGTH) throw new NotConvertedError(`the expression is longer than ${MAX_LENGTH} characters`);
}

/** Parses an expression in the syntax of its tool. Throws `NotConvertedError` on a syntax error. */
export function parseExpression(text: string, syntax: ExpressionSyntax): Expression {
  checkLength(text);
  const scanner = createScanner(text);
  const expression = createParser(scanner, syntax)(0, 0);
  if (!scanner.isAtEnd()) throw scanner.fault('an operator or the end');
  return expression;
}

/** Operators, longest first, so that `<=` is not read as `<`. */
type Operators<Value> = readonly (readonly [written: string, value: Value])[];

type Scanner = ReturnType<typeof createScanner>;

/** Takes parts of a text from left to right. */
function createScanner(text: string) {
  // Only ASCII letters: others can change their length in lower case, which would shift positions.
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let position = 0;

  const find = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    return pattern.exec(text) ?? undefined;
  };
  /** @param pattern sticky */
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    const match = find(pattern);
    position += match?.[0].length ?? 0;
    return match;
  };
  return {
    find,
    take,
    takeSymbol(symbol: string): boolean {
      take(SPACE);
      if (!text.startsWith(symbol, position)) return false;
      position += symbol.length;
      return true;
    },
    /** Takes the next operator if it is wanted. Returns its value. */
    takeOperator<Value>(operators: Operators<Value>, isWanted: (value: Value) => boolean = () => true) {
      take(SPACE);
      const [written = '', value] =
        operators.find(([one]) => lower.startsWith(one, position) && isWhole(one, lower, position)) ?? [];
      if (value === undefined || !isWanted(value)) return undefined;
      position += written.length;
      return value;
    },
    /** Takes a text in quotes. Returns undefined if there is no quote. */
    takeQuoted(hasEscapes: boolean): string | undefined {
      const [, double, single] = take(hasEscapes ? QUOTED_WITH_ESCAPES : QUOTED) ?? [];
      const content = double ?? single;
      if (content === undefined && /["']/.test(text.charAt(position))) {
        position = text.length;
        throw this.fault('a closing quote');
      }
      return hasEscapes ? content?.replaceAll(/\\(.)/gs, '$1') : content;
    },
    isAtEnd(): boolean {
      take(SPACE);
      return position === text.length;
    },
    fault(expected: string): NotConvertedError {
      const location = position === text.length ? 'the end' : `character ${position + 1}`;
      return new NotConvertedError(`${expected} is missing at ${location} of the expression`);
    },
  };
}

/** Returns a function that parses operators of a higher precedence, and their operands. */
function createParser(scanner: Scanner, syntax: ExpressionSyntax): (precedence: number, depth: number) => Expression {
  const prefix = longestFirst(syntax.prefix);
  const infix = longestFirst(syntax.infix);
  const postfix = longestFirst(syntax.postfix);
  const { find, take, takeSymbol, takeOperator, fault } = scanner;
  let parts = 0;

  const countPart = (): void => {
    parts += 1;
    if (parts > MAX_PARTS) throw new NotConvertedError(`the expression has more than ${MAX_PARTS} parts`);
  };

  function expression(precedence: number, depth: number): Expression {
    if (depth > MAX_DEPTH) throw new NotConvertedError(`the expression is nested more than ${MAX_DEPTH} levels deep`);
    let left = withPostfix(operand(depth));
    for (;;) {
      const next = takeOperator(infix, (one) => one.precedence > precedence);
      if (next === undefined) return left;
      countPart();
      left = { kind: 'binary', operator: next.operator, left, right: expression(next.precedence, depth + 1) };
    }
  }

  function withPostfix(operand: Expression): Expression {
    for (let left = operand; ; ) {
      const operator = takeOperator(postfix);
      if (operator === undefined) return left;
      countPart();
      left = { kind: 'unary', operator, operand: left };
    }
  }

  function operand(depth: number): Expression {
    countPart();
    if (takeSymbol('(')) {
      const inner = expression(0, depth + 1);
      if (!takeSymbol(')')) throw fault('a closing parenthesis');
      return inner;
    }
    if (takeSymbol('[')) return { kind: 'list', items: items(']', depth) };
    const text = scanner.takeQuoted(syntax.escapes);
    if (text !== undefined) return { kind: 'literal', value: text };
    const number = take(NUMBER);
    if (number !== undefined) return { kind: 'literal', value: Number(number[0]) };
    const call = take(CALL);
    if (call !== undefined) {
      takeSymbol('(');
      return { kind: 'call', name: call[0], args: items(')', depth) };
    }
    const found = takeOperator<OperatorSyntax>(prefix);
    if (found !== undefined) {
      return { kind: 'unary', operator: found.operator, operand: expression(found.precedence, depth + 1) };
    }
    const variable = take(syntax.variable)?.[1];
    return variable === undefined ? word() : { kind: 'variable', name: variable.trim() };
  }

  /** A word that is not the name of a variable. */
  function word(): Expression {
    const written = find(WORD)?.[0] ?? '';
    const keyword = written.toLowerCase();
    const isConstant = Object.hasOwn(syntax.constants, keyword);
    if (written === '' || !(isConstant || syntax.words === 'texts')) throw fault('a question or a value');
    take(WORD);
    return { kind: 'literal', value: (isConstant ? syntax.constants[keyword] : undefined) ?? written };
  }

  function items(end: ']' | ')', depth: number): readonly Expression[] {
    if (takeSymbol(end)) return [];
    const found: Expression[] = [];
    do found.push(expression(0, depth + 1));
    while (takeSymbol(','));
    if (!takeSymbol(end)) throw fault(`a comma or ${end}`);
    return found;
  }
  return expression;
}

function longestFirst<Value>(operators: Readonly<Record<string, Value>>): Operators<Value> {
  return Object.entries(operators).sort(([one], [other]) => other.length - one.length);
}

/** Whether an operator in letters is a whole word here. */
function isWhole(written: string, text: string, position: number): boolean {
  if (!/[a-z]$/.test(written)) return true;
  return !/[\p{L}\p{N}_]/u.test(text.charAt(position + written.length));
}

/** Comparison signs for exchanged operands: `a < b` is `b > a`. */
export const FLIPPED: Readonly<Record<string, string>> = {
  '=': '=',
  '!=': '!=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
};

/** Operators of conditions by their sign in expressions. */
export const ORDERS: Readonly<Record<string, 'less_than' | 'greater_than' | 'less_or_equal' | 'greater_or_equal'>> = {
  '<': 'less_than',
  '>': 'greater_than',
  '<=': 'less_or_equal',
  '>=': 'greater_or_equal',
};

/** Compares two values by the sign of a comparison. */
export function compareBySign<Value extends string | number>(one: Value, sign: string, other: Value): boolean {
  switch (sign) {
    case '=':
      return one === other;
    case '!=':
      return one !== other;
    case '<':
      return one < other;
    case '>':
      return one > other;
    case '<=':
      return one <= other;
    default:
      return one >= other;
  }
}

/** Escapes a text for a pattern (RE2) that matches it literally. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
