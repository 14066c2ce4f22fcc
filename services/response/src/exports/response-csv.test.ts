import type { JsonObject } from '@bufbuild/protobuf';
import type { MetadataField } from '@survey/questionnaire/metadata/metadata-fields';
import { anyData, anySurvey } from '@survey/questionnaire/testing/arbitraries';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Response } from '../responses/response.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import { newResponse } from '../testing/new-response.ts';
import { parseCsv, parseTable } from '../testing/parse-csv.ts';
import { newDefinition, versionsOf } from '../testing/test-definition.ts';
import { type CsvOptions, writeCsv } from './export-service.ts';
import { createResponseTable, type TableOptions } from './response-table.ts';

/** @param definitions latest version first */
async function write(
  definitions: readonly CompiledSurvey[],
  responses: readonly Response[],
  options: Partial<TableOptions & CsvOptions> = {},
) {
  const table = await createResponseTable({ labels: 'ids', ...versionsOf(definitions), ...options });
  async function* chunks() {
    yield responses;
  }
  return (await Array.fromAsync(writeCsv(table, chunks(), { maskFormulas: true, ...options }))).join('');
}

const OWN_COLUMNS = 10;
const options = [
  { id: 'a', text: { en: 'Apple', de: 'Apfel' } },
  { id: 'b', text: { en: 'Pear', de: 'Birne' } },
];

