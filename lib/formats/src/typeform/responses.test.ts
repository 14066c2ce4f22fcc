import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readTypeformResponses } from './responses.ts';
import { readTypeformSurvey } from './survey.ts';

const fixtureText = fixture(import.meta.url, 'responses.json').toString();
const form = readSurveyFile(readTypeformSurvey, fixture(import.meta.url, 'all-types.json'));
const read = async (contents: unknown) =>
  readResponseFile(readTypeformResponses, JSON.stringify(contents), (await form).payload);
const answer = (id: string, members: object) => ({ field: { id }, ...members });
const response = (...answers: object[]) => ({ response_id: 'r', submitted_at: '2024-01-01T00:00:00Z', answers });

describe('responses of Typeform', () => {
  it('become answers of all types, with other data as metadata', async () => {
    const { responses, failures, stored, warnings } = await read(JSON.parse(fixtureText));
    expect(responses[0]).toEqual({
      index: 0,
      id: 'l1',
      externalId: undefined,
      startedAt: new Date('2024-05-01T08:00:00Z'),
      completedAt: new Date('2024-05-01T08:04:30Z'),
      language: undefined,
      hasAnswersInMetadata: true,
      metadata: {
        user_agent: 'Mozilla/5.0',
        platform: 'mobile',
        referer: 'https://example.typeform.com/to/Ab3dEf',
        network_id: 'n1',
        browser: 'touch',
        hidden: { campaign: 'spring' },
        calculated: { score: 2 },
        files: { f17: 'https://api.typeform.com/responses/files/1/photo.jpg' },
      },
      answers: {
        f01: 'Zoë',
        f02: 'Fine.\nVery fine.',
        f03: 'zoe@example.com',
        f04: 'https://example.com',
        f05: '+493012345',
        f06: '2',
        f07: { option: 'other', text: 'Green' },
        f08: { options: ['c3'], other: 'Stew' },
        f09: 'c7',
        f10: 'c9',
        f11: 'yes',
        f12: 'decline',
        f13: 7,
        f14: 0,
        f15: 6,
        f16: '2024-04-30',
        f18: { r1: 'm1', r2: 'm2' },
        f19: { k2: '1', k1: '2' },
        p1: 'Zoë',
      },
      unassigned: [
        {
          column: 'gone',
          code: 'UNKNOWN_QUESTION',
          detail: 'the survey has no such question',
          value: 'no field any more',
        },
      ],
    });
    expect(stored).toHaveLength(1);
    const codes = ['UNFINISHED', 'UNFINISHED', 'NO_ANSWERS', 'BAD_TIME', 'WRONG_TYPE'];
    expect(failures.map((failure) => failure.split(' ')[0])).toEqual(codes);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'NOT_IMPORTED /items/0',
      'NOT_IMPORTED /items/0/answers/16',
      'NOT_IMPORTED /items/0/answers/21',
      'NOT_IMPORTED /items/3/answers/0',
    ]);
  });

  it('match their questions after all ids were renewed', async () => {
    let count = 0;
    const newId = () => {
      count += 1;
      return `n${count}`;
    };
    const { payload } = renewIds((await form).payload, newId);
    const { stored } = await readResponseFile(readTypeformResponses, fixtureText, payload);
    expect(stored.map((answers) => Object.keys(answers).length)).toEqual([19]);
  });

  it.each([
    ['an array of them', [response(answer('f01', { type: 'text', text: 'x' }))]],
    ['what was sent to a webhook', { form_response: response(answer('f01', { type: 'text', text: 'x' })) }],
    ['an array of that', [{ form_response: response(answer('f01', { type: 'text', text: 'x' })) }]],
    ['the file of a form', { form: {}, responses: { items: [response(answer('f01', { type: 'text', text: 'x' }))] } }],
  ])('are read from %s', async (_, contents) => {
    expect((await read(contents)).responses).toMatchObject([{ index: 0, id: 'r', answers: { f01: 'x' } }]);
  });

  it('of webhook events are located in their event', async () => {
    const events = [{ form_response: response(answer('gone', { type: 'text', text: 'x' })) }];
    expect((await read(events)).warnings).toMatchObject([{ path: '/0/form_response/answers/0' }]);
  });

  it('have no start without a time of landing, and no file without an address', async () => {
    const bare = { ...response(answer('f17', { type: 'file_url' })), landed_at: '0001-01-01T00:00:00Z' };
    const { responses } = await read([bare]);
    expect(responses).toMatchObject([{ startedAt: undefined, metadata: undefined }]);
    expect(responses[0]).not.toHaveProperty('hasAnswersInMetadata');
  });

  it('can have only a file', async () => {
    const { responses } = await read([
      response(answer('f17', { type: 'file_url', file_url: 'https://example.com/1' })),
    ]);
    expect(responses).toMatchObject([{ answers: {}, metadata: { files: { f17: 'https://example.com/1' } } }]);
  });

  it('lose too large metadata, with one warning', async () => {
    const talkative = { ...response(answer('f01', { type: 'text', text: 'x' })), hidden: { long: 'x'.repeat(20_000) } };
    const { responses, warnings } = await read([talkative, { ...talkative, response_id: 'r2' }]);
    expect(responses).toMatchObject([{ metadata: undefined }, { id: 'r2', metadata: undefined }]);
    expect(warnings).toMatchObject([{ path: '/0', code: 'NOT_IMPORTED' }]);
  });

  it('are rejected by validation if an answer is invalid', async () => {
    const { failures } = await read([
      response(answer('f07', { type: 'choice', choice: { label: 'Purple' } })),
      response(answer('f14', { type: 'number', number: 11 })),
      response(answer('f01', { type: 'text' }), answer('f03', { type: 'email', email: 'nobody' })),
    ]);
    const problems = failures.map((failure) => failure.split(' ').slice(0, 2).join(' '));
    expect(problems.filter((problem) => !problem.startsWith('REQUIRED'))).toEqual([
      'UNKNOWN_OPTION /data/f07',
      'OUT_OF_RANGE /data/f14',
      'BAD_FORMAT /data/f03',
    ]);
  });

  it('to a dropdown have the text of a choice, an "other", or an invalid answer', async () => {
    const withOther = { type: 'dropdown', properties: { choices: [{ label: 'Red' }], allow_other_choice: true } };
    const fields = [
      { id: 'd', title: 'D', type: 'dropdown', properties: { choices: [{ id: 'x1', label: 'Red' }] } },
      { id: 'o', title: 'O', ...withOther },
    ];
    const { payload } = await readSurveyFile(readTypeformSurvey, JSON.stringify({ title: 'T', fields }));
    const text = (id: string, given: string) => answer(id, { type: 'text', text: given });
    const contents = [
      response(text('d', 'Red'), text('o', 'Blue')),
      response(answer('o', { type: 'choice', choice: { other: '' } })),
      response(text('d', 'Blue')),
    ];
    const { stored, failures } = await readResponseFile(readTypeformResponses, JSON.stringify(contents), payload);
    expect(stored).toEqual([
      { d: 'x1', o: { option: 'other', text: 'Blue' } },
      { o: { option: 'other', text: 'Other' } },
    ]);
    expect(failures.map((failure) => failure.split(' ').slice(0, 2).join(' '))).toEqual(['UNKNOWN_OPTION /data/d']);
  });

  it('report a malformed answer, but no field without a name', async () => {
    const { responses, warnings } = await read({ items: [{ token: 't', answers: ['x', null] }] });
    expect(responses).toMatchObject([
      {
        unassigned: [
          { column: 'answers', code: 'NOT_AN_ANSWER', value: 'x' },
          { column: 'answers', code: 'NOT_AN_ANSWER', value: null },
        ],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('can be an empty list, but a file without a list is rejected', async () => {
    expect((await read({ items: [] })).responses).toEqual([]);
    expect(await rejectionOf(read({ total_items: 3 }))).toMatchObject([{ path: '', code: 'WRONG_TYPE' }]);
    expect(await rejectionOf(read('text'))).toMatchObject([{ path: '', code: 'WRONG_TYPE' }]);
  });
});
