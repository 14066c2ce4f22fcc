import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import type { JsonObject } from '../json.ts';
import type { QuestionTypeName } from '../schema/question-schema.ts';
import { rule, surveyOf, textQuestion } from '../testing/survey-of.ts';
import { OPERATOR_NAMES, type Operator } from './operators.ts';

const PRESENCE: readonly Operator[] = ['is_answered', 'is_not_answered'];
const EQUALITY: readonly Operator[] = [...PRESENCE, 'equals', 'not_equals', 'in', 'not_in'];
const ORDER: readonly Operator[] = [...EQUALITY, 'greater_than', 'greater_or_equal', 'less_than', 'less_or_equal'];
const MEMBERSHIP: readonly Operator[] = [...EQUALITY, 'contains', 'not_contains'];
const SEARCH: readonly Operator[] = [...MEMBERSHIP, 'matches'];

interface Source {
  readonly name: string;
  readonly members: JsonObject & { readonly type: QuestionTypeName };
  readonly value: unknown;
  readonly operators: readonly Operator[];
}

const options = ['a', 'b'];
const SOURCES: readonly Source[] = [
  { name: 'single_choice', members: { type: 'single_choice', options }, value: 'a', operators: EQUALITY },
  { name: 'multiple_choice', members: { type: 'multiple_choice', options }, value: 'a', operators: MEMBERSHIP },
  { name: 'text', members: { type: 'text' }, value: 'a', operators: SEARCH },
  {
    name: 'text that is a number',
    members: { type: 'text', format: 'number' },
    value: '1',
    operators: [...new Set([...SEARCH, ...ORDER])],
  },
  { name: 'textarea', members: { type: 'textarea' }, value: 'a', operators: SEARCH },
  { name: 'rating', members: { type: 'rating' }, value: 3, operators: ORDER },
  { name: 'likert', members: { type: 'likert', options }, value: 'a', operators: EQUALITY },
  { name: 'likert with rows', members: { type: 'likert', options, rows: ['r'] }, value: 'a', operators: PRESENCE },
  { name: 'matrix', members: { type: 'matrix', rows: ['r'], columns: options }, value: 'a', operators: PRESENCE },
  { name: 'date', members: { type: 'date' }, value: '2024-02-29', operators: ORDER },
  { name: 'time', members: { type: 'time' }, value: '09:30', operators: ORDER },
  { name: 'file_upload', members: { type: 'file_upload' }, value: 'a', operators: PRESENCE },
];

describe.each(SOURCES)('a source of the type $name', ({ name, members, value, operators }) => {
  it.each(OPERATOR_NAMES)('supports the operator %s, or lint rejects it', (operator) => {
    const logic = [rule('t', 'show', 's', operator, PRESENCE.includes(operator) ? undefined : value)];
    const { errors } = compile(surveyOf([{ id: 's', ...members }, textQuestion('t')], { logic })).lint;
    const path = '/survey/logic/0/conditions/0/operator';
    const supported = OPERATOR_NAMES.filter((other) => operators.includes(other)).join(', ');
    const detail = `the type ${name} does not have the operator ${operator}; it has ${supported}`;
    expect(errors).toMatchObject(operators.includes(operator) ? [] : [{ code: 'BAD_OPERATOR', path, detail }]);
  });
});
