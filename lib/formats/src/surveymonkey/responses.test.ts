import { describe, expect, it } from 'vitest';
import { renewIds } from '../core/ids.ts';
import { fixture, readResponseFile, readSurveyFile, rejectionOf } from '../testing/read-files.ts';
import { readSurveyMonkeyResponses } from './responses.ts';
import { readSurveyMonkeySurvey } from './survey.ts';

const survey = readSurveyFile(readSurveyMonkeySurvey, fixture(import.meta.url, 'details.json'));
const text = fixture(import.meta.url, 'bulk.json').toString();
const read = async (contents: unknown) =>
  readResponseFile(readSurveyMonkeyResponses, JSON.stringify(contents), (await survey).payload);
const response = (...questions: object[]) => ({
  id: 'r',
  date_created: '2024-01-01T00:00:00Z',
  date_modified: '2024-01-01T00:00:00Z',
  pages: [{ questions }],
});

describe('responses of SurveyMonkey', () => {
  it('can repeat an answer very often', async () => {
    const answers = Array.from({ length: 50_000 }, () => ({ row_id: '151', choice_id: '152' }));
    const { responses } = await read({ data: [response({ id: '15', answers })] });
    expect(responses).toMatchObject([{ answers: { 15: { 151: { length: 50_000 } } } }]);
  });

  it('become answers of all types, with other data as metadata', async () => {
    const { responses, stored, failures, warnings } = await read(JSON.parse(text));
    expect(responses[0]).toMatchObject({
      index: 0,
      id: '9001',
      startedAt: new Date('2024-05-01T08:00:00Z'),
      completedAt: new Date('2024-05-01T08:30:00Z'),
      metadata: {
        collector_id: '77',
        collection_mode: 'default',
        total_time: 1800,
        ip_address: '192.0.2.7',
        custom_variables: { room: '4' },
        files: { 6: ['https://example.com/1'] },
      },
    });
    expect(stored).toEqual([
      {
        1: { option: 'other', text: 'Green' },
        2: '22',
        '2_comment': 'Too high',
        3: ['31', '33'],
        4: 'Zoë',
        5: 45,
        7: 'zoe@example.com',
        8: '1999-12-31',
        9: 'No.\nNothing.',
        '10_102': 'two',
        '11_111': '3',
        '11_112': '4',
        12: { 122: '124' },
        13: { 131: '134' },
        14: 3,
        15: { 151: ['152', '153'] },
        '15_comment': 'And at noon',
        16: { 161: '164', 162: '163' },
        '17_172': { 171: '174' },
        '17_175': { 171: '176' },
        '18_181_date': '2023-12-31',
        '18_181_time': '22:05',
        '19_191': '00:15',
        '20_201': 'Zoë',
        23: '233',
      },
    ]);
    const codes = ['UNFINISHED', 'BAD_STATUS', 'BAD_ANSWERS', 'NO_ANSWERS'];
    expect(failures.map((failure) => failure.split(' ')[0])).toEqual(codes);
    expect(warnings.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'NOT_IMPORTED /data/0',
      'NOT_IMPORTED /data/0/pages/0/questions/5',
      'NOT_IMPORTED /data/0/pages/1/questions/10',
      'NOT_IMPORTED /data/4/pages/0/questions/0',
    ]);
  });

  it('match their questions after all ids were renewed', async () => {
    let count = 0;
    const newId = () => {
      count += 1;
      return `n${count}`;
    };
    const { payload } = renewIds((await survey).payload, newId);
    const { stored } = await readResponseFile(readSurveyMonkeyResponses, text, payload);
    expect(stored.map((answers) => Object.keys(answers).length)).toEqual([25]);
  });

  it('are read from an array, and from a file with the survey', async () => {
    const one = response({ id: '9', answers: [{ text: 'x' }] });
    for (const contents of [[one], { survey: {}, responses: { data: [one] } }]) {
      expect((await read(contents)).responses).toMatchObject([{ index: 0, id: 'r', answers: { 9: 'x' } }]);
    }
  });

  it('are rejected by validation if an answer is invalid', async () => {
    const { failures } = await read([
      response({ id: '1', answers: [{ choice_id: 'no' }] }),
      response({ id: '8', answers: [{ text: 'yesterday' }] }),
      response({ id: '14', answers: [{ choice_id: 'no' }] }),
      response({ id: '12', answers: [{ row_id: 'no', choice_id: '123' }] }),
    ]);
    const problems = failures.map((failure) => failure.split(' ').slice(0, 2).join(' '));
    expect(problems.filter((problem) => !problem.startsWith('REQUIRED'))).toEqual([
      'UNKNOWN_OPTION /data/1',
      'BAD_FORMAT /data/8',
      'WRONG_TYPE /data/14',
      'UNKNOWN_ROW /data/12',
    ]);
  });

  it('can be partial, and previews', async () => {
    const one = response({ id: '9', answers: [{ text: 'x' }] });
    const { responses } = await read([
      { ...one, response_status: 'partial' },
      { ...one, collection_mode: 'preview' },
      { ...one, collection_mode: 'survey_preview' },
      { ...one, response_status: 'completed', collection_mode: 'default' },
    ]);
    expect(responses.map((read) => ['status' in read && read.status, 'isTest' in read])).toEqual([
      ['in_progress', false],
      [false, true],
      [false, true],
      [false, false],
    ]);
  });

  it('report answers to questions, rows and comments that the survey does not have', async () => {
    const { responses } = await read([
      response(
        { id: '1', answers: [{ choice_id: '11' }, { choice_id: '12' }] },
        { id: '9', answers: [{ text: 'x' }, { other_id: '5', text: 'y' }] },
        { id: '77', answers: [{ text: 'z' }] },
      ),
    ]);
    expect(responses).toMatchObject([
      {
        answers: { 1: ['11', '12'], 9: 'x' },
        unassigned: [
          { column: '9', code: 'NOT_AN_ANSWER', value: [{ other_id: '5', text: 'y' }] },
          { column: '77', code: 'UNKNOWN_QUESTION', value: [{ text: 'z' }] },
        ],
      },
    ]);
  });

  it('report malformed answers', async () => {
    const pages = [{ questions: [5, { id: '9', answers: [6] }] }];
    const { responses, warnings } = await read([{ ...response(), pages }]);
    expect(responses).toMatchObject([
      {
        unassigned: [
          { column: 'questions', code: 'NOT_AN_ANSWER', value: 5 },
          { column: '9', code: 'NOT_AN_ANSWER', value: [6] },
        ],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('with stars and a comment answer two questions', async () => {
    const stars = {
      ...{ id: '1', family: 'matrix', subtype: 'rating', headings: [{ heading: 'Stars' }] },
      answers: { rows: [{ id: '2', text: '' }], choices: [3, 4].map((id, weight) => ({ id, text: 'x', weight })) },
    };
    const answers = { ...stars.answers, other: { id: '5', text: 'Why?', is_answer_choice: false } };
    const details = { id: '1', title: 'T', pages: [{ id: '1', questions: [{ ...stars, answers }] }] };
    const { payload } = await readSurveyFile(readSurveyMonkeySurvey, JSON.stringify(details));
    const given = [
      { other_id: '5', text: 'So good' },
      { row_id: '2', choice_id: '4' },
    ];
    const contents = JSON.stringify([
      response({ id: '1', answers: given }),
      response({ id: '1', answers: given.slice(0, 1) }),
    ]);
    const { stored } = await readResponseFile(readSurveyMonkeyResponses, contents, payload);
    expect(stored).toEqual([{ 1: 1, '1_comment': 'So good' }, { '1_comment': 'So good' }]);
    const unknown = JSON.stringify([response({ id: '1', answers: [{ row_id: '2', choice_id: '5' }] })]);
    const { responses, failures } = await readResponseFile(readSurveyMonkeyResponses, unknown, payload);
    expect(responses).toMatchObject([{ answers: { 1: { choice_id: '5' } } }]);
    expect(failures).toEqual([expect.stringContaining('WRONG_TYPE')]);
  });

  it('have no file without one, and no address of a comment', async () => {
    const comment = { other_id: '9', text: 'See above' };
    const { responses } = await read([
      response({ id: '6', answers: [] }),
      response({ id: '6', answers: [comment, { download_url: 'https://example.com/1' }] }),
    ]);
    expect(responses[0]).not.toHaveProperty('hasAnswersInMetadata');
    expect(responses).toMatchObject([
      { metadata: undefined },
      { metadata: { files: { 6: ['https://example.com/1'] } }, hasAnswersInMetadata: true },
    ]);
  });

  it('have the comment only as an answer to the question for comments', async () => {
    const { responses } = await read([response({ id: '9', answers: [{ other_id: '99', text: 'No answer' }] })]);
    expect(responses).toMatchObject([{ unassigned: [{ column: '9', code: 'NOT_AN_ANSWER' }] }]);
    expect(responses[0]).toHaveProperty('answers', {});
  });

  it('keep a text without a time, so that validation rejects it', async () => {
    const { responses } = await read([response({ id: '19', answers: [{ row_id: '191', text: 'noon' }] })]);
    expect(responses).toMatchObject([{ answers: { '19_191': 'noon' } }]);
  });

  it('get a text for an empty "other"', async () => {
    const { responses } = await read([
      response({ id: '1', answers: [{ other_id: '13', text: '' }] }),
      response({ id: '3', answers: [{ other_id: '34' }, { choice_id: '31' }] }),
      response({ id: '2', answers: [{ other_id: '23', text: '' }, { choice_id: '21' }] }),
    ]);
    expect(responses.map((one) => 'answers' in one && one.answers)).toEqual([
      { 1: { option: 'other', text: 'Other' } },
      { 3: { options: ['31'], other: 'Other' } },
      { 2: '21' },
    ]);
  });

  it('keep quiz results without texts in the metadata, with one warning', async () => {
    const right = { is_correct: true, score: 1 };
    const wrong = { is_correct: false, score: 0 };
    const { responses, warnings } = await read([
      response(
        { id: '1', answers: [{ choice_id: '11', ...right }] },
        {
          id: '3',
          answers: [
            { choice_id: '31', ...right },
            { choice_id: '32', ...wrong },
          ],
        },
        { id: '9', answers: [{ text: 'Mine', tag_data: [], ...right }] },
        { id: '4', answers: [{ text: 'None', simple_text: 'None' }] },
      ),
      response({ id: '1', answers: [{ other_id: '13', text: 'Mine', ...wrong, mood: 'calm' }] }),
    ]);
    expect(responses.map((one) => 'metadata' in one && one.metadata)).toEqual([
      {
        quiz: {
          1: [{ choice_id: '11', ...right }],
          3: [
            { choice_id: '31', ...right },
            { choice_id: '32', ...wrong },
          ],
          9: [right],
        },
      },
      { quiz: { 1: [{ other_id: '13', ...wrong }] } },
    ]);
    expect(warnings.map(({ code, path, detail }) => `${code} ${path} ${detail}`)).toEqual([
      'NOT_IMPORTED /0/pages/0/questions/0 Quiz results are kept in the metadata of the response',
      'NOT_IMPORTED /1/pages/0/questions/0 The mood of an answer is not imported',
    ]);
  });

  it('with a time but no date leave the date unanswered', async () => {
    const { responses } = await read([
      response({ id: '18', answers: [{ row_id: '181', text: '10:05 PM' }] }),
      response({ id: '18', answers: [{ row_id: '181', text: '31/12/2023' }] }),
    ]);
    expect(responses.map((one) => 'answers' in one && one.answers)).toEqual([
      { '18_181_time': '22:05' },
      { '18_181_date': '2023-12-31' },
    ]);
  });

  it('can be an empty list, but a file without a list is rejected', async () => {
    expect((await read({ data: [] })).responses).toEqual([]);
    expect(await rejectionOf(read({ error: {} }))).toMatchObject([{ path: '', code: 'WRONG_TYPE' }]);
  });
});
