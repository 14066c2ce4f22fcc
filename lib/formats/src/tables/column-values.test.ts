import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../testing/read-files.ts';
import { type ColumnKind, createColumnValues } from './column-values.ts';
import { fromSerial } from './dates.ts';
import { DETECT_ALL, type TableOptions } from './table-options.ts';

function convert(kind: ColumnKind, cells: readonly string[], options: Partial<TableOptions> = {}): readonly string[] {
  const values = createColumnValues(new Map([[0, kind]]), ['c'], { ...DETECT_ALL, ...options });
  const rows = cells.map((cell, index) => ({ number: index + 2, cells: [cell] }));
  for (const row of rows) values.learn(row);
  values.check();
  return rows.map((row) => values.convert(row).cells[0] ?? '');
}
const rejection = (...given: Parameters<typeof convert>) => rejectionOf((async () => convert(...given))());

describe('dates', () => {
  it.each([
    [['2024-02-29', '2024/2/29', '20240229', '29.02.2024', '29.2.2024'], '2024-02-29'],
    [['29/02/2024', '2/29/2024', '29-02-2024', '45351', '29 February 2024', 'Feb 29, 2024'], '2024-02-29'],
    [['2024-02-29 00:00:00', '2024-02-29T00:00:00Z', '29.02.2024 00:00', '2/29/2024 12:00:00 AM'], '2024-02-29'],
  ])('with one reading are converted: %j', (cells, expected) => {
    for (const cell of cells) expect(convert('date', [cell]), cell).toEqual([expected]);
    expect(convert('date', cells)).toEqual(cells.map(() => expected));
  });

  it('keep fractions of seconds', () => {
    const cells = ['2024-02-29T09:30:05.678Z', '2024-02-29 09:30:05,5', '2024-02-29T00:00:00.001Z'];
    expect(convert('timestamp', cells)).toEqual([
      '2024-02-29T09:30:05.678Z',
      '2024-02-29T09:30:05.5',
      '2024-02-29T00:00:00.001Z',
    ]);
    // They do not fit a question for a date or a time.
    expect(convert('date', ['2024-02-29T00:00:00.001Z'])).toEqual(['2024-02-29T00:00:00.001Z']);
    expect(convert('time', ['09:30:05.5', '09:30:05.000'])).toEqual(['09:30:05.5', '09:30:05']);
  });

  it('with two readings follow the other cells of the column', () => {
    expect(convert('date', ['03/04/2024', '25/12/2024', '05/05/2024'])).toEqual([
      '2024-04-03',
      '2024-12-25',
      '2024-05-05',
    ]);
    expect(convert('date', ['03/04/2024', '12/25/2024'])).toEqual(['2024-03-04', '2024-12-25']);
    expect(convert('timestamp', ['3/4/2024 9:05:00 PM', '3/14/2024 0:00'])).toEqual([
      '2024-03-04T21:05:00',
      '2024-03-14T00:00:00',
    ]);
  });

  it.each([[['03/04/2024']], [['1/2/2024', '25/12/2024', '12/25/2024']]])(
    'with two readings are asked for if the column %j does not decide',
    async (cells) => {
      const [problem, ...others] = await rejection('date', cells);
      expect(others).toEqual([]);
      expect(problem).toMatchObject({ code: 'AMBIGUOUS_DATE', detail: expect.stringContaining('row 2, column c: ') });
      expect(problem?.detail).toContain('date_format');
      // Values never appear in messages.
      expect(problem?.detail).not.toContain('2024');
    },
  );

  it('follow an option', async () => {
    const cells = ['03/04/2024', '3-4-2024'];
    expect(convert('date', cells, { dateFormat: 'DD/MM/YYYY' })).toEqual(['2024-04-03', '2024-04-03']);
    expect(convert('date', cells, { dateFormat: 'mm-dd-yyyy' })).toEqual(['2024-03-04', '2024-03-04']);
    expect(convert('date', cells, { locale: 'en-GB' })).toEqual(['2024-04-03', '2024-04-03']);
    expect(convert('date', cells, { locale: 'en-US' })).toEqual(['2024-03-04', '2024-03-04']);
    expect(convert('date', cells, { locale: 'de', dateFormat: 'MM/DD/YYYY' })).toEqual(['2024-03-04', '2024-03-04']);
    expect(convert('date', ['25/12/2024'], { dateFormat: 'MM/DD/YYYY' })).toEqual(['25/12/2024']);
    expect(convert('date', ['3. März 2024', '12 Oct 2024'], { locale: 'de' })).toEqual(['2024-03-03', '2024-10-12']);
  });

  it('with years of two digits need an option', async () => {
    expect(await rejection('date', ['25/12/24'])).toMatchObject([{ code: 'AMBIGUOUS_DATE' }]);
    const cells = ['25/12/24', '1/2/69', '25/12/2024'];
    expect(convert('date', cells, { dateFormat: 'DD/MM/YY' })).toEqual(['2024-12-25', '1969-02-01', '2024-12-25']);
    expect(convert('date', ['24-12-25'], { dateFormat: 'YY-MM-DD' })).toEqual(['2024-12-25']);
  });

  it.each(['tomorrow', '30.02.2024', '2024-02-29 10:00', '31/31/2024', '12', '2024-13-01'])('%j stays', (cell) => {
    expect(convert('date', [cell])).toEqual([cell]);
  });

  it('keep their time and zone if they are moments', () => {
    const cells = ['2024-02-29 9:30', '2024-02-29T09:30:05Z', '29.02.2024, 09:30:05 +0100', '45351.5', '2024-02-29'];
    expect(convert('timestamp', cells)).toEqual([
      '2024-02-29T09:30:00',
      '2024-02-29T09:30:05Z',
      '2024-02-29T09:30:05+01:00',
      '2024-02-29T12:00:00',
      '2024-02-29',
    ]);
  });

  it.each([
    'Mon Mar 02 2026 10:00:05 GMT+0100 (Central European Standard Time)',
    'Monday, March 2, 2026 10:00:05 AM CET',
    'Mon, 02 Mar 2026 10:00:05 +0100',
    'Mon Mar 2 10:00:05 CET 2026',
    '2026-03-02 10:00:05 (GMT+01:00)',
    'lundi 2 mars 2026 10:00:05 GMT+1',
  ])('can have a weekday and the name of a zone: %s', (cell) => {
    expect(convert('timestamp', [cell], { locale: 'fr' })).toEqual(['2026-03-02T10:00:05+01:00']);
  });

  it.each(['about 2 March 2026', '2 March 2026 10:00 XYZ', '27/03/26 (paper form)'])('are not in %j', (cell) => {
    expect(convert('timestamp', [cell])).toEqual([cell]);
  });

  it.each([
    ['date', '15/3/2569', {}],
    ['date', '2569-03-15', {}],
    ['date', '0026-03-15', {}],
    ['timestamp', '15/3/2569, 10:04:23', { locale: 'th' }],
    ['timestamp', '1447-09-12T10:00:00Z', {}],
  ] as const)('of another calendar are unread: %s %s', (kind, cell, options) => {
    const values = createColumnValues(new Map([[0, kind]]), ['c'], { ...DETECT_ALL, ...options });
    const row = { number: 2, cells: [cell, 'other'] };
    values.learn(row);
    const detail = 'the year is not from 1900 to 2200; it can be of another calendar, such as the Buddhist one';
    const unread = new Map([[0, { code: 'UNUSUAL_YEAR', detail, value: cell }]]);
    expect(values.convert(row)).toEqual({ number: 2, cells: ['', 'other'], unread });
    const exported = createColumnValues(new Map([[0, kind]]), ['c'], {
      ...DETECT_ALL,
      ...options,
      allowsAnyYear: true,
    });
    expect(exported.convert(row).unread).toBeUndefined();
  });

  it('are the days of serial numbers', () => {
    expect([0.5, 1, 59, 60, 61, 45_351, 2_958_465, -1].map((serial) => fromSerial(serial))).toEqual([
      '12:00',
      '1900-01-01',
      '1900-02-28',
      undefined,
      '1900-03-01',
      '2024-02-29',
      '9999-12-31',
      undefined,
    ]);
  });

  it('are those of the last day too, but of no later one', () => {
    expect([2_958_465.5, 2_958_465.999_999_9, 2_958_466].map((serial) => fromSerial(serial))).toEqual([
      '9999-12-31T12:00:00',
      undefined,
      undefined,
    ]);
  });

  it('are days from 1904 in workbooks of old Macs', () => {
    const serials = [0.5, 1, 43_889, 43_889.5, 2_957_003, 2_957_003.75, 2_957_004, 2_958_465];
    expect(serials.map((serial) => fromSerial(serial, { is1904: true }))).toEqual([
      '12:00',
      '1904-01-02',
      '2024-02-29',
      '2024-02-29T12:00:00',
      '9999-12-31',
      '9999-12-31T18:00:00',
      undefined,
      undefined,
    ]);
  });

  it('in any order and of any day are the same day, or asked for', async () => {
    const days = fc.date({ min: new Date('1950-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
    await fc.assert(
      fc.asyncProperty(fc.array(days, { minLength: 1 }), fc.constantFrom('dmy', 'mdy'), async (given, order) => {
        const expected = given.map((day) => day.toISOString().slice(0, 10));
        const cells = expected.map((day) => {
          const [y, m, d] = day.split('-').map(Number);
          return order === 'dmy' ? `${d}/${m}/${y}` : `${m}/${d}/${y}`;
        });
        const isDecided =
          given.some((day) => day.getUTCDate() > 12) || expected.every((day) => day.slice(5, 7) === day.slice(8));
        if (isDecided) expect(convert('date', cells)).toEqual(expected);
        else expect(await rejection('date', cells)).toMatchObject([{ code: 'AMBIGUOUS_DATE' }]);
      }),
    );
  });
});

describe('times', () => {
  it.each([
    ['9:30', '09:30'],
    ['09:30:00', '09:30'],
    ['9:30:15', '09:30:15'],
    ['12:05 am', '00:05'],
    ['9:30 p.m.', '21:30'],
    ['0.5', '12:00'],
    ['25:00', '25:00'],
    ['13:00 pm', '13:00 pm'],
  ])('%j is %j', (cell, expected) => {
    expect(convert('time', [cell])).toEqual([expected]);
  });
});

describe('numbers', () => {
  it.each([
    [
      ['3', '-4', '1,250.50', '1250,5', '1.234.567', '+.5', "1'250.5", '1 250,5', '1e3', '−2.5'],
      ['3', '-4', '1250.50', '1250.5', '1234567', '0.5', '1250.5', '1250.5', '1e3', '-2.5'],
    ],
    [
      ['1,250', '2.5'],
      ['1250', '2.5'],
    ],
    [
      ['1.250', '2,5'],
      ['1250', '2.5'],
    ],
    [['0,125'], ['0.125']],
    [
      ['many', '1,2,3', '12,34.5'],
      ['many', '1,2,3', '12,34.5'],
    ],
  ])('of %j are %j', (cells, expected) => {
    expect(convert('number', cells)).toEqual(expected);
  });

  it('with two readings are asked for', async () => {
    const [problem] = await rejection('number', ['1', '1,250']);
    expect(problem).toMatchObject({ code: 'AMBIGUOUS_NUMBER', detail: expect.stringContaining('row 3, column c: ') });
    expect(problem?.detail).toContain('set decimal');
  });

  it('follow an option', () => {
    expect(convert('number', ['1,250'], { decimal: '.' })).toEqual(['1250']);
    expect(convert('number', ['1,250'], { decimal: ',' })).toEqual(['1.250']);
    expect(convert('number', ['1.250'], { locale: 'de' })).toEqual(['1250']);
    // Two numbers are not one.
    for (const cell of ['5\n100', '5\t100', '2024 100']) expect(convert('number', [cell])).toEqual([cell]);
    expect(convert('number', ['1 234\u202f567', "1'234"])).toEqual(['1234567', '1234']);
    expect(convert('number', ['1.250'], { locale: 'de', decimal: '.' })).toEqual(['1.250']);
  });

  it('of a workbook stay', () => {
    const values = createColumnValues(new Map([[0, 'number']]), ['c'], DETECT_ALL);
    const row = { number: 2, cells: ['1,250.00', '1.250'], numbers: new Map([[0, '1250']]) };
    values.learn(row);
    values.check();
    expect(values.convert(row).cells).toEqual(['1250', '1.250']);
  });
});

it.each([
  [{ dateFormat: 'soon' }, 'UNKNOWN_DATE_FORMAT'],
  [{ locale: 'not a locale' }, 'UNKNOWN_LOCALE'],
  // `Intl` would use the locale of the machine.
  [{ locale: 'xx' }, 'UNKNOWN_LOCALE'],
  [{ decimal: ';' }, 'UNKNOWN_DECIMAL'],
  [{ timeZone: 'Nowhere/Else' }, 'UNKNOWN_TIME_ZONE'],
])('the options %j are rejected', async (options, code) => {
  expect(await rejection('date', [], options)).toMatchObject([{ code }]);
});
