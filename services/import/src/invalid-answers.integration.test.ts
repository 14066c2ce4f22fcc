import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

const CHOICE = { type: 'single_choice', title: 'Meal?', options: ['Soup', 'Pasta'] };
const SURVEY = {
  title: 'Canteen',
  questions: [
    { id: 'meal', ...CHOICE, required: true },
    { id: 'since', type: 'date', title: 'Since?' },
    { id: 'why', type: 'textarea', title: 'Why?' },
  ],
};
/** Four rows: a valid one, one with two invalid answers, one without a required answer, and an unfinished one. */
const TABLE =
  'id,status,meal,since,why,other\n1,,Soup,2024-02-29,a,x\n2,,Pizza,someday,b,\n3,,,,c,\n4,in_progress,,,d,y\n';
const TWO_FAULTS = {
  row: 3,
  code: 'INVALID_ANSWERS',
  detail: expect.stringMatching(/meal UNKNOWN_OPTION.*since BAD_FORMAT/),
};

let app: TestApp;
beforeAll(async () => {
  app = await startImportApp();
});
afterAll(() => app.close());

async function makeSurvey() {
  const tenantId = crypto.randomUUID();
  const body = JSON.stringify({ survey: SURVEY });
  const made = await app.send('/surveys/import?source=custom&format=json', body, { tenantId });
  const path = `/surveys/${made.body.id}/responses/import?format=csv`;
  const stored = () =>
    [...app.fakes.responses.values()]
      .filter((response) => response.tenantId === tenantId)
      .map(({ externalId, data, metadata, status }) => ({ externalId, data, metadata, status }));
  const send = async (query: string, prefer = '') => {
    const headers = prefer === '' ? {} : { prefer };
    const { body: report } = await app.send(`${path}${query}`, TABLE, { tenantId, headers });
    const { id: _id, ...rest } = report;
    return rest;
  };
  return { tenantId, send, stored };
}

describe('answers that do not fit', () => {
  it.each([
    ['', { imported: 2, imported_in_part: 2, failed: 2 }],
    ['&on_invalid_answer=reject', { imported: 2, imported_in_part: 2, failed: 2 }],
    ['&on_invalid_answer=keep', { imported: 4, imported_in_part: 3, failed: 0 }],
    ['&on_invalid_answer=blank', { imported: 4, imported_in_part: 3, failed: 0 }],
  ])('are counted with %j, and the dry run says the same', async (query, counts) => {
    const { send, stored } = await makeSurvey();
    const dry = await send(`${query}&dry_run=true`);
    expect(stored()).toEqual([]);
    const real = await send(query);
    expect(dry).toEqual(real);
    expect(real).toMatchObject({ total: 4, skipped: 0, left_out: 0, ...counts });
    if (counts.failed > 0) expect(real.errors).toMatchObject([TWO_FAULTS, { row: 4, column: 'meal' }]);
    expect(JSON.stringify(real)).not.toMatch(/Pizza|someday/);
  });

  it('are kept in the metadata, with their positions in the report', async () => {
    const { send, stored } = await makeSurvey();
    const { omissions } = await send('&on_invalid_answer=keep');
    expect(omissions).toMatchObject([
      {
        column: 'other',
        code: 'UNKNOWN_COLUMN',
        action: 'dropped',
        count: 2,
        examples: [{ row: 2 }, { index: 3, row: 5 }],
      },
      { column: 'meal', code: 'UNKNOWN_OPTION', action: 'kept', count: 1, examples: [{ index: 1, row: 3 }] },
      { column: 'since', code: 'BAD_FORMAT', action: 'kept', count: 1 },
      { column: 'meal', code: 'REQUIRED', action: 'missing', count: 1, examples: [{ row: 4 }] },
    ]);
    const invalid = { meal: 'Pizza', since: 'someday' };
    expect(stored()).toEqual([
      {
        externalId: '1',
        data: { meal: 'Soup', since: '2024-02-29', why: 'a' },
        metadata: undefined,
        status: 'completed',
      },
      { externalId: '2', data: { why: 'b' }, metadata: { invalid_answers: invalid }, status: 'completed' },
      { externalId: '3', data: { why: 'c' }, metadata: undefined, status: 'completed' },
      { externalId: '4', data: { why: 'd' }, metadata: undefined, status: 'in_progress' },
    ]);
    expect(await send('&on_invalid_answer=keep')).toMatchObject({ imported: 0, imported_in_part: 0, skipped: 4 });
    const dry = await send('&on_invalid_answer=keep&dry_run=true');
    expect(dry).toMatchObject({ imported: 0, imported_in_part: 0, skipped: 4, failed: 0 });
    expect(dry).toEqual(await send('&on_invalid_answer=keep'));
  });

  it('can be metadata that does not fit its field', async () => {
    const tenantId = crypto.randomUUID();
    const settings = { metadata_fields: [{ name: 'points', type: 'number', from: ['link'] }] };
    const body = JSON.stringify({ survey: SURVEY, settings });
    const made = await app.send('/surveys/import?source=custom&format=json', body, { tenantId });
    const query = new URLSearchParams({ format: 'csv', columns: '{"Points": "metadata.points"}' });
    const table = 'id,meal,Points\n1,Soup,5\n2,Soup,many\n';
    const send = async (policy: string) =>
      (await app.send(`/surveys/${made.body.id}/responses/import?${query}${policy}`, table, { tenantId })).body;
    expect(await send('')).toMatchObject({
      imported: 1,
      errors: [{ row: 3, column: 'metadata.points', code: 'WRONG_TYPE' }],
    });
    expect(await send('&on_invalid_answer=keep')).toMatchObject({
      imported: 1,
      skipped: 1,
      omissions: [{ column: 'metadata.points', code: 'WRONG_TYPE', action: 'kept' }],
    });
  });

  it('are counted by jobs in the same way', async () => {
    const { send } = await makeSurvey();
    const job = await send('&on_invalid_answer=keep', 'respond-async, wait=20');
    expect(job).toMatchObject({ status: 'completed', total: 4, imported: 4, imported_in_part: 3, left_out: 0 });
    expect(job).toMatchObject({
      progress: { imported_in_part: 3 },
      omissions: [{ count: 2 }, {}, {}, { action: 'missing' }],
    });
  });

  it.each([
    ['completed', { imported: 2, left_out: 0 }, ['completed', 'completed']],
    ['leave_out', { imported: 1, left_out: 1 }, ['completed']],
  ])('and unfinished responses can become %s', async (partial, counts, statuses) => {
    const { send, stored } = await makeSurvey();
    expect(await send(`&partial_responses=${partial}`)).toMatchObject({ total: 4, failed: 2, ...counts });
    expect(stored().map(({ status }) => status)).toEqual(statuses);
  });
});

