import type { ExpressionSyntax } from '../conditions/expression.ts';

/** XPath 1.0 as in forms (https://docs.getodk.org/form-operators-functions), with `${name}` for questions. */
export const XLSFORM_SYNTAX: ExpressionSyntax = {
  variable: /\$\{([^{}]+)\}/y,
  prefix: {},
  infix: {
    or: { operator: 'or', power: 1 },
    and: { operator: 'and', power: 2 },
    '=': { operator: '=', power: 3 },
    '==': { operator: '=', power: 3 },
    '!=': { operator: '!=', power: 3 },
    '<': { operator: '<', power: 4 },
    '<=': { operator: '<=', power: 4 },
    '>': { operator: '>', power: 4 },
    '>=': { operator: '>=', power: 4 },
    '+': { operator: '+', power: 5 },
    '-': { operator: '-', power: 5 },
    '*': { operator: '*', power: 6 },
    div: { operator: 'div', power: 6 },
    mod: { operator: 'mod', power: 6 },
  },
  postfix: {},
  constants: {},
  words: 'rejected',
  escapes: false,
};
