import { expect, it } from 'vitest';
import { questionsOf } from '../core/source-questions.ts';
import { DETECT_ALL } from '../tables/table-options.ts';
import { readResponseFile, readSurveyFile, validateResponses } from '../testing/read-files.ts';
import { readSurveyToEnd } from '../testing/read-to-end.ts';
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
  expect(problems).toEqual([]);
  expect(warnings).toMatchObject(
    ['started_at', 'submitted_at', 'metadata.email', 'metadata.name'].map((target, at) => ({
      code: 'COLUMN_GUESSED',
      detail: expect.stringContaining(`${headings[at + 1]} becomes ${target}`),
    })),
  );
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

it.each(['ID,Start time,Completion time', 'ID,Completion time', 'ID,Email,Name'])(
  'makes questions of all other columns after %s',
  async (own) => {
    const text = `${own},How was it?,Why?,Again?\n${'1,'.repeat(own.split(',').length)}good,x,yes\n`;
    const { questions, warnings } = await readSurveyFile(readMicrosoftFormsSurvey, text);
    expect([...questions.values()]).toMatchObject([{ title: 'How was it?' }, { title: 'Why?' }, { title: 'Again?' }]);
    expect(warnings.map(({ code }) => code)).not.toContain('COLUMN_GUESSED');
  },
);

it('makes a question of a column at the position of a name, if columns says so', async () => {
  const text = 'ID,Begintijd,Voltooid,Hoe?,Waarom?\n1,2024-05-01T10:00:00,2024-05-01T10:05:30,goed,x\n';
  const columns = [
    { heading: 'Hoe?', target: 'text' },
    { heading: '#5', target: 'text' },
  ];
  const { payload, warnings } = await readSurveyToEnd(readMicrosoftFormsSurvey, text, {
    table: { ...DETECT_ALL, columns },
  });
  expect(questionsOf(payload)).toMatchObject([{ title: 'Hoe?' }, { title: 'Waarom?' }]);
  expect(warnings.filter(({ code }) => code === 'COLUMN_GUESSED')).toHaveLength(2);
});

it('finds points and feedback by position, even if a question has the heading of a position', async () => {
  const headings = ['ID', 'Completion time', '#1', 'Points - #1', '#4', 'Feedback - #1', '#6'];
  const text = `${headings.join()}\n1,2024-05-01T10:05:30,a,3,b,Well done,c\n`;
  const { questions, responses } = await readSurveyFile(readMicrosoftFormsSurvey, text);
  expect([...questions.values()].map(({ title }) => title)).toEqual(['#1', '#4', '#6']);
  expect(await Array.fromAsync(responses?.(() => {}) ?? [])).toMatchObject([
    { id: '1', metadata: { 'Points - #1': '3', 'Feedback - #1': 'Well done' } },
  ]);
});

it('lets columns decide about points', async () => {
  const text = 'ID,Completion time,Dish?,Points - Dish?\n1,2024-05-01T10:05:30,Soup,3\n';
  const table = { ...DETECT_ALL, columns: [{ heading: 'Points - Dish?', target: 'text' }] };
  const { payload } = await readSurveyToEnd(readMicrosoftFormsSurvey, text, { table });
  expect(questionsOf(payload)).toMatchObject([{ title: 'Dish?' }, { title: 'Points - Dish?' }]);
});

it('keeps points of questions whose titles begin alike', async () => {
  const long = `How much do you agree with the statement about ${'x'.repeat(80)}`;
  const own = 'ID,Start time,Completion time,Email,Name';
  const text = `${own},${long} 1,Points - ${long} 1,${long} 2,Points - ${long} 2\n1,,,,,yes,4,no,5\n`;
  const { questions, responses } = await readSurveyFile(readMicrosoftFormsSurvey, text);
  expect(questions.size).toBe(2);
  const [response] = await Array.fromAsync(responses?.(() => {}) ?? []);
  const metadata = response !== undefined && 'metadata' in response ? response.metadata : {};
  expect(Object.values(metadata ?? {})).toEqual(['4', '5']);
});
