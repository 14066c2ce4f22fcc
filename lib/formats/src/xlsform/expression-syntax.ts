import type { ExpressionSyntax } from '../core/logic/expression.ts';

/** XPath 1.0 as in forms (https://docs.getodk.org/form-operators-functions), with `${name}` for questions. */
export const XLSFORM_SYNTAX: ExpressionSyntax = {
  variable: /\$\{([^{}]+)\}/y,
  prefix: {},
  infix: {
    or: { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '=': { operator: '=', precedence: 3 },
    '==': { operator: '=', precedence: 3 },
    '!=': { operator: '!=', precedence: 3 },
    '<': { operator: '<', precedence: 4 },
    '<=': { operator: '<=', precedence: 4 },
    '>': { operator: '>', precedence: 4 },
    '>=': { operator: '>=', precedence: 4 },
    '+': { operator: '+', precedence: 5 },
    '-': { operator: '-', precedence: 5 },
    '*': { operator: '*', precedence: 6 },
    div: { operator: 'div', precedence: 6 },
    mod: { operator: 'mod', precedence: 6 },
  },
  postfix: {},
  constants: {},
  words: 'rejected',
  escapes: false,
};
