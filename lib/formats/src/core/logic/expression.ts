import { NotConvertedError } from './formula.ts';

/** A parsed expression of another tool. Names and operators are the tool's own. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

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
const CALL = /[A-Za-z_][\w:-]*(?=\s*\()/y;

/** Throws `NotConvertedError` for an expression that is too long. */
export function checkLength(text: string): void {
  if (text.length > MAX_LENGTH) throw new NotConvertedError(`the expression is longer than ${MAX_LENGTH} characters`);
}

/** Parses an expression in the syntax of its tool. Throws `NotConvertedError` on a syntax error. */
export function parseExpression(text: string, syntax: ExpressionSyntax): Expression {
  checkLength(text);
  const parser = createParser(text, syntax);
  const expression = parser.expression(0, 0);
  parser.end();
  return expression;
}

/** Operators, longest first, so that `<=` is not read as `<`. */
type Operators<Value> = readonly (readonly [written: string, value: Value])[];

function createParser(text: string, syntax: ExpressionSyntax) {
  const prefix = longestFirst(syntax.prefix);
  const infix = longestFirst(syntax.infix);
  const postfix = longestFirst(syntax.postfix);
  // Only ASCII letters: others can change their length in lower case, which would shift positions.
  const lower = text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  let position = 0;
  let parts = 0;

  const fault = (expected: string): NotConvertedError =>
    new NotConvertedError(
      position >= text.length
        ? `${expected} is missing at the end of the expression`
        : `${expected} is missing at character ${position + 1} of the expression`,
    );
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return undefined;
    position += match[0].length;
    return match;
  };
  const skipSpace = () => take(SPACE);
  const takeSymbol = (symbol: string): boolean => {
    skipSpace();
    if (!text.startsWith(symbol, position)) return false;
    position += symbol.length;
    return true;
  };
  const count = (): void => {
    parts += 1;
    if (parts > MAX_PARTS) throw new NotConvertedError(`the expression has more than ${MAX_PARTS} parts`);
  };
  const peekOperator = <Value>(operators: Operators<Value>): readonly [string, Value] | undefined => {
    skipSpace();
    return operators.find(([written]) => lower.startsWith(written, position) && isWhole(written, lower, position));
  };

  function expression(precedence: number, depth: number): Expression {
    if (depth > MAX_DEPTH) throw new NotConvertedError(`the expression is nested more than ${MAX_DEPTH} levels deep`);
    let left = withPostfix(operand(depth));
    for (;;) {
      const next = peekOperator(infix);
      if (next === undefined || next[1].precedence <= precedence) return left;
      count();
      position += next[0].length;
      left = { kind: 'binary', operator: next[1].operator, left, right: expression(next[1].precedence, depth + 1) };
    }
  }

  function withPostfix(operand: Expression): Expression {
    for (let left = operand; ; ) {
      const next = peekOperator(postfix);
      if (next === undefined) return left;
      count();
      position += next[0].length;
      left = { kind: 'unary', operator: next[1], operand: left };
    }
  }

  function operand(depth: number): Expression {
    count();
    if (takeSymbol('(')) {
      const inner = expression(0, depth + 1);
      if (!takeSymbol(')')) throw fault('a closing parenthesis');
      return inner;
    }
    if (takeSymbol('[')) return { kind: 'list', items: items(']', depth) };
    const quote = text[position];
    if (quote === '"' || quote === "'") return { kind: 'literal', value: quoted(quote) };
    const number = take(NUMBER);
    if (number !== undefined) return { kind: 'literal', value: Number(number[0]) };
    const call = take(CALL);
    if (call !== undefined) {
      takeSymbol('(');
      return { kind: 'call', name: call[0], args: items(')', depth) };
    }
    return prefixed(depth) ?? variable() ?? word();
  }

  function prefixed(depth: number): Expression | undefined {
    const found = peekOperator<OperatorSyntax>(prefix);
    if (found === undefined) return undefined;
    const [written, { operator, precedence }] = found;
    position += written.length;
    return { kind: 'unary', operator, operand: expression(precedence, depth + 1) };
  }

  function variable(): Expression | undefined {
    const name = take(syntax.variable)?.[1];
    return name === undefined ? undefined : { kind: 'variable', name: name.trim() };
  }

  function word(): Expression {
    const start = position;
    const written = take(WORD)?.[0];
    if (written === undefined) throw fault('a question or a value');
    const constant = written.toLowerCase();
    if (Object.hasOwn(syntax.constants, constant)) return { kind: 'literal', value: syntax.constants[constant] ?? '' };
    if (syntax.words === 'texts') return { kind: 'literal', value: written };
    position = start;
    throw fault('a question or a value');
  }

  function items(end: ']' | ')', depth: number): readonly Expression[] {
    if (takeSymbol(end)) return [];
    const found: Expression[] = [];
    do found.push(expression(0, depth + 1));
    while (takeSymbol(','));
    if (!takeSymbol(end)) throw fault(`a comma or ${end}`);
    return found;
  }

  function quoted(quote: string): string {
    let value = '';
    for (position += 1; position < text.length; position += 1) {
      const character = text[position] ?? '';
      if (character === quote) {
        position += 1;
        return value;
      }
      if (character === '\\' && syntax.escapes) position += 1;
      value += text[position] ?? '';
    }
    throw fault('a closing quote');
  }

  return {
    expression,
    end() {
      skipSpace();
      if (position < text.length) throw fault('an operator or the end');
    },
  };
}

function longestFirst<Value>(operators: Readonly<Record<string, Value>>): Operators<Value> {
  return Object.entries(operators).sort(([one], [other]) => other.length - one.length);
}

/** Whether an operator in letters is a whole word here. */
function isWhole(written: string, text: string, position: number): boolean {
  if (!/[a-z]$/.test(written)) return true;
  return !/[\p{L}\p{N}_]/u.test(text.charAt(position + written.length));
}

/** Escapes a text for a pattern (RE2) that matches it literally. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
