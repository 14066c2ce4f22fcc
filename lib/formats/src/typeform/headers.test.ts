import { describe, expect, it } from 'vitest';
import { DETECT_ALL } from '../tables/table-options.ts';
import { fixture, readResponseFile, readSurveyFile } from '../testing/read-files.ts';
import { readTypeformTable } from './headers.ts';
import { readTypeformSurvey } from './survey.ts';

const form = readSurveyFile(readTypeformSurvey, fixture(import.meta.url, 'all-types.json'));

describe('a table of Typeform', () => {
  it('has the answers of a form, with other data as metadata', async () => {
    const { responses, stored, failures, warnings } = await readResponseFile(
      readTypeformTable,
      fixture(import.meta.url, 'responses.csv'),
      (await form).payload,
    );
    expect(failures).toEqual(['UNFINISHED in_progress']);
    expect(responses[0]).toMatchObject({
      index: 0,
      row: 2,
      id: 'l1',
      startedAt: new Date('2024-05-01T08:00:00Z'),
      completedAt: new Date('2024-05-01T08:04:30Z'),
      metadata: {
        network_id: 'n1',
        tags: 'new',
        ending: 'Make your own',
        campaign: 'spring',
        'A photo': 'https://api.typeform.com/1.jpg',
      },
    });
    expect(stored).toEqual([
      {
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
        f15: 5,
        f16: '2024-04-30',
        f18: { r1: 'm1', r2: 'm2' },
        f19: { k2: '1', k1: '2' },
        p1: 'Zoë',
        p2: 'zoe@example.com',
        g1: '40',
        f25_2: 'x',
      },
      expect.objectContaining({ f07: 'c2', f08: ['c3', 'c5'], f11: 'no' }),
    ]);
    expect(warnings.map(({ code, detail }) => `${code} ${detail.split(' is ')[0]}`)).toEqual([
      'KEPT_AS_METADATA The column A photo',
      'KEPT_AS_METADATA The column campaign',
    ]);
  });
});

/** A survey made by hand, with the texts of the tables below. */
const own = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Contact',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'how', type: 'multiple_choice', title: 'How?', options: ['E-mail', 'Phone'] },
          { id: 'when', type: 'multiple_choice', title: 'When?', options: ['Morning', 'Night'], allow_other: true },
          { id: 'else', type: 'multiple_choice', title: 'Or else?', options: ['Morning', 'Night'], allow_other: true },
          { id: 'phone', type: 'text', title: 'Phone' },
          { id: 'news', type: 'multiple_choice', title: 'News', options: ['Send me news'] },
          { id: 'sure', type: 'single_choice', title: 'Sure?', options: ['No', 'Yes'] },
          { id: 'desk', type: 'likert', title: 'At the desk', options: ['bad', 'good'], rows: ['Speed', 'Help'] },
        ],
      },
    ],
  },
};

describe('a table of Typeform for a survey made otherwise', () => {
  it('has choices as headings, even of several questions, and of another question', async () => {
    const text = [
      '#,E-mail,Phone,Morning,Night,Other,Morning,Night,Other,Phone,Send me news,Sure?,At the desk - Speed,At the desk - Help,Submit Date (UTC)',
      "a,,Phone,Morning,,,,Night,noon,'+49,Send me news,1,good,bad,2024-05-01 10:00:00",
      'b,,,,,never,,,,,,0,,,2024-05-01 10:00:00',
    ];
    const { stored, failures, warnings, responses } = await readResponseFile(readTypeformTable, text.join('\n'), own);
    expect([stored, failures, warnings]).toEqual([
      [
        {
          how: ['Phone'],
          when: ['Morning'],
          else: { options: ['Night'], other: 'noon' },
          phone: '+49',
          news: ['Send me news'],
          sure: 'Yes',
          desk: { Speed: 'good', Help: 'bad' },
        },
        { when: { options: [], other: 'never' }, sure: 'No' },
      ],
      [],
      [],
    ]);
    expect(responses).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  });

  it('can have several choices in a cell', async () => {
    const text = '#,How?,When?,Phone\na,"E-mail, Phone","Night, noon",1\n';
    expect(await readResponseFile(readTypeformTable, text, own)).toMatchObject({
      stored: [{ how: ['E-mail', 'Phone'], when: { options: ['Night'], other: 'noon' }, phone: '1' }],
      warnings: [],
    });
  });

  it('reads a column by its target in the option columns, not by its heading', async () => {
    const columns = [
      { heading: 'Sure?', target: 'phone' },
      { heading: 'Consent given', target: 'sure' },
    ];
    const text = '#,Sure?,Consent given\na,1,1\n';
    const { stored, warnings } = await readResponseFile(readTypeformTable, text, own, undefined, {
      ...DETECT_ALL,
      columns,
    });
    expect([stored, warnings]).toEqual([[{ phone: '1', sure: 'Yes' }], []]);
  });

  it('can have headings that look like positions of columns', async () => {
    const numbered = {
      ...own,
      survey: {
        ...own.survey,
        pages: [{ questions: ['#1', '#2'].map((title, at) => ({ id: `n${at}`, type: 'text', title })) }],
      },
    };
    const text = '#,Token,x,#1,#2\na,t,y,one,two\n';
    expect(await readResponseFile(readTypeformTable, text, numbered)).toMatchObject({
      stored: [{ n0: 'one', n1: 'two' }],
      responses: [{ metadata: { x: 'y' } }],
    });
  });

  it('has masked headings and cells', async () => {
    const named = (title: string, options: string[]) => ({
      ...own,
      survey: {
        ...own.survey,
        pages: [
          {
            questions: [
              { id: 'handle', type: 'text', title },
              { id: 'how', type: 'multiple_choice', title: 'How?', options },
            ],
          },
        ],
      },
    });
    const text = "#,'@handle,'+49,Mail\na,'@zoe,'+49,\n";
    expect(await readResponseFile(readTypeformTable, text, named('@handle', ['+49', 'Mail']))).toMatchObject({
      stored: [{ handle: '@zoe', how: ['+49'] }],
      warnings: [],
    });
  });

  it('keeps columns of deleted questions as metadata, with names of their own', async () => {
    const text = '#,Sure?,Colour,Colour,__proto__\na,1,red,blue,x\n';
    const { responses, warnings } = await readResponseFile(readTypeformTable, text, own);
    expect(responses).toMatchObject([{ metadata: { Colour: 'red', 'Colour (2)': 'blue' } }]);
    expect(warnings.map(({ code }) => code)).toEqual(['NOT_IMPORTED', 'KEPT_AS_METADATA', 'KEPT_AS_METADATA']);
  });
});
