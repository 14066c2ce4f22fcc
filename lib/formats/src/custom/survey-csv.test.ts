import type { JsonObject } from '@bufbuild/protobuf';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { AppError } from '@survey/runtime/errors/app-error';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSurveyToEnd } from '../testing/read-to-end.ts';
import { writeXlsx } from '../testing/write-xlsx.ts';
import { readCustomCsvSurvey } from './survey-csv.ts';

const HEADER = 'question_id,question_type,question_title,question_required,question_options,logic_conditions';
const read = (...lines: readonly string[]) => readText(lines.join('\n'));
const readText = (text: string, title = '') => readSurveyToEnd(readCustomCsvSurvey, text, { title });
const questionsOf = async (...lines: readonly string[]) => {
  const survey = (await read(...lines)).payload['survey'] as {
    pages: [{ questions: JsonObject[] }];
    logic?: JsonObject[];
  };
  return survey.pages[0].questions;
};
const detailsOf = async (...lines: readonly string[]) => {
  try {
    await read(...lines);
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_IMPORT') return error.errors.map(({ detail }) => detail);
    throw error;
  }
  throw new Error('nothing was thrown');
};

describe('custom CSV', () => {
  it('becomes a survey with a question for each row', async () => {
    const { payload, warnings } = await read(
      HEADER,
      'q1,single_choice,"Do you, ""ever""?",true,Yes|No \\| never,',
      'q2,rating,How much?,false,1-5,q1:equals:Yes;q1:is_answered',
      ',text,Why?,,,',
    );
    expect(payload).toEqual({
      schema_version: '1.0',
      version: 1,
      survey: {
        title: 'Imported survey',
        supported_languages: ['en'],
        pages: [
          {
            questions: [
              {
                id: 'q1',
                type: 'single_choice',
                title: 'Do you, "ever"?',
                required: true,
                options: ['Yes', 'No | never'],
              },
              { id: 'q2', type: 'rating', title: 'How much?', required: false, min: 1, max: 5 },
              { type: 'text', title: 'Why?', required: false },
            ],
          },
        ],
        logic: [
          {
            question_id: 'q2',
            conditions: [
              { source_question: 'q1', operator: 'equals', value: 'Yes', action: 'show' },
              { source_question: 'q1', operator: 'is_answered', action: 'show' },
            ],
          },
        ],
      },
    });
    expect(warnings).toEqual([]);
    expect(checkShape(payload)).toEqual([]);
    expect(compile(payload).lint.errors).toEqual([]);
  });

  it('reads a byte order mark, either line end, and line ends in quotes', async () => {
    const { payload } = await readText(`\uFEFF${HEADER}\r\nq1,text,"Why\r\nnot?",no,,\nq2,text,How?,yes,,\r\n`, 'Own');
    expect(payload['survey']).toMatchObject({
      title: 'Own',
      pages: [
        {
          questions: [
            { id: 'q1', title: 'Why\r\nnot?' },
            { id: 'q2', required: true },
          ],
        },
      ],
    });
  });

  it('accepts columns in any order, or in the fixed order without a header', async () => {
    expect(await questionsOf('Question_Title,QUESTION_TYPE , question_id', 'Why?,text,a')).toEqual([
      { id: 'a', type: 'text', title: 'Why?', required: false },
    ]);
    expect(await questionsOf('a,text,Why?', '', ',,,,,', 'b,date,When?,1')).toMatchObject([
      { id: 'a', title: 'Why?' },
      { id: 'b', required: true },
    ]);
  });

  it('reads ranges as options if the type has options', async () => {
    expect(await questionsOf('a,multiple_choice,T,,1-5,')).toMatchObject([{ options: ['1-5'] }]);
    expect(await questionsOf('a,rating,T,,-2 - 2,')).toMatchObject([{ min: -2, max: 2 }]);
    expect(await questionsOf('a,rating,T,,1|2|3,')).toMatchObject([{ options: ['1', '2', '3'] }]);
  });

  it('splits conditions at the first two colons, and lists at bars', async () => {
    const { payload } = await read('a,text,T,,,', 'b,text,T,,,a:equals:x:y:z', 'c,text,T,,,a:in:u|v;');
    expect((payload['survey'] as JsonObject)['logic']).toMatchObject([
      { conditions: [{ value: 'x:y:z' }] },
      { conditions: [{ value: ['u', 'v'] }] },
    ]);
  });

  it('removes only apostrophes before formulas', async () => {
    const { payload } = await read(HEADER, "'-1,text,'=1+1,,,", "''+2,single_choice,'quoted',,'-|+,'-1:equals:'=x");
    expect(payload['survey']).toMatchObject({
      pages: [
        {
          questions: [
            { id: '-1', title: '=1+1' },
            { id: "'+2", title: "'quoted'", options: ['-', '+'] },
          ],
        },
      ],
      logic: [{ question_id: "'+2", conditions: [{ source_question: '-1', value: "'=x" }] }],
    });
  });

  it('keeps unknown columns and options in source_data, with warnings', async () => {
    const lines = [`${HEADER},note`, 'a,date,T,,1|2,,x', 'b,text,T,,,,'];
    expect(await questionsOf(...lines)).toEqual([
      { id: 'a', type: 'date', title: 'T', required: false, source_data: { note: 'x', question_options: '1|2' } },
      { id: 'b', type: 'text', title: 'T', required: false },
    ]);
    expect((await read(...lines)).warnings.map(({ path, detail }) => [path, detail])).toEqual([
      ['', 'The column note has no equivalent and is kept in source_data of the questions'],
      ['', 'row 2, column question_options: date takes no options; they are kept in source_data'],
    ]);
  });

  it('keeps cells below an empty heading, and warns only if there are some', async () => {
    const header = 'question_type,question_title,,column 3,,note';
    const { payload, warnings } = await read(header, 'text,T,x,y,,', 'text,U,,,,z');
    expect(warnings.map(({ detail }) => detail.split(' has ')[0])).toEqual([
      'The column column 3_',
      'The column column 3',
      'The column note',
    ]);
    expect(payload).toMatchObject({
      survey: { pages: [{ questions: [{ source_data: { 'column 3_': 'x', 'column 3': 'y' } }, {}] }] },
    });
  });

  it('reports all errors at once, with row and column', async () => {
    expect(
      await detailsOf(
        HEADER,
        'a,slider,T,,,',
        '',
        'b,text,,maybe,,',
        'c,single_choice,T,,x||y,',
        ',text,T,,,a:equals:x',
        'd,text,T,,,a:resembles:x;a;a:equals;a:is_answered:x',
        'e,text,T,,,,more',
      ),
    ).toEqual([
      expect.stringMatching(/^row 2, column question_type: the type must be one of single_choice/),
      'row 4, column question_title: the title is empty',
      'row 4, column question_required: the value must be true or false',
      'row 5, column question_options: an option is empty',
      'row 6, column question_id: a question with conditions needs an id',
      expect.stringMatching(/^row 7, column logic_conditions: the operator must be one of equals/),
      'row 7, column logic_conditions: a condition must be <question_id>:<operator>:<value>',
      'row 7, column logic_conditions: equals needs a value',
      'row 7, column logic_conditions: is_answered takes no value',
      'row 8: the row has 7 cells, but there are 6 columns',
    ]);
  });

  it('reports errors of the definition with row and column', async () => {
    const file = await read(HEADER, 'a,single_choice,T,,,', '', 'a,text,T,,,b:equals:x');
    const problems = compile(file.payload).lint.errors.map(({ path, code, detail }) =>
      file.toFileProblem({ path, code, detail }),
    );
    expect(problems.map(({ path, code, detail }) => [path, code, /^[^:]*/.exec(detail)?.[0]])).toEqual([
      ['', 'MISSING_OPTIONS', 'row 2, column question_options'],
      ['', 'DUPLICATE_ID', 'row 4, column question_id'],
      ['', 'UNKNOWN_SOURCE', 'row 4, column logic_conditions'],
    ]);
  });

  it.each([
    [
      'question_id,question_type\na,text',
      'row 1, column question_title: the column is missing (separator ",", encoding utf-8)',
    ],
    [
      'question_id,question_title\na,Why?',
      'row 1, column question_type: the column is missing (separator ",", encoding utf-8)',
    ],
    ['Why?', 'row 1: the row has one cell, but a question has a type and a title (separator ",", encoding utf-8)'],
    [`${HEADER},question_id\n`, 'row 1, column question_id: the column is duplicate'],
    [`${HEADER},__proto__\n`, 'row 1, column __proto__: the column cannot be kept'],
    [`${HEADER}\na,text,"T`, 'row 2: a quoted cell does not end (separator ",", encoding utf-8)'],
    [
      `${HEADER}\na,text,"T"x,`,
      'row 2: there is text after the closing quote of a cell (separator ",", encoding utf-8)',
    ],
    [`${HEADER}\na,text,T"x,`, 'row 2: a cell has a quote but does not begin with one (separator ",", encoding utf-8)'],
    [
      `${HEADER}\na,text,${'x'.repeat(2_000_000)}`,
      'row 2: the row has more than 1048576 bytes, the limit (separator ",", encoding utf-8)',
    ],
    [`${'\n'.repeat(6000)}a,text,T`, 'There are more than 5000 rows, the limit of a survey'],
  ])('rejects an unreadable file %#', async (text, detail) => {
    expect(await detailsOf(text)).toEqual([detail]);
  });

  it('lists at most a hundred errors', async () => {
    expect(await detailsOf(HEADER, ...Array(200).fill('a,x,T'))).toHaveLength(100);
  });

  it('rejects any other text without other errors', async () => {
    const cell = fc.oneof(
      fc.constantFrom(
        ...HEADER.split(','),
        'text',
        'rating',
        '1-5',
        'a|b\\|c',
        'a:equals:b;',
        '"',
        '""',
        '',
        '__proto__',
      ),
      fc.string({ unit: 'grapheme' }),
    );
    const table = fc.array(fc.array(cell).map((cells) => cells.join(','))).map((lines) => lines.join('\r\n'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(table, fc.string({ unit: 'binary' })), async (text) => {
        try {
          const file = await readText(text);
          for (const problem of checkShape(file.payload)) expect(file.toFileProblem(problem).path).toBe('');
          compile(file.payload);
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_IMPORT' });
        }
      }),
    );
  });

  it('warns if options seem to be separated by commas', async () => {
    const { warnings } = await readText(
      'question_id,question_type,question_title,question_options\nq1,single_choice,Colour?,"Red, Blue"\nq2,single_choice,Size?,"Big, wide|Small"\n',
    );
    const detail =
      'row 2, column question_options: the question has a single option with commas; separate options by |';
    expect(warnings).toEqual([{ path: '', code: 'ONE_OPTION', detail }]);
  });

  it('can have semicolons, Windows-1252 and empty cells to the right', async () => {
    const text =
      'question_id;question_type;question_title;question_options;;\r\nq1;single_choice;Größe?;groß|klein;;\r\n';
    const { payload, warnings } = await readSurveyToEnd(readCustomCsvSurvey, Buffer.from(text, 'latin1'));
    expect(payload['survey']).toMatchObject({
      pages: [{ questions: [{ id: 'q1', title: 'Größe?', options: ['groß', 'klein'] }] }],
    });
    expect(warnings.map(({ code }) => code)).toEqual(['ENCODING_ASSUMED']);
  });

  it('can be a workbook', async () => {
    const rows = [
      ['question_id', 'question_type', 'question_title', 'question_options'],
      ['q1', 'rating', 'Taste?', '1-5'],
    ];
    const { payload } = await readSurveyToEnd(readCustomCsvSurvey, await writeXlsx({ survey: rows }));
    expect(payload['survey']).toMatchObject({ pages: [{ questions: [{ id: 'q1', type: 'rating', min: 1, max: 5 }] }] });
  });
});
