import { toXlsxParts } from '@survey/formats/testing/write-xlsx';
import { writeZip } from '@survey/formats/testing/write-zip';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startImportApp, type TestApp } from './testing/import-app.ts';

const stream = (bytes: Uint8Array) => new Blob([Uint8Array.from(bytes)]).stream();
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const surveyOf = (questions: readonly object[]) => ({
  source: 'custom',
  format: 'json',
  options: { preserve_ids: true },
  data: { survey: { title: 'T', supported_languages: ['en'], pages: [{ questions }] } },
});
const SMALL = surveyOf([{ id: 'q', type: 'text', title: 'Q' }]);

/** Files that once took seconds to minutes. Each has its survey, or is one. */
const FILES = {
  'a cell of 40 KB in a column of dates': {
    questions: [{ id: 'when', type: 'date', title: 'When' }],
    make: async () => Buffer.from(`id,when\nr1,2024-05-01\nr2,"1${' '.repeat(40_000)}x"\n`),
  },
  'a workbook with odd formats of numbers': {
    questions: undefined,
    make: () => {
      const formats = times(60, (at) => `<numFmt numFmtId="${200 + at}" formatCode="${'['.repeat(60_000)}"/>`).join('');
      const styles = `<styleSheet><numFmts>${formats}</numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`;
      return writeZip({ ...toXlsxParts({ Sheet1: [['Color'], ['red'], ['red']] }), 'xl/styles.xml': styles });
    },
  },
  '20 headings for 100 questions with rows and columns': {
    questions: times(100, (at) => ({
      id: `m${at}`,
      type: 'matrix',
      title: 'How is it',
      rows: times(20, (row) => ({ id: `r${row}`, text: `Row ${row}` })),
      columns: times(20, (column) => ({ id: `c${column}`, text: `Column ${column}` })),
    })),
    make: async () => Buffer.from(`id,${times(20, (at) => `"How is it [${'] ['.repeat(600)}${at}]"`).join(',')}\nr1\n`),
  },
  'a cell with very many parts': {
    questions: undefined,
    make: async () => Buffer.from(`Color\n"A${', a'.repeat(300_000)}"\nB\n`),
  },
  '1,000 headings for 500 questions with one title': {
    questions: times(500, (at) => ({
      id: `q${at}`,
      type: 'single_choice',
      title: 'How is it',
      options: times(5, (option) => ({ id: `o${option}`, text: `Option ${option}` })),
    })),
    make: async () => Buffer.from(`id,${times(1_000, (at) => `How is it - Part ${at}`).join(',')}\nr1\n`),
  },
};

describe('a file that somebody made to take long', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startImportApp();
  });
  afterAll(() => app.close());

  it.each(Object.entries(FILES))('ends, and others are served: %s', async (_, { questions, make }) => {
    const [hostileTenant, tenantId] = [crypto.randomUUID(), crypto.randomUUID()];
    const bytes = await make();
    let path = `/surveys/import?source=table&format=${bytes.subarray(0, 2).toString() === 'PK' ? 'xlsx' : 'csv'}`;
    if (questions !== undefined) {
      const made = await app.post('/surveys/import', surveyOf(questions), {
        tenantId: hostileTenant,
      });
      expect(made.status).toBe(201);
      path = `/surveys/${made.body.id}/responses/import?source=custom&format=csv`;
    }
    const send = (target: string) => app.send(target, stream(bytes), { tenantId: hostileTenant });
    const held = [send(path), send(path.replace('/import?', '/import/plan?'))];
    expect((await app.get('/imports', { tenantId })).status).toBe(200);
    expect((await app.post('/surveys/import', SMALL, { tenantId })).status).toBe(201);
    for (const { status, body } of await Promise.all(held)) {
      expect(status, JSON.stringify(body)).toBeOneOf([200, 201, 202, 422]);
      if (status === 422) expect(['INVALID_IMPORT', 'FILE_TOO_COMPLEX']).toContain(body.code);
    }
  });
});