describe('a file of another tool', () => {
  const question = (questionId: string, members: object) => ({
    itemId: questionId,
    title: questionId,
    questionItem: { question: { questionId, ...members } },
  });
  const form = {
    formId: 'F',
    info: { title: 'T' },
    items: [
      question('q1', { choiceQuestion: { type: 'RADIO', options: [{ value: 'Red' }] } }),
      question('q2', { textQuestion: {} }),
    ],
  };
  const answersOf = (given: Record<string, string>) =>
    Object.fromEntries(Object.entries(given).map(([id, value]) => [id, { textAnswers: { answers: [{ value }] } }]));
  const responses = [
    { responseId: 'g2', createTime: '2024-01-01T10:00:00Z', answers: answersOf({ q1: 'Redd', q2: 'b' }) },
  ];
  const file = JSON.stringify({ form, responses: { responses } });

  it.each([true, false])('keeps answers to an option that was reworded, with preserve_ids=%s', async (preserve) => {
    const tenantId = crypto.randomUUID();
    const path = `/surveys/import?source=google_forms&format=json&preserve_ids=${preserve}`;
    const { body: survey } = await app.send(path, file, { tenantId });
    expect(survey.import).toMatchObject({ imported: 1, imported_in_part: 1, failed: 0 });
    const questions = survey.definition.pages[0].questions;
    const [one, two] = questions.map(({ id }: { readonly id: string }) => id);
    const [stored] = [...app.fakes.responses.values()].filter((response) => response.tenantId === tenantId);
    expect(stored).toMatchObject({ data: { [two]: 'b' }, metadata: { invalid_answers: { [one]: 'Redd' } } });
  });

  it.each([true, false])('keeps rows with the ids of the survey, with preserve_ids=%s', async (preserve) => {
    const tenantId = crypto.randomUUID();
    const rows = ['fast', 'good'].map((id) => ({ id, text: id }));
    const options = ['no', 'yes'].map((id) => ({ id, text: id }));
    const agree = { id: 'agree', type: 'likert', title: 'Agree', rows, options };
    const given = [{ id: '1', submitted_at: '2024-01-01T10:00:00Z', data: { agree: { fast: 'yes', good: 'maybe' } } }];
    const path = `/surveys/import?source=custom&format=json&on_invalid_answer=keep&preserve_ids=${preserve}`;
    const whole = JSON.stringify({ survey: { title: 'T', questions: [agree] }, responses: given });
    const { body: survey } = await app.send(path, whole, { tenantId });
    const [question] = survey.definition.pages[0].questions;
    const [fast, good] = question.rows.map(({ id }: { readonly id: string }) => id);
    const [stored] = [...app.fakes.responses.values()].filter((response) => response.tenantId === tenantId);
    expect(stored).toMatchObject({
      data: { [question.id]: { [fast]: question.options[1].id } },
      metadata: { invalid_answers: { [`${question.id}[${good}]`]: 'maybe' } },
    });
  });

  it('can reject them', async () => {
    const tenantId = crypto.randomUUID();
    const path = '/surveys/import?source=google_forms&format=json&on_invalid_answer=reject';
    const { body: survey } = await app.send(path, file, { tenantId });
    expect(survey.import).toMatchObject({ imported: 0, failed: 1 });
  });
});
