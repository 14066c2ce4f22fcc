import { describe, expect, it } from 'vitest';
import { checkShape } from './check-shape.ts';
import { compile } from './compile.ts';
import { completeDefinition } from './definition/complete-definition.ts';
import type { JsonObject } from './json.ts';
import { surveyPayload, translated } from './testing/example-payloads.ts';
import { logicForms, sections } from './testing/logic-forms.ts';

function noNewId(): string {
  throw new Error('every question has an id already');
}

/** Asserts that a definition can be stored and published, and is returned unchanged. */
function accepted(definition: JsonObject) {
  const before = JSON.stringify(definition);
  expect(checkShape(definition)).toEqual([]);
  const compiled = compile(definition);
  expect(compiled.lint).toEqual({ errors: [], warnings: [] });
  expect(completeDefinition(definition, noNewId)).toEqual(JSON.parse(before));
  expect(JSON.stringify(definition)).toBe(before);
  return compiled;
}

describe('the payload that creates a survey', () => {
  it('is accepted and returned unchanged', () => {
    const { validate } = accepted(surveyPayload());
    expect(validate({ q1: 'yes', q2: 4 })).toEqual({ data: { q1: 'yes', q2: 4 }, errors: [], disqualified: false });
  });

  it('is accepted with optional members, screens and free content', () => {
    accepted(
      surveyPayload({
        description: 'Five minutes',
        welcome_screen: { title: 'Welcome', description: 'Hello', metadata: { image: 'https://example.org/a.png' } },
        thank_you_screen: { title: 'Thank you', description: '' },
        metadata: { theme: { colors: ['#fff', null, 1.5, { deep: [[]] }] } },
        source_data: { origin: 'elsewhere', raw: [true, null] },
      }),
    );
  });

  it('gets only ids for questions without one', () => {
    const pages = [
      {
        questions: [
          { type: 'text', title: 'Name' },
          { id: 'mine', type: 'text', title: 'Town' },
        ],
      },
    ];
    const given = surveyPayload({ pages });
    expect(completeDefinition(given, () => 'made')).toEqual(
      surveyPayload({ pages: [{ questions: [{ ...pages[0]?.questions[0], id: 'made' }, pages[0]?.questions[1]] }] }),
    );
  });
});

describe('translations', () => {
  it('are accepted for every text, as strings or by language', () => {
    accepted(translated);
  });
});

describe('logic of imports', () => {
  it.each(Object.entries(logicForms))('is accepted and kept in %s, with the same meaning', (_, logic) => {
    const { validate } = accepted(surveyPayload({ logic, sections }));
    expect(validate({ q1: 'yes', q2: 4 }).data).toEqual({ q1: 'yes', q2: 4 });
    expect(validate({ q1: 'yes' }).errors).toMatchObject([{ code: 'REQUIRED', question_id: 'q2' }]);
    expect(validate({ q1: 'no', q2: 4 })).toEqual({ data: { q1: 'no' }, errors: [], disqualified: false });
  });
});

describe('sections', () => {
  it.each(['question_ids', 'questions'])('are accepted with their questions under %s', (name) => {
    const logic = [
      { question_id: 's', conditions: [{ source_question: 'q1', operator: 'equals', value: 'yes', action: 'show' }] },
    ];
    const { validate } = accepted(
      surveyPayload({ sections: [{ id: 's', title: 'More', [name]: ['q2', 'q3'] }], logic }),
    );
    expect(validate({ q1: 'no', q2: 4, q3: 'x' }).data).toEqual({ q1: 'no' });
  });
});
