import { expect, it } from 'vitest';
import { readResponseFile, readSurveyFile, validateResponses } from '../testing/read-files.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readMicrosoftFormsResponses } from './responses.ts';
import { readMicrosoftFormsSurvey } from './survey.ts';

const headings = [
  'ID',
  'Begintijd',
  'Tijd van voltooien',
  'E-mail',
  'Naam',
  'Total points',
  'Dish?',
  'Points - Dish?',
  'Days?',
];
const rows = Array.from({ length: 12 }, (_, index) => [
  ...[index + 1, '2024-05-01T10:00:00', '2024-05-01T10:05:30', 'anonymous', '', index],
  ...[index % 2 === 0 ? 'Soup' : 'Pasta', 1, index % 3 === 0 ? 'Mo;Tu;' : 'Mo;'],
]);

it('makes a survey of a workbook, with its responses', async () => {
  const file = await writeXlsx({ Sheet1: [headings, ...rows] });
  const { questions, payload, responses, problems, warnings } = await readSurveyFile(readMicrosoftFormsSurvey, file);
  expect([problems, warnings]).toEqual([[], []]);
  expect([...questions.values()]).toMatchObject([
    { type: 'single_choice', title: 'Dish?', options: ['Soup', 'Pasta'] },
    { type: 'multiple_choice', title: 'Days?' },
  ]);
  const read = await Array.fromAsync(responses?.(() => {}) ?? []);
  expect(read[0]).toMatchObject({
    id: '1',
    completedAt: new Date('2024-05-01T10:05:30Z'),
    metadata: { email: 'anonymous', total_points: '0', 'Points - Dish?': '1' },
  });
  const { stored, failures } = validateResponses(read, payload);
  expect([stored.length, failures]).toEqual([12, []]);
  const again = await readResponseFile(readMicrosoftFormsResponses, file, payload);
  expect([again.stored, again.failures]).toEqual([stored, []]);
});