describe('responses as CSV', () => {
  it('begin with the columns about the response itself', async () => {
    const definition = newDefinition([{ id: 'q', type: 'text' }]);
    const response = newResponse(definition, {
      startedAt: new Date('2024-05-01T09:00:00.000Z'),
      language: 'de',
      linkId: 'link',
      externalId: '=1',
      invitationId: 'invitation',
      data: { q: 'a "quoted", line' },
    });
    const begun = newResponse(definition, { status: 'in_progress', completedAt: undefined });
    const text = await write([definition], [response, begun]);
    expect(text.split('\r\n')).toEqual([
      '\uFEFFid,submitted_at,status,created_at,started_at,survey_version,language,link_id,external_id,invitation_id,q,metadata',
      `${response.id},2024-05-01T10:00:00.000Z,completed,2024-05-01T10:00:00.000Z,2024-05-01T09:00:00.000Z,1,de,link,'=1,invitation,"a ""quoted"", line",`,
      `${begun.id},,in_progress,2024-05-01T10:00:00.000Z,,1,,,,,,`,
      '',
    ]);
  });

  it('end with metadata: a column for each field, and one for the rest', async () => {
    const definition = newDefinition([{ id: 'metadata', type: 'text' }]);
    const metadataFields: readonly MetadataField[] = [
      { name: 'points', type: 'number', from: ['url'] },
      { name: 'campaign', type: 'string', from: ['url'] },
    ];
    const responses = [
      newResponse(definition, { metadata: { points: -5, campaign: '=1', more: [1, 'a'] } }),
      newResponse(definition, { metadata: { points: '-5' } }),
      newResponse(definition),
    ];
    for (const labels of ['ids', 'texts'] as const) {
      const rows = parseCsv(await write([definition], responses, { labels, metadataFields }));
      expect(rows.map((cells) => cells.slice(OWN_COLUMNS + 1))).toEqual([
        ['metadata.points', 'metadata.campaign', 'response:metadata'],
        ['-5', '=1', '{"more":[1,"a"]}'],
        ['-5', '', ''],
        ['', '', ''],
      ]);
    }
    const [, masked, text] = (await write([definition], responses, { metadataFields })).split('\r\n');
    expect([masked?.includes(",-5,'=1,"), text?.endsWith(",'-5,,")]).toEqual([true, true]);
  });

  it('are rejected if their versions have too many columns', async () => {
    const versions = ['a', 'b', 'c'].map((id, index) =>
      newDefinition([{ id, type: 'multiple_choice', options: ['x', 'y'] }], { version: index + 1 }),
    );
    expect(parseCsv(await write(versions, [], { maxColumns: 6 }))[0]).toHaveLength(OWN_COLUMNS + 6 + 1);
    await expect(write(versions, [], { maxColumns: 5 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ path: '/format', code: 'TOO_MANY_COLUMNS' }],
    });
  });

  it('yield to the event loop between long rows', async () => {
    const items = Array.from({ length: 1_000 }, (_, index) => `o${index}`);
    const questions = Array.from({ length: 12 }, (_, index) => ({
      id: `q${index}`,
      type: 'multiple_choice',
      options: items,
    }));
    const wide = newDefinition(questions);
    const responses = Array.from({ length: 5 }, () => newResponse(wide, { data: { q3: ['o7'] } }));
    let yields = 0;
    const count = () => {
      yields += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const rows = parseCsv(await write([wide], responses));
    clearImmediate(immediate);
    expect(rows).toHaveLength(6);
    expect(rows[5]).toHaveLength(OWN_COLUMNS + 12_000 + 1);
    expect(yields).toBeGreaterThanOrEqual(4);
  });

  it('have the columns of the latest version, then those that only earlier ones have', async () => {
    const first = newDefinition([
      { id: 'gone', type: 'text' },
      { id: 'kept', type: 'multiple_choice', options: ['x', 'old'] },
    ]);
    const latest = newDefinition(
      [
        { id: 'kept', type: 'multiple_choice', options: ['new', 'x'] },
        { id: 'added', type: 'rating' },
      ],
      { version: 2 },
    );
    const text = await write(
      [latest, first],
      [
        newResponse(first, { data: { gone: 'g', kept: ['x', 'old'] } }),
        newResponse(latest, { data: { kept: ['new', 'x'], added: 3 } }),
      ],
    );
    expect(parseCsv(text).map((cells) => cells.slice(OWN_COLUMNS, -1))).toEqual([
      ['kept[new]', 'kept[x]', 'added', 'gone', 'kept[old]'],
      ['', '1', '', 'g', '1'],
      ['1', '1', '3', '', ''],
    ]);
  });

  it('omit a response to a version that was first answered during the export', async () => {
    const [known, later] = [newDefinition([{ id: 'q', type: 'text' }]), newDefinition([], { version: 2 })];
    const text = await write([known], [newResponse(later), newResponse(known, { data: { q: 'x' } })]);
    expect(parseTable(text)).toMatchObject([{ q: 'x', survey_version: '1' }]);
  });

  it('keep columns with equal names apart', async () => {
    const definition = newDefinition([
      { id: 'id', type: 'text' },
      { id: 'm', type: 'matrix', rows: ['r', 'r][c'], columns: ['d', 'c][d'], multiple: true },
    ]);
    const data = { id: 'mine', m: { r: ['c][d'] } };
    const response = newResponse(definition, { data });
    const [header = [], cells = []] = parseCsv(await write([definition], [response]));
    expect([header[0], cells[0]]).toEqual(['response:id', response.id]);
    expect(header.slice(OWN_COLUMNS, -1)).toEqual(['id', 'm[r][d]', 'm[r][c][d]', 'm[r][c][d]', 'm[r][c][c][d]']);
    expect(cells.slice(OWN_COLUMNS, -1)).toEqual(['mine', '', '1', '', '']);
  });

  it('mask formulas in answers and in column names', async () => {
    const definition = newDefinition([{ id: '-1', type: 'text' }]);
    const text = await write([definition], [newResponse(definition, { data: { '-1': '=cmd|calc' } })]);
    const [header, row] = text.split('\r\n');
    expect([header?.endsWith(",'-1,metadata"), row?.endsWith(",'=cmd|calc,")]).toEqual([true, true]);
  });

  it('keep checked numbers as they are, and mask them in a text', async () => {
    const questions = [
      { id: 'r', type: 'rating', min: -5, max: 5 },
      { id: 'n', type: 'text', format: 'number' },
      { id: 'i', type: 'text', format: 'integer' },
      { id: 't', type: 'text' },
    ];
    const definition = newDefinition(questions);
    const data = { r: -3, n: '-3.50', i: '-007', t: '-3' };
    const responses = [newResponse(definition, { data }), newResponse(definition, { data: {} })];
    for (const labels of ['ids', 'texts'] as const) {
      const [, row, empty] = (await write([definition], responses, { labels })).split('\r\n');
      expect([row?.endsWith(",-3,-3.50,-007,'-3,"), empty?.endsWith(',,,,,')]).toEqual([true, true]);
    }
  });

  it('mask answers to a number question that are no numbers', async () => {
    const definition = newDefinition([{ id: 'n', type: 'text', format: 'number' }]);
    const text = await write([definition], [newResponse(definition, { data: { n: '-1+cmd' } })]);
    expect(text.endsWith(",'-1+cmd,\r\n")).toBe(true);
  });

  it('show texts instead of ids in the default language, each of its own version', async () => {
    const questions = [
      { id: 'one', type: 'single_choice', title: { de: 'Welches?' }, options, allow_other: true },
      { id: 'many', type: 'multiple_choice', title: 'Which?', options },
      { id: 'rows', type: 'matrix', title: 'Where?', rows: [{ id: 'r', text: 'Row' }], columns: options },
      { id: 'rating', type: 'rating', title: 'How?' },
    ];
    const survey = { supported_languages: ['de', 'en'] };
    const later = newDefinition(questions, { version: 2, survey: { ...survey, pages: [{ questions }] } });
    const [one] = questions;
    const before = newDefinition([], {
      survey: { ...survey, pages: [{ questions: [{ ...one, options: [{ id: 'a', text: 'Früher' }] }] }] },
    });
    const text = await write(
      [later, before],
      [
        newResponse(later, { data: { one: 'b', many: ['a'], rows: { r: 'b' }, rating: 4 } }),
        newResponse(later, { data: { one: { option: 'other', text: 'mine' } } }),
        newResponse(before, { data: { one: 'a' } }),
      ],
      { labels: 'texts' },
    );
    expect(parseCsv(text).map((cells) => cells.slice(OWN_COLUMNS, -1))).toEqual([
      ['Welches?', 'Welches? [other]', 'Which? [Apfel]', 'Which? [Birne]', 'Where? [Row]', 'How?'],
      ['Birne', '', '1', '', 'Birne', '4'],
      ['other', 'mine', '', '', '', ''],
      ['Früher', '', '', '', '', ''],
    ]);
  });

  it('have unique headings with texts, which name their column if they can mean several', async () => {
    const text = (id: string, title: string) => ({ id, type: 'text', title });
    const same = [
      { id: 'a', text: 'Red, sweet' },
      { id: 'b', text: 'Red,  sweet' },
    ];
    const latest = newDefinition(
      [
        text('q1', 'Name'),
        text('q2', 'Name'),
        text('q3', 'Name (q2)'),
        text('q4', 'status'),
        text('q5', 'response:id'),
        { id: 'm', type: 'multiple_choice', title: 'Fruit', options: same },
        text('q6', 'Fruit'),
        { id: 'n', type: 'multiple_choice', title: 'Tree', options: [{ id: 'a', text: 'Oak' }] },
        { id: 'o', type: 'multiple_choice', title: 'Tree', options: [{ id: 'a', text: 'Elm' }] },
      ],
      { version: 2 },
    );
    const first = newDefinition([text('q0', 'Name'), text('q7', 'Only here')]);
    const [header = []] = parseCsv(await write([latest, first], [], { labels: 'texts' }));
    expect(header.slice(OWN_COLUMNS, -1)).toEqual([
      'Name (q1)',
      'Name (q2) (2)',
      'Name (q2)',
      'status (q4)',
      'response:id (q5)',
      'Fruit [Red, sweet] (m[a])',
      'Fruit [Red,  sweet] (m[b])',
      'Fruit (q6)',
      'Tree [Oak]',
      'Tree [Elm]',
      'Name (q0)',
      'Only here',
    ]);
  });

  it('have unique headings for any survey', async () => {
    await fc.assert(
      fc.asyncProperty(anySurvey, anySurvey, async (one, other) => {
        const toDefinition = (payload: unknown, version: number) =>
          newDefinition([], { version, survey: (payload as { survey: JsonObject }).survey });
        const [header = []] = parseCsv(
          await write([toDefinition(other, 2), toDefinition(one, 1)], [], { labels: 'texts' }),
        );
        expect(new Set(header).size).toBe(header.length);
      }),
    );
  });

  it('show texts in another language, if they have it', async () => {
    const definition = newDefinition(
      [
        { id: 'one', type: 'single_choice', title: { en: 'Which?', de: 'Welches?' }, options },
        { id: 'text', type: 'text', title: { en: 'Why?' } },
      ],
      { survey: { supported_languages: ['en', 'de'] } },
    );
    const response = newResponse(definition, { data: { one: 'b', text: 'so' } });
    const rows = async (displayLanguage: string) =>
      parseCsv(await write([definition], [response], { labels: 'texts', displayLanguage })).map((row) =>
        row.slice(OWN_COLUMNS, -1),
      );
    expect(await rows('DE')).toEqual([
      ['Welches?', 'Why?'],
      ['Birne', 'so'],
    ]);
    expect(await rows('fr')).toEqual([
      ['Which?', 'Why?'],
      ['Pear', 'so'],
    ]);
  });

  it('keep formulas without masking', async () => {
    const definition = newDefinition([{ id: '-1', type: 'text' }]);
    const response = newResponse(definition, { data: { '-1': '=1,2' } });
    const [header, row] = (await write([definition], [response], { maskFormulas: false })).split('\r\n');
    expect([header?.endsWith(',-1,metadata'), row?.endsWith(',"=1,2",')]).toEqual([true, true]);
  });

  it('mark the questions that a respondent never saw', async () => {
    const condition = { source_question: 'ate', operator: 'equals', value: 'a' };
    const questions = [
      { id: 'ate', type: 'single_choice', options },
      { id: 'taste', type: 'multiple_choice', options },
      { id: 'why', type: 'text' },
    ];
    const logic = [{ question_id: 'taste', action: 'show', conditions: [condition] }];
    const first = newDefinition([...questions, { id: 'gone', type: 'rating' }]);
    const latest = newDefinition([], { version: 2, survey: { pages: [{ questions }], logic } });
    const responses = [
      newResponse(latest, { data: { ate: 'a' } }),
      newResponse(latest, { data: { ate: 'a', taste: ['b'] } }),
      newResponse(latest, { data: { ate: 'b', why: 'full' } }),
      newResponse(latest, { data: {} }),
      newResponse(first, { data: { ate: 'b' } }),
      // The export shows an answer that was stored before the question was hidden.
      newResponse(latest, { data: { ate: 'b', taste: ['a'] } }),
    ];
    const rows = async (options: object) =>
      (await write([latest, first], responses, options))
        .split('\r\n')
        .map((row) => row.split(',').slice(OWN_COLUMNS, -1).join());
    expect(await rows({ notShown: '-99' })).toEqual([
      'ate,taste[a],taste[b],why,gone',
      'a,,,,-99',
      'a,,1,,-99',
      'b,-99,-99,full,-99',
      ',-99,-99,,-99',
      'b,,,,',
      'b,1,,,-99',
      '',
    ]);
    expect((await rows({ notShown: '-x' }))[1]).toBe("a,,,,'-x");
    expect((await rows({ notShown: '-07' }))[1]).toBe("a,,,,'-07");
    expect((await rows({}))[3]).toBe('b,,,full,');
  });

  it('result in equal answers after an import', async () => {
    await fc.assert(
      fc.asyncProperty(anySurvey, anySurvey, fc.array(fc.tuple(fc.boolean(), anyData)), async (one, other, given) => {
        const toCompiledSurvey = (payload: unknown, version: number) =>
          // Generated definitions are JSON.
          newDefinition([], { version, survey: (payload as { survey: JsonObject }).survey });
        const [first, latest] = [toCompiledSurvey(one, 1), toCompiledSurvey(other, 2)];
        const responses = given.map(([isFirst, raw]) => {
          const definition = isFirst ? first : latest;
          return newResponse(definition, { data: definition.compiled().validate(raw).data as JsonObject });
        });
        const rows = parseTable(await write([latest, first], responses));
        expect(rows).toHaveLength(responses.length);
        for (const [index, { surveyVersion, data }] of responses.entries()) {
          const { answersFromColumns, validate } = (surveyVersion === 1 ? first : latest).compiled();
          const read = answersFromColumns(rows[index] ?? {});
          expect(read.errors).toEqual([]);
          expect(validate(read.data, { lenient: true, partial: true }).data).toEqual(data);
        }
      }),
    );
  });
});
