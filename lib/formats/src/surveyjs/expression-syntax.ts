import type { ExpressionSyntax, OperatorSyntax } from '../core/logic/expression.ts';

const compare = (operator: string): OperatorSyntax => ({ operator, precedence: 3 });
const calculate = (operator: string, precedence: number): OperatorSyntax => ({ operator, precedence });

/** Expressions of SurveyJS (https://surveyjs.io/form-library/documentation/design-survey/conditional-logic). */
export const SURVEYJS_SYNTAX: ExpressionSyntax = {
  variable: /\{([^{}]+)\}/y,
  prefix: { '!': { operator: 'not', precedence: 9 } },
  infix: {
    or: { operator: 'or', precedence: 1 },
    '||': { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '&&': { operator: 'and', precedence: 2 },
    '=': compare('='),
    '==': compare('='),
    equal: compare('='),
    '!=': compare('<>'),
    '<>': compare('<>'),
    notequal: compare('<>'),
    '<': compare('<'),
    less: compare('<'),
    '>': compare('>'),
    greater: compare('>'),
    '<=': compare('<='),
    lessorequal: compare('<='),
    '>=': compare('>='),
    greaterorequal: compare('>='),
    contains: compare('contains'),
    contain: compare('contains'),
    '*=': compare('contains'),
    notcontains: compare('notcontains'),
    notcontain: compare('notcontains'),
    anyof: compare('anyof'),
    noneof: compare('noneof'),
    allof: compare('allof'),
    '+': calculate('+', 4),
    '-': calculate('-', 4),
    '*': calculate('*', 5),
    '/': calculate('/', 5),
    '%': calculate('%', 5),
    '^': calculate('^', 6),
    power: calculate('^', 6),
  },
  postfix: { empty: 'empty', notempty: 'notempty' },
  constants: { true: true, false: false, undefined: '', null: '' },
  words: 'texts',
  escapes: true,
};
