import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { describe, expect, it } from 'vitest';
import { type AnswerPolicy, createFitResponse, type FittedResponse } from './fit.ts';
import type { ParsedResponse } from './response.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['de-AT'],
    pages: [
      {
        questions: [
          { id: 'ate', type: 'single_choice', title: 'Ate?', required: true, options: ['yes', 'no'] },
          { id: 'meals', type: 'multiple_choice', title: 'What?', options: ['soup', { id: 'fish', inactive: true }] },
          { id: 'taste', type: 'rating', title: 'How?', min: 1, max: 5 },
          { id: 'why', type: 'textarea', title: 'Why?', max_length: 50 },
        ],
      },
    ],
    logic: [
      {
        question_id: 'taste',
        action: 'show',
        conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes' }],
      },
    ],
  },
};
const KEEP: AnswerPolicy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false };
const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined, language: undefined };

function judge(given: Partial<ParsedResponse>, policy: Partial<AnswerPolicy> = {}) {
  const fit = createFitResponse({ payload, definition: compile(payload), policy: { ...KEEP, ...policy } });
  return fit({ index: 3, id: 'r', row: 5, answers: {}, metadata: undefined, ...nothing, ...given });
}
const omitted = (column: string, code: string, action: string) => expect.objectContaining({ column, code, action });

describe('a response whose answers all fit', () => {
  it.each(['keep', 'reject', 'blank'] as const)('is normalised and stored whole with %s', (onInvalidAnswer) => {
    const answers = { ate: 'yes', meals: ['fish', 'soup'], taste: '4', why: '' };
    expect(judge({ answers, metadata: { a: 1 } }, { onInvalidAnswer })).toMatchObject({
      index: 3,
      id: 'r',
      row: 5,
      answers: { ate: 'yes', meals: ['soup', 'fish'], taste: 4 },
      metadata: { a: 1 },
      omissions: [],
      lacksValues: false,
    });
  });
});

