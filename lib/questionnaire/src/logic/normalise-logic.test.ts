import { describe, expect, it } from 'vitest';
import { locatedItems } from '../definition/read-definition.ts';
import type { JsonObject } from '../json.ts';
import { createReport } from '../lint/report.ts';
import { normaliseLogic } from './normalise-logic.ts';

function normalise(...logic: readonly JsonObject[]) {
  const { report, lint } = createReport();
  const entries = normaliseLogic(locatedItems({ logic }, 'logic', '/survey'), report);
  expect(lint).toEqual({ errors: [], warnings: [] });
  return entries.map(({ action, match, target, from, conditions }) => ({
    action,
    match,
    target,
    from,
    conditions: conditions.map(({ source, operator, value }) => [source, operator, value]),
  }));
}

describe('normaliseLogic', () => {
  it('reads the long form', () => {
    const condition = { source_question: 'q1', operator: 'equals', value: 'a', action: 'hide' };
    expect(normalise({ question_id: 'q2', conditions: [condition] })).toEqual([
      { action: 'hide', match: 'all', target: 'q2', from: 'q2', conditions: [['q1', 'equals', 'a']] },
    ]);
  });

  it('reads the short form with the target on the entry', () => {
    const condition = { question_id: 'q1', operator: 'contains', value: 'a', action: 'show' };
    expect(normalise({ question_id: 'q2', conditions: [condition] })).toMatchObject([
      { action: 'show', target: 'q2', conditions: [['q1', 'contains', 'a']] },
    ]);
  });

  it('prefers the target_question of a short condition to the entry', () => {
    const condition = { question_id: 'q1', operator: 'equals', value: 'a', action: 'show', target_question: 'q3' };
    expect(normalise({ question_id: 'q2', conditions: [condition] })).toMatchObject([{ target: 'q3' }]);
    expect(normalise({ conditions: [condition] })).toMatchObject([{ target: 'q3' }]);
  });

  it('reads both forms in one entry', () => {
    const conditions = [
      { source_question: 'q1', operator: 'is_answered' },
      { question_id: 'q2', operator: 'is_answered', target_question: 'q3' },
    ];
    expect(normalise({ question_id: 'q3', conditions })).toMatchObject([
      {
        target: 'q3',
        conditions: [
          ['q1', 'is_answered', undefined],
          ['q2', 'is_answered', undefined],
        ],
      },
    ]);
  });

  it('returns a rule for each action and target of its conditions', () => {
    const conditions = [
      { question_id: 'q1', operator: 'is_answered', action: 'show' },
      { question_id: 'q2', operator: 'is_answered', action: 'hide' },
      { question_id: 'q3', operator: 'is_answered', action: 'show' },
      { question_id: 'q4', operator: 'is_answered', action: 'show', target_question: 'u' },
    ];
    const entries = normalise({ question_id: 't', match: 'any', conditions });
    expect(
      entries.map(({ action, match, target, conditions }) => [action, match, target, conditions.map(([id]) => id)]),
    ).toEqual([
      ['show', 'any', 't', ['q1', 'q3']],
      ['hide', 'any', 't', ['q2']],
      ['show', 'any', 'u', ['q4']],
    ]);
  });

  it('uses the action of the entry for conditions without one, else show', () => {
    const condition = { source_question: 'q1', operator: 'is_answered' };
    expect(normalise({ question_id: 't', action: 'hide', conditions: [condition] })).toMatchObject([
      { action: 'hide' },
    ]);
    expect(normalise({ question_id: 't', conditions: [condition] })).toMatchObject([{ action: 'show' }]);
  });

  it('gives disqualify no target', () => {
    const condition = { source_question: 'q1', operator: 'is_answered', action: 'disqualify' };
    expect(normalise({ question_id: 't', conditions: [condition] })).toMatchObject([{ target: undefined }]);
  });
});
