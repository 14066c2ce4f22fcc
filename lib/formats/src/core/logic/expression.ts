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
