import { describe, expect, it } from 'vitest';
import { type Expression, type ExpressionSyntax, parseExpression, variablesOf } from './expression.ts';
import { NotConvertedError } from './formula.ts';

const SYNTAX: ExpressionSyntax = {
  variable: /\{([^{}]+)\}/y,
  prefix: { '!': { operator: 'not', precedence: 9 } },
  infix: {
    or: { operator: 'or', precedence: 1 },
    and: { operator: 'and', precedence: 2 },
    '=': { operator: '=', precedence: 3 },
    '<': { operator: '<', precedence: 3 },
    '<=': { operator: '<=', precedence: 3 },
  },
  postfix: { empty: 'empty' },
  constants: { true: true },
  words: 'texts',
  escapes: true,
};

/** An expression as nested lists: `['or', a, b]`. */
function toList(expression: Expression): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value;
    case 'variable':
      return `{${expression.name}}`;
    case 'list':
      return expression.items.map(toList);
    case 'unary':
      return [expression.operator, toList(expression.operand)];
    case 'binary':
      return [expression.operator, toList(expression.left), toList(expression.right)];
    case 'call':
      return [`${expression.name}()`, ...expression.args.map(toList)];
  }
}

const parse = (text: string) => toList(parseExpression(text, SYNTAX));

describe('parseExpression', () => {
  it.each([
    ['{a} = 1 or {b} = 2 and {c} = 3', ['or', ['=', '{a}', 1], ['and', ['=', '{b}', 2], ['=', '{c}', 3]]]],
    ['({a} or {b}) and {c}', ['and', ['or', '{a}', '{b}'], '{c}']],
    ['{a} or {b} or {c}', ['or', ['or', '{a}', '{b}'], '{c}']],
    ['!{a} = 1', ['=', ['not', '{a}'], 1]],
    ['!({a} empty)', ['not', ['empty', '{a}']]],
    ['{a}<=.5', ['<=', '{a}', 0.5]],
    ["{a} = 'it\\'s' and {b} = \"x\"", ['and', ['=', '{a}', "it's"], ['=', '{b}', 'x']]],
    ['{a} = true AND {b} = orange', ['and', ['=', '{a}', true], ['=', '{b}', 'orange']]],
    ['{a} = constructor', ['=', '{a}', 'constructor']],
    ['{a} = İ and {b} = İ AND {c}', ['and', ['and', ['=', '{a}', 'İ'], ['=', '{b}', 'İ']], '{c}']],
    ['f({a}, [1, 2], g()) = 3', ['=', ['f()', '{a}', [1, 2], ['g()']], 3]],
    ['{ a b }=[]', ['=', '{a b}', []]],
  ])('%s', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['', 'a question or a value is missing at the end of the expression'],
    ['{a} =', 'a question or a value is missing at the end of the expression'],
    ['{a} {b}', 'an operator or the end is missing at character 5 of the expression'],
    ['({a}', 'a closing parenthesis is missing at the end of the expression'],
    ["{a} = 'b", 'a closing quote is missing at the end of the expression'],
    ['f({a}', 'a comma or ) is missing at the end of the expression'],
    ['{a} = ;', 'a question or a value is missing at character 7 of the expression'],
    ['('.repeat(100), 'the expression is nested more than 64 levels deep'],
    ['!'.repeat(100), 'the expression is nested more than 64 levels deep'],
    ['1'.repeat(30_000), 'the expression is longer than 20000 characters'],
    [`1${' or 1'.repeat(3_000)}`, 'the expression has more than 1000 parts'],
    [`{a}${' empty'.repeat(2_000)}`, 'the expression has more than 1000 parts'],
  ])('%s is rejected with the position', (text, reason) => {
    expect(() => parse(text)).toThrow(new NotConvertedError(reason));
  });

  it('words are rejected if the syntax has none', () => {
    const syntax: ExpressionSyntax = { ...SYNTAX, words: 'rejected' };
    expect(() => parseExpression('{a} = yes', syntax)).toThrow('at character 7 of the expression');
  });

  it('returns the names of all variables', () => {
    expect([...variablesOf(parseExpression("f({a}, [{b}]) = '{c}' or !{d} empty", SYNTAX))]).toEqual(['a', 'b', 'd']);
  });
});
