/** A condition as another tool writes it, taken apart; names and operators are still the tool's own. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] };

/** What the operators, variables and literals of a tool's language look like. */
export interface ExpressionSyntax {
  /** Matches a variable from where it stands (sticky); its first group is the name. */
  readonly variable: RegExp;
  /** Operators as they are written, in lower case, to what they are called. Those of letters are whole words. */
  readonly prefix: Readonly<Record<string, OperatorSyntax>>;
  readonly infix: Readonly<Record<string, OperatorSyntax>>;
  /** Bind closer than any other. */
  readonly postfix: Readonly<Record<string, string>>;
  /** Words that are values, in lower case. */
  readonly constants: Readonly<Record<string, string | number | boolean>>;
  /** What any other word is. */
  readonly words: 'texts' | 'faults';
  /** Whether a backslash inside of quotes takes the next character as it is. */
  readonly escapes: boolean;
}

export interface OperatorSyntax {
  readonly operator: string;
  /** An operator of more binds closer; of one such operator after another the first does. */
  readonly power: number;
}

/** All questions that an expression names. */
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