describe('an answer that does not fit', () => {
  const answers = { ate: 'yes', meals: ['soup', 'Pizza'], taste: 9, why: 'hungry', gone: 'x' };

  it('rejects its response with all problems, in the order of the survey', () => {
    const judged = judge({ answers: { meals: ['Pizza'], why: 'x'.repeat(51) } }, { onInvalidAnswer: 'reject' });
    expect(judged).toMatchObject({ code: 'INVALID_ANSWERS', column: 'ate' });
    expect('detail' in judged && judged.detail).toMatch(/^\/data\/ate REQUIRED: .*; \/data\/meals .*; \/data\/why /);
  });

  it('is kept in the metadata under its question', () => {
    const before = { source: 'x', invalid_answers: { earlier: 1 } };
    expect(judge({ answers, metadata: before })).toMatchObject({
      answers: { ate: 'yes', meals: ['soup'], why: 'hungry' },
      metadata: { source: 'x', invalid_answers: { earlier: 1, meals: ['Pizza'], taste: 9, gone: 'x' } },
      lacksValues: true,
      allowsMissing: true,
      omissions: [
        omitted('meals', 'UNKNOWN_OPTION', 'kept'),
        omitted('taste', 'OUT_OF_RANGE', 'kept'),
        omitted('gone', 'UNKNOWN_QUESTION', 'kept'),
      ],
    });
  });

  it('can be metadata that does not fit its field', () => {
    const fields = [
      { name: 'points', type: 'number', from: ['url'] },
      { name: 'campaign', type: 'string', max_length: 3, from: ['api'] },
    ];
    const judgeWith = (metadata: JsonObject, onInvalidAnswer: AnswerPolicy['onInvalidAnswer']) =>
      createFitResponse({
        payload: { ...payload, settings: { metadata_fields: fields } },
        definition: compile(payload),
        policy: { ...KEEP, onInvalidAnswer },
      })({ index: 3, id: 'r', answers: { ate: 'no' }, ...nothing, metadata });
    const metadata = { points: 'many', campaign: 'long', other: [1] };
    expect(judgeWith({ points: '5', campaign: 'abc' }, 'reject')).toMatchObject({ omissions: [] });
    expect(judgeWith(metadata, 'reject')).toMatchObject({ code: 'INVALID_ANSWERS', column: 'metadata.points' });
    expect(judgeWith(metadata, 'blank')).toMatchObject({ metadata: { other: [1] }, lacksValues: true });
    expect(judgeWith(metadata, 'keep')).toMatchObject({
      metadata: { other: [1], invalid_answers: { 'metadata.points': 'many', 'metadata.campaign': 'long' } },
      omissions: [omitted('metadata.points', 'WRONG_TYPE', 'kept'), omitted('metadata.campaign', 'TOO_LONG', 'kept')],
    });
  });

  it('is removed', () => {
    const judged = judge({ answers }, { onInvalidAnswer: 'blank' });
    const valid = { ate: 'yes', meals: ['soup'], why: 'hungry' };
    expect(judged).toMatchObject({ answers: valid, metadata: undefined, lacksValues: true });
    expect(judged).toMatchObject({ omissions: Array(3).fill(expect.objectContaining({ action: 'dropped' })) });
  });

  it('rejects its response, with all problems and no value', () => {
    const judged = judge({ answers }, { onInvalidAnswer: 'reject' });
    expect(judged).toEqual({
      index: 3,
      id: 'r',
      row: 5,
      code: 'INVALID_ANSWERS',
      column: 'gone',
      detail: expect.stringMatching(
        /^\/data\/gone UNKNOWN_QUESTION: .*; \/data\/meals UNKNOWN_OPTION: .*; \/data\/taste OUT_OF_RANGE: /,
      ),
    });
    expect(JSON.stringify(judged)).not.toMatch(/Pizza|hungry/);
  });

  it('is dropped if the metadata has no room for it', () => {
    const why = 'x'.repeat(9_000);
    const judged = judge({ answers: { ate: 'yes', taste: 9, why }, metadata: { a: 'x'.repeat(8_000) } });
    expect(judged).toMatchObject({ metadata: { invalid_answers: { taste: 9 } } });
    expect(judged).toMatchObject({
      omissions: [omitted('taste', 'OUT_OF_RANGE', 'kept'), omitted('why', 'TOO_LONG', 'dropped')],
    });
  });

  it('is kept beside a member of the file of the same name that is no object', () => {
    const metadata = { source: 'x', invalid_answers: 'two' };
    expect(judge({ answers, metadata })).toMatchObject({
      metadata: { source: 'x', invalid_answers: { invalid_answers: 'two', taste: 9 } },
    });
    const fitting = judge({ answers: { ate: 'yes' }, metadata });
    expect(fitting).toMatchObject({ metadata, omissions: [] });
    const full = judge({ answers, metadata: { a: 'x'.repeat(16 * 1024 - 40), invalid_answers: 'two' } });
    expect(full).toMatchObject({ metadata: { invalid_answers: 'two' } });
  });

  it('rejects its response if the metadata is too large with the new ids', () => {
    const renameColumns = (values: JsonObject) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}-${'y'.repeat(100)}`, value]));
    const fit = createFitResponse({ payload, definition: compile(payload), policy: KEEP, renameColumns });
    const metadata = { a: 'x'.repeat(16 * 1024 - 50), invalid_answers: { why: 1 } };
    const judged = fit({ index: 0, id: '', answers: { ate: 'yes' }, metadata, ...nothing });
    expect(judged).toMatchObject({ code: 'TOO_LARGE', column: 'metadata' });
  });

  it('is kept with the new ids of a survey, if they fit', () => {
    const renameColumns = (values: ParsedResponse['answers']) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [`new-${name}`.padEnd(20, '-'), value]));
    const fit = createFitResponse({ payload, definition: compile(payload), policy: KEEP, renameColumns });
    const judgeWith = (size: number) => {
      const metadata = { a: 'x'.repeat(size), invalid_answers: { why: 1 } };
      const given = { ate: 'yes', taste: 9 };
      return fit({ index: 0, id: '', answers: given, metadata, ...nothing });
    };
    const why = { 'new-why-------------': 1 };
    expect(judgeWith(1)).toMatchObject({
      metadata: { invalid_answers: { ...why, 'new-taste-----------': 9 } },
      omissions: [omitted('taste', 'OUT_OF_RANGE', 'kept')],
    });
    const full = judgeWith(16 * 1024 - 85);
    expect(full).toMatchObject({ omissions: [omitted('taste', 'OUT_OF_RANGE', 'dropped')] });
    expect(full).toMatchObject({ metadata: { invalid_answers: why } });
  });

  it('is reported by the reader in the same way', () => {
    const unread = [
      { kind: 'answer', name: 'ate', code: 'AMBIGUOUS_ANSWER', detail: 'could be two', value: '1' },
      { kind: 'response', name: 'submitted_at', code: 'BAD_TIME', detail: 'no time', value: 'noon' },
    ] as const;
    expect(judge({ unread, answers: { why: 'x' } })).toMatchObject({
      answers: { why: 'x' },
      metadata: { invalid_answers: { ate: '1', submitted_at: 'noon' } },
      omissions: [omitted('ate', 'AMBIGUOUS_ANSWER', 'kept'), omitted('submitted_at', 'BAD_TIME', 'kept')],
    });
    const question = [{ ...unread[0], name: 'language' }] as const;
    const rest = { answers: { why: 'x' } };
    expect(judge({ ...rest, unread: question, language: 'de-AT' })).toMatchObject({ language: 'de-AT' });
    const detail = [{ ...unread[1], name: 'ate' }] as const;
    expect(judge({ unread: detail })).toMatchObject({ omissions: [{}, omitted('ate', 'REQUIRED', 'missing')] });
    expect(judge({ unread: unread.slice(0, 1) }, { onInvalidAnswer: 'reject' })).toMatchObject({
      code: 'AMBIGUOUS_ANSWER',
      detail: 'could be two',
      column: 'ate',
    });
    expect(judge({ unread, answers: { meals: ['x'] } }, { onInvalidAnswer: 'reject' })).toMatchObject({
      code: 'INVALID_ANSWERS',
      detail: expect.stringMatching(
        /^ate AMBIGUOUS_ANSWER: .*; submitted_at BAD_TIME: .*; \/data\/meals UNKNOWN_OPTION/,
      ),
    });
  });
});

describe('a response of which no answer can be stored', () => {
  const unread = { kind: 'answer', name: 'ate', code: 'AMBIGUOUS_ANSWER', detail: 'could be two', value: '1' } as const;
  const unassigned = (code: string, more = {}) => ({
    unassigned: [{ column: 'Q11', code, detail: 'no such', ...more }],
  });

  it.each<[string, Partial<ParsedResponse>, column: string]>([
    ['unknown questions', { answers: { a: 1, b: '' } }, 'a'],
    ['invalid answers', { answers: { ate: 'perhaps', meals: ['Pizza'] } }, 'ate'],
    ['unread answers', { unread: [unread] }, 'ate'],
    ['values of unknown questions', unassigned('UNKNOWN_QUESTION', { value: 'x' }), 'Q11'],
    ['cells of unknown columns', unassigned('UNKNOWN_COLUMN', { keptAs: ['source_data', 'Q11'] }), 'Q11'],
    ['values that are no answers', unassigned('NOT_AN_ANSWER'), 'Q11'],
  ])('is rejected with %s', (_case, given, column) => {
    for (const onInvalidAnswer of ['keep', 'blank'] as const) {
      expect(judge(given, { onInvalidAnswer })).toEqual({
        ...{ index: 3, id: 'r', row: 5, code: 'NO_ANSWERS', column },
        detail: expect.stringContaining(`may belong to another survey: ${column} `),
      });
    }
    expect(judge({ ...given, status: 'in_progress' }, { partialResponses: 'completed' })).toMatchObject({
      code: 'NO_ANSWERS',
    });
  });

  it.each<[string, Partial<ParsedResponse>]>([
    ['has no values', {}],
    ['has only empty values', { answers: { why: '' }, ...unassigned('UNKNOWN_QUESTION', { value: [] }) }],
    ['has an answer that logic hides', { answers: { ate: 'perhaps', taste: 4 } }],
    ['is unfinished', { answers: { gone: 1 }, status: 'in_progress' }],
    ['has only an invalid time', { unread: [{ ...unread, kind: 'response' }] }],
    ['has only values that are known to be no answers', unassigned('UNKNOWN_COLUMN', { isNoAnswer: true })],
    ['has only an error in a cell of the metadata', unassigned('CELL_ERROR')],
    ['has only a value that another one replaces', unassigned('REPLACED')],
    ['has files in its metadata', { ...unassigned('UNKNOWN_QUESTION'), hasAnswersInMetadata: true }],
  ])('is stored if it %s', (_case, given) => {
    expect(judge(given)).toMatchObject({ answers: {} });
  });

  it('is rejected with its invalid answers first', () => {
    const policy = { onInvalidAnswer: 'reject' } as const;
    expect(judge({ answers: { ate: 'perhaps' } }, policy)).toMatchObject({ code: 'INVALID_ANSWERS' });
    const optional = { ...unassigned('UNKNOWN_COLUMN'), status: 'in_progress' } as const;
    expect(judge(optional, { ...policy, partialResponses: 'completed' })).toMatchObject({ code: 'NO_ANSWERS' });
  });
});

describe('an answer of which only a part fits', () => {
  const questions = [
    { id: 'ok', type: 'likert', title: 'Agree?', options: ['yes', 'no'], rows: ['fast', 'good'], required: true },
    { id: 'when', type: 'matrix', title: 'When?', rows: ['mon', 'tue'], columns: ['noon', 'night'], multiple: true },
    {
      id: 'some',
      type: 'multiple_choice',
      title: 'Which?',
      options: ['a', 'b', { id: 'none', exclusive: true }],
      allow_other: true,
    },
    { id: 'two', type: 'multiple_choice', title: 'Two', options: ['a', 'b', 'c'], min_selections: 2 },
    { id: 'more', type: 'textarea', title: 'More?' },
  ];
  const conditions = [{ source_question: 'some', operator: 'contains', value: 'a' }];
  const logic = [{ question_id: 'more', action: 'show', conditions }];
  const survey = { title: 'Parts', supported_languages: ['en'], pages: [{ questions }], logic };
  const parts = { ...payload, survey };
  const judgeParts = (answers: ParsedResponse['answers'], policy: Partial<AnswerPolicy> = {}) =>
    createFitResponse({ payload: parts, definition: compile(parts), policy: { ...KEEP, ...policy } })({
      index: 0,
      id: '',
      answers: { ok: { fast: 'yes', good: 'no' }, ...answers },
      metadata: undefined,
      ...nothing,
    });

  it.each([
    ['a row', { ok: { fast: 'maybe', good: 'no' } }, { ok: { good: 'no' } }, { 'ok[fast]': 'maybe' }],
    ['an unknown row', { ok: { slow: 'yes', good: 'no' } }, { ok: { good: 'no' } }, { ok: { slow: 'yes' } }],
    [
      'a choice in a row',
      { when: { mon: ['noon', 'x'], tue: ['night'] } },
      { when: { mon: ['noon'], tue: ['night'] } },
      { 'when[mon]': ['x'] },
    ],
    [
      'all choices in a row',
      { when: { mon: ['x'], tue: ['night'] } },
      { when: { tue: ['night'] } },
      { 'when[mon]': ['x'] },
    ],
    ['a choice', { some: ['b', 'x', 7] }, { some: ['b'] }, { some: ['x', 7] }],
    [
      'a choice beside other',
      { some: { options: ['x'], other: 'y' } },
      { some: { options: [], other: 'y' } },
      { some: ['x'] },
    ],
    ['the text of other', { some: { options: ['b'], other: 7 } }, { some: ['b'] }, { some: { other: 7 } }],
  ])('keeps the rest: %s', (_, answers, valid, invalid) => {
    const [[name, value] = ['', '']] = Object.entries(invalid);
    const judged = judgeParts(answers);
    expect(judged).toMatchObject({
      answers: valid,
      metadata: { invalid_answers: { [name]: value } },
      lacksValues: true,
      omissions: [{ column: name, action: 'kept' }],
    });
    expect(judgeParts(answers, { onInvalidAnswer: 'blank' })).toMatchObject({
      answers: valid,
      metadata: undefined,
      omissions: [{ column: name, action: 'dropped' }],
    });
    expect(judgeParts(answers, { onInvalidAnswer: 'reject' })).toMatchObject({ code: 'INVALID_ANSWERS' });
  });

  it.each([
    ['too few choices are left', { two: ['a', 'x'] }],
    ['the others do not fit together', { some: ['a', 'none', 'x'] }],
    ['nothing is left', { when: { mon: ['x'] } }],
    ['each part fits', { some: ['a', 'a'] }],
    ['it has another shape', { when: 'x' }],
  ])('moves as a whole if %s', (_, answers) => {
    const judged = judgeParts(answers);
    expect(judged).toMatchObject({ metadata: { invalid_answers: answers } });
    expect(judged).toMatchObject({ answers: { ok: { fast: 'yes', good: 'no' } }, omissions: [{ action: 'kept' }] });
  });

  it('decides with its valid part about other questions', () => {
    expect(judgeParts({ some: ['a', 'x'], more: 'y' })).toMatchObject({
      answers: { some: ['a'], more: 'y' },
      omissions: [omitted('some', 'UNKNOWN_OPTION', 'kept')],
    });
  });

  it('is divided too if the valid part of another answer shows its question', () => {
    const show = (id: string, source: string) => ({
      question_id: id,
      action: 'show',
      conditions: [{ source_question: source, operator: 'contains', value: 'a' }],
    });
    const choices = ['q1', 'q2', 'q3'].map((id) => ({ id, type: 'multiple_choice', title: id, options: ['a', 'b'] }));
    const chain = { ...survey, pages: [{ questions: choices }], logic: [show('q2', 'q1'), show('q3', 'q2')] };
    const shown = { ...parts, survey: chain };
    const judge = createFitResponse({ payload: shown, definition: compile(shown), policy: KEEP });
    const answers = { q1: ['a', 'x'], q2: ['a', 'y'], q3: ['b', 'z'] };
    expect(judge({ index: 0, id: '', answers, metadata: undefined, ...nothing })).toMatchObject({
      answers: { q1: ['a'], q2: ['a'], q3: ['b'] },
      metadata: { invalid_answers: { q1: ['x'], q2: ['y'], q3: ['z'] } },
    });
  });

  it('moves as a whole if the valid part of another answer hides its question', () => {
    const hidden = { ...parts, survey: { ...survey, logic: [{ question_id: 'two', action: 'hide', conditions }] } };
    const judge = createFitResponse({ payload: hidden, definition: compile(hidden), policy: KEEP });
    const answers = { ok: { fast: 'yes', good: 'no' }, some: ['a', 'x'], two: ['a', 'b', 'x'] };
    expect(judge({ index: 0, id: '', answers, metadata: undefined, ...nothing })).toMatchObject({
      answers: { some: ['a'] },
      metadata: { invalid_answers: { some: ['x'], two: ['a', 'b', 'x'] } },
      omissions: [omitted('some', 'UNKNOWN_OPTION', 'kept'), omitted('two', 'HIDDEN_QUESTION', 'kept')],
    });
  });
});

describe('an answer to a hidden question', () => {
  const answers = { ate: 'no', taste: 4 };

  it('is kept, or dropped, and never silently', () => {
    const judged = judge({ answers });
    expect(judged).toMatchObject({
      answers: { ate: 'no' },
      metadata: { invalid_answers: { taste: 4 } },
      lacksValues: true,
    });
    for (const onInvalidAnswer of ['reject', 'blank'] as const) {
      expect(judge({ answers }, { onInvalidAnswer })).toMatchObject({
        answers: { ate: 'no' },
        metadata: undefined,
        omissions: [omitted('taste', 'HIDDEN_QUESTION', 'dropped')],
      });
    }
  });
});

describe('a missing answer to a required question', () => {
  it('is reported, and only rejects the response with reject', () => {
    const answers = { why: 'x' };
    expect(judge({ answers })).toMatchObject({
      lacksValues: false,
      omissions: [omitted('ate', 'REQUIRED', 'missing')],
    });
    expect(judge({ answers }, { onInvalidAnswer: 'reject' })).toMatchObject({ code: 'INVALID_ANSWERS', column: 'ate' });
  });
});

describe('values that no question takes', () => {
  it('are reported, and kept if they are answers', () => {
    const unassigned = [
      { column: 'q9', code: 'UNKNOWN_QUESTION', detail: 'none', value: { a: 1 } },
      { column: 'Score', code: 'UNKNOWN_COLUMN', detail: 'none' },
      { column: 'tags', code: 'UNKNOWN_COLUMN', detail: 'none', keptAs: ['tags'] },
    ] as const;
    const columns = [omitted('Score', 'UNKNOWN_COLUMN', 'dropped'), omitted('tags', 'UNKNOWN_COLUMN', 'kept')];
    expect(judge({ answers: { ate: 'no' }, unassigned })).toMatchObject({
      metadata: { invalid_answers: { q9: { a: 1 } } },
      omissions: [omitted('q9', 'UNKNOWN_QUESTION', 'kept'), ...columns],
    });
    expect(judge({ answers: { ate: 'no' }, unassigned }, { onInvalidAnswer: 'reject' })).toMatchObject({
      metadata: undefined,
      omissions: [omitted('q9', 'UNKNOWN_QUESTION', 'dropped'), ...columns],
    });
    for (const one of unassigned)
      expect(judge({ answers: { ate: 'no' }, unassigned: [one] })).toMatchObject({ lacksValues: true });
  });
});

describe('an unfinished response', () => {
  const given = { status: 'in_progress', answers: { why: 'x' }, completedAt: new Date(0) } as const;

  it('stays unfinished, without a time of completion and without required answers', () => {
    for (const onInvalidAnswer of ['keep', 'reject'] as const) {
      const judged = judge(given, { onInvalidAnswer });
      expect(judged).toMatchObject({
        status: 'in_progress',
        completedAt: undefined,
        omissions: [],
        allowsMissing: true,
      });
    }
    expect(judge({ ...given, status: 'abandoned' })).toMatchObject({ status: 'abandoned' });
  });

  it('has one problem if its only time cannot be stored', () => {
    const completedAt = new Date(Date.UTC(12_000, 0, 1));
    const { omissions } = judge({ status: 'in_progress', answers: {}, completedAt }) as FittedResponse;
    expect(omissions).toMatchObject([{ column: 'completed_at', code: 'INVALID_TIME' }]);
  });

  it('becomes a completed one, or is left out', () => {
    const judged = judge(given, { partialResponses: 'completed', onInvalidAnswer: 'reject' });
    expect(judged).toMatchObject({ answers: { why: 'x' }, completedAt: new Date(0), allowsMissing: true });
    expect(judged).not.toHaveProperty('status');
    expect(judge(given, { partialResponses: 'leave_out' })).toEqual({ index: 3, id: 'r', row: 5, isLeftOut: true });
  });
});

describe('a preview, test or spam', () => {
  it('is left out, unless it is asked for', () => {
    const given = { isTest: true, answers: { ate: 'no' } };
    expect(judge(given)).toEqual({ index: 3, id: 'r', row: 5, isLeftOut: true });
    expect(judge(given, { includeTests: true })).toMatchObject({ answers: { ate: 'no' } });
  });
});

describe('other data of a response', () => {
  it.each([
    ['UNDECLARED_LANGUAGE', { language: 'fr' }],
    ['UNDECLARED_LANGUAGE', { language: 'x'.repeat(65) }],
    ['INVALID_TIME', { startedAt: new Date('+012026-01-01T00:00:00Z') }],
    ['INVALID_TIME', { completedAt: new Date('-000001-01-01T00:00:00Z') }],
  ])('is kept in the metadata, or rejected with %s %#', (code, given) => {
    const answers = { ate: 'no' };
    const detail = expect.stringMatching(/^the (?:language|times) must be/);
    expect(judge({ answers, ...given }, { onInvalidAnswer: 'reject' })).toMatchObject({ code, detail });
    const kept = judge({ answers, ...given });
    expect(kept).toMatchObject({ answers, omissions: [{ code, action: 'kept' }], ...nothing });
    expect(judge({ answers, language: 'DE-at' })).toMatchObject({ language: 'de-AT', omissions: [] });
  });

  it('is limited', () => {
    expect(judge({ answers: { ate: 'no' }, metadata: { a: 'x'.repeat(20_000) } })).toMatchObject({ code: 'TOO_LARGE' });
  });
});
