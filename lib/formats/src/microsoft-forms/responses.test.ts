import { describe, expect, it } from 'vitest';
import { DETECT_ALL } from '../tables/table-options.ts';
import { readResponseFile, rejectionOf } from '../testing/read-files.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readMicrosoftFormsResponses } from './responses.ts';

const payload = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Canteen',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'name', type: 'text', title: 'Name' },
          { id: 'meal', type: 'single_choice', title: 'Main dish?', options: ['Soup', 'Pasta'], allow_other: true },
          {
            id: 'days',
            type: 'multiple_choice',
            title: 'Days?',
            options: ['Mo', 'Tu; not late', 'We'],
            allow_other: true,
          },
          { id: 'stars', type: 'rating', title: 'Stars?', max: 5 },
          { id: 'agree', type: 'likert', title: 'Do you agree?', options: ['no', 'yes'], rows: ['Fast', 'Good'] },
          { id: 'since', type: 'date', title: 'Since' },
          { id: 'why', type: 'textarea', title: 'Why?' },
          { id: 'again', type: 'textarea', title: 'Why?' },
        ],
      },
    ],
  },
};
const read = (contents: string | Uint8Array, table = DETECT_ALL) =>
  readResponseFile(readMicrosoftFormsResponses, contents, payload, undefined, table);

const own = ['ID', 'Start time', 'Completion time', 'Email', 'Name'];
const questions = [
  'Name2',
  'Main dish?',
  'Days?',
  'Stars?',
  'Do you agree?.Fast',
  'Do you agree?.Good',
  'Since',
  'Why?',
  'Why?2',
];
const row = [7, '2024-05-01T10:00:00', '2024-05-01T10:05:30', 'anonymous', 'Zoë'];
const cells = ['Z.', 'Soup', 'Mo;Tu; not late;', 4, 'yes', 'no', '2024-02-29', 'x', 'y'];

describe('a workbook of Microsoft Forms', () => {
  it('has answers of all kinds, and other data as metadata', async () => {
    const headings = [...own, 'Total points', 'Quiz feedback', ...questions, 'Points - Main dish?'];
    const { responses, stored, failures, warnings } = await read(
      await writeXlsx({
        Sheet1: [
          headings,
          [...row, 3, '', ...cells, 1],
          [8, '', '2024-05-01T11:00:00', 'anonymous', '', '', '', '', 'Stew', 'We;Sunday;', '', '', '', '', '', ''],
        ],
      }),
    );
    expect([stored, failures]).toEqual([
      [
        {
          name: 'Z.',
          meal: 'Soup',
          days: ['Mo', 'Tu; not late'],
          stars: 4,
          agree: { Fast: 'yes', Good: 'no' },
          since: '2024-02-29',
          why: 'x',
          again: 'y',
        },
        { meal: { option: 'other', text: 'Stew' }, days: { options: ['We'], other: 'Sunday' } },
      ],
      [],
    ]);
    expect(responses[0]).toMatchObject({
      id: '7',
      startedAt: new Date('2024-05-01T10:00:00Z'),
      completedAt: new Date('2024-05-01T10:05:30Z'),
      metadata: { email: 'anonymous', name: 'Zoë', total_points: '3', 'Points - Main dish?': '1' },
    });
    expect(responses[0]).not.toHaveProperty('unassigned');
    expect(warnings.map(({ code }) => code)).toEqual(['TIME_ZONE_ASSUMED']);
  });

  it('is read in other languages, and with only the rows as headings', async () => {
    const dutch = ['ID', 'Begintijd', 'Tijd van voltooien', 'E-mail', 'Naam', 'Main dish?', 'Fast', 'Good'];
    const { responses, stored, warnings } = await read(
      await writeXlsx({ Blad1: [dutch, [...row, 'Pasta', 'yes', 'yes']] }),
    );
    expect(stored).toEqual([{ meal: 'Pasta', agree: { Fast: 'yes', Good: 'yes' } }]);
    expect(warnings.filter(({ code }) => code === 'COLUMN_GUESSED')).toHaveLength(4);
    expect(responses).toMatchObject([
      { completedAt: new Date('2024-05-01T10:05:30Z'), metadata: { email: 'anonymous', name: 'Zoë' } },
    ]);
  });

  it('has the column of a question if the one about the account was removed', async () => {
    const { responses, stored } = await read('ID,Name,Stars?\n1,Zoë,5\n');
    expect([stored, responses]).toMatchObject([[{ name: 'Zoë', stars: 5 }], [{ id: '1', metadata: undefined }]]);
  });

  it('is read as CSV, and asks for the order of dates if they are ambiguous', async () => {
    const text = `${[...own, 'Stars?'].join(',')}\n1,3/2/26 10:00:00,3/2/26 10:05:00,,,5\n`;
    const [problem] = await rejectionOf(read(text));
    expect(problem?.code).toBe('AMBIGUOUS_DATE');
    const { responses } = await read(text, { ...DETECT_ALL, dateFormat: 'MM/DD/YY' });
    expect(responses).toMatchObject([{ completedAt: new Date('2026-03-02T10:05:00Z') }]);
  });
});
