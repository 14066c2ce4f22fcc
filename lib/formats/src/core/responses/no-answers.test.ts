import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { expect, it } from 'vitest';
import { findResponseReader } from '../../sources.ts';
import { DETECT_ALL } from '../../tables/table-options.ts';
import { readResponsesToEnd } from '../../testing/read-to-end.ts';
import { createFitResponse } from './fit.ts';

/** A survey of a tool with a question of options, and one that takes numbers. */
const surveyOf = (source: string): JsonObject => {
  const item = (id: string) => ({ id, text: `Text of ${id}`, source_data: { source_id: id } });
  const named = (id: string, type: string) => ({ source_data: { source_id: id, export_tag: id, type, ref: id } });
  const questions = [
    { id: 'meal', type: 'single_choice', title: 'Meal', options: ['soup', 'rice'].map(item), ...named('meal', 'L') },
    { id: 'cups', type: 'text', format: 'integer', title: 'Cups', ...named('cups', 'N') },
  ];
  return {
    ...{ schema_version: '1.0', version: 1 },
    survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }], source_data: { source } },
  };
};

const typeform = (id: string, answers: readonly JsonObject[]) => ({
  ...{
    response_id: id,
    landed_at: '2026-03-02T10:00:00Z',
    submitted_at: '2026-03-02T10:05:00Z',
    answers: [...answers],
  },
});
const QUALTRICS = 'StartDate,EndDate,ResponseId,Finished';
const TIMES = '2026-03-02 10:00:00,2026-03-02 10:05:00';

/** For each tool, responses with a wrong answer, only with an unknown question, with no answer and with an answer. */
it.each([
  [
    'limesurvey',
    'csv',
    'id,submitdate,meal,cups,gone\n1,2026-03-02,bread,many,\n2,2026-03-02,,,x\n3,2026-03-02,,,\n4,2026-03-02,soup,many,x\n',
  ],
  [
    'limesurvey',
    'json',
    JSON.stringify({
      responses: [
        { id: 1, meal: 'bread' },
        { id: 2, gone: 'x' },
        { id: 3, meal: '' },
        { id: 4, meal: 'soup', gone: 'x' },
      ],
    }),
  ],
  [
    'qualtrics',
    'csv',
    `${QUALTRICS},meal,gone\nStart,End,Id,Finished,Meal,Gone\n${['9,', ',x', ',', 'Text of soup,x'].map((cells, index) => `${TIMES},${index + 1},True,${cells}\n`).join('')}`,
  ],
  ['custom', 'csv', 'id,Meal,Cups,Gone\n1,bread,many,\n2,,,x\n3,,,\n4,soup,many,x\n'],
  [
    'microsoft_forms',
    'csv',
    `ID,Start time,Completion time,Email,Name,Meal,Cups,Gone\n${['bread,many,', ',,x', ',,', 'Text of soup,many,x'].map((cells, index) => `${index + 1},${TIMES},a@example.com,A,${cells}\n`).join('')}`,
  ],
  [
    'typeform',
    'json',
    JSON.stringify({
      items: [
        typeform('1', [{ field: { id: 'meal', type: 'multiple_choice' }, type: 'choice', choice: { label: 'bread' } }]),
        typeform('2', [{ field: { id: 'gone', type: 'short_text' }, type: 'text', text: 'x' }]),
        typeform('3', []),
        typeform('4', [
          { field: { id: 'meal', type: 'multiple_choice' }, type: 'choice', choice: { id: 'soup', label: 'Soup' } },
          { field: { id: 'gone', type: 'short_text' }, type: 'text', text: 'x' },
        ]),
      ],
    }),
  ],
  [
    'surveyjs',
    'json',
    JSON.stringify([
      { id: '1', meal: 'bread' },
      { id: '2', gone: 'x' },
      { id: '3' },
      { id: '4', meal: 'soup', gone: 'x' },
    ]),
  ],
  [
    'xlsform',
    'json',
    JSON.stringify([{ _id: 1, meal: 'bread' }, { _id: 2, gone: 'x' }, { _id: 3 }, { _id: 4, meal: 'soup', gone: 'x' }]),
  ],
])('responses of %s in %s are rejected if none of their answers can be stored', async (source, format, text) => {
  const payload = surveyOf(source);
  const definition = compile(payload);
  const reader = findResponseReader({ source, format });
  if (reader === undefined) throw new Error('there is no reader');
  const { responses } = await readResponsesToEnd(reader, text, { payload, definition }, { table: DETECT_ALL });
  const policy = { onInvalidAnswer: 'keep', partialResponses: 'in_progress', includeTests: false } as const;
  const fit = createFitResponse({ payload, definition, policy });
  expect(responses.map(fit)).toMatchObject([
    { id: '1', code: 'NO_ANSWERS' },
    { id: '2', code: 'NO_ANSWERS' },
    { id: '3', answers: {} },
    { id: '4', answers: { meal: 'soup' }, lacksValues: true },
  ]);
});
