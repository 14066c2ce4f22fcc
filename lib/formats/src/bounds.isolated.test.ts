import { createStepCounter, type StepCounter } from '@survey/questionnaire/testing/step-counter';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Long enough that a function of quadratic time does not end within the timeout of a test. */
const LONG = 1_000_000;

describe('texts of any length', () => {
  it('are no dates, times or numbers beyond a length', async () => {
    const { hasShortYear, readDate, readTime } = await import('./tables/dates.ts');
    const { readNumber } = await import('./tables/numbers.ts');
    const reading = { names: { months: new Map<string, number>(), weekdays: new Set<string>() }, given: undefined };
    const spaces = ' '.repeat(LONG);
    for (const text of [`1${spaces}x`, `1 ${'T'.repeat(LONG)}`, `1 de${spaces}x`, `${'1'.repeat(LONG)}x`]) {
      expect(readDate(text, 'timestamp', reading)).toBeUndefined();
      expect(readTime(text)).toBeUndefined();
      expect(hasShortYear(text)).toBe(false);
      expect(readNumber(text)).toBeUndefined();
    }
  });

  it('are read as formats of numbers, with or without the ends of literals', async () => {
    const { readNumberStyles } = await import('./tables/number-formats.ts');
    const { fileOf } = await import('./files/import-file.ts');
    const styles = (code: string) =>
      `<s><numFmts><numFmt numFmtId="170" formatCode="${code}"/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs></s>`;
    const isDate = async (code: string) => (await readNumberStyles(fileOf(styles(code))))[0]?.kind === 'date';
    expect(await isDate('['.repeat(60_000))).toBe(false);
    expect(await isDate('&quot;'.repeat(9_999))).toBe(false);
    expect(await isDate('[Red]0 &quot;days&quot;;[Blue]y')).toBe(false);
    expect(await isDate('\\d_y*h0')).toBe(false);
    expect(await isDate('[$-409]d/m')).toBe(true);
    expect(await isDate('[h]:mm')).toBe(false);
  });

  it('are keys of rows, of which only the first parts are compared', async () => {
    const { openRepeatTables } = await import('./xlsform/repeats.ts');
    async function* rows() {
      yield { number: 1, cells: ['PARENT_KEY', 'KEY'] };
      yield { number: 2, cells: ['/'.repeat(LONG), `${'/'.repeat(LONG)}/kid[1]`] };
    }
    const details: string[] = [];
    const tables = await openRepeatTables([{ name: 'kid', location: 'file kid.csv', rows }], {
      keys: new Set(['uuid:1']),
      toRepeatName: (name) => name,
      warn: ({ detail }) => details.push(detail),
    });
    expect(await tables.take('uuid:1')).toEqual({});
    await tables.end();
    expect(details).toEqual([expect.stringContaining('Rows of the file kid.csv are not imported')]);
  });
});

const SIZE = 200;

/** Steps are counted in modules that are imported after the counter exists, by each test. */
describe('steps grow with the length', () => {
  let counter: StepCounter;

  beforeAll(async () => {
    counter = await createStepCounter(/formats\/src\/|questionnaire\/src\//);
  });
  afterAll(() => counter.close());

  /** Steps of the double size divided by those of the size: 2 for linear time, 4 for quadratic time. */
  async function growthOf(use: (size: number) => unknown, size = SIZE): Promise<number> {
    use(1);
    const once = await counter.stepsOf(() => use(size));
    return (await counter.stepsOf(() => use(2 * size))) / once;
  }

  it.each([
    ['continued parts', 'A, a', ', a'],
    ['parts', 'a', ', b'],
    ['semicolons', ';', ';'],
    ['text', 'x', 'x'],
  ])('of a cell with %s in the profile of a column', async (_, start, part) => {
    const { createProfile } = await import('./answer-table/column-profile.ts');
    const contentOf = () => 'text' as const;
    expect(await growthOf((size) => createProfile(contentOf).add(start + part.repeat(size)))).toBeLessThan(2.3);
  });

  it.each([
    ['rows', (at: number) => `How? [row ${at}]`],
    ['cells', (at: number) => `How? [row ${at}] [yes]`],
    ['unknown parts', (at: number) => `How? - Why - ${at}`],
    ['options of one column', () => 'How?'],
  ])('of headings and questions with one title: %s', async (_, toHeading) => {
    const { createHeaderIndex } = await import('./core/columns/header-index.ts');
    const { matchHeaders } = await import('./core/columns/match-headers.ts');
    const { compile } = await import('@survey/questionnaire/compile');
    const surveys = new Map(
      [1, SIZE, 2 * SIZE].map((size) => {
        const questions = Array.from({ length: size }, (__, at) => ({
          ...{ id: `q${at}`, type: 'matrix', title: 'How?', rows: [`row ${at}`, 'all'], columns: ['yes', 'no'] },
          multiple: true,
        }));
        const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions }] };
        const payload = { schema_version: '1.0', version: 1, survey };
        return [size, { payload, definition: compile(payload) }] as const;
      }),
    );
    const growth = await growthOf((size) => {
      const { payload, definition } = surveys.get(size) ?? { payload: {}, definition: compile({}) };
      const headings = Array.from({ length: size }, (__, at) => toHeading(at));
      return matchHeaders(headings, createHeaderIndex(payload, definition), { columns: [] });
    });
    expect(growth).toBeLessThan(2.5);
  });

  it.each(['text', 'multiple_choice'])(
    'of columns and %s questions with one title in the table of a tool',
    async (type) => {
      const { createHeaderIndex } = await import('./core/columns/header-index.ts');
      const { findToolColumns } = await import('./core/tool-columns/assign-columns.ts');
      const { compile } = await import('@survey/questionnaire/compile');
      const surveys = new Map(
        [1, SIZE, 2 * SIZE].map((size) => {
          const questions = Array.from({ length: size }, (_, at) => ({
            ...{ id: `q${at}`, type, title: 'How?' },
            ...(type === 'text' ? {} : { options: ['Good', 'Bad'] }),
          }));
          const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions }] };
          const payload = { schema_version: '1.0', version: 1, survey };
          return [
            size,
            { payload, questions: new Map(questions.map((one) => [one.id, one])), definition: compile(payload) },
          ];
        }),
      );
      const use = (size: number) => {
        const { payload, questions, definition } = surveys.get(size) ?? {};
        if (payload === undefined || questions === undefined || definition === undefined) return;
        const columns = Array.from({ length: size }, (_, position) => ({
          ...{ position, title: 'How?', name: 'How?', part: undefined },
          ...{ isFirst: true, isLast: true },
        }));
        const index = createHeaderIndex(payload, definition);
        findToolColumns(columns, { index, questions, responseTargets: new Map(), appendsNumberToTitle: false });
      };
      expect(await growthOf(use)).toBeLessThan(2.5);
    },
  );

  it('of a cell with the labels of choices', async () => {
    const { createToAnswer } = await import('./xlsform/answers.ts');
    const cells = new Map(
      [1, SIZE, 2 * SIZE].map((size) => {
        const labels = Array.from({ length: size }, (_, at) => `Choice ${String(at).padStart(3, '0')}`);
        const options = labels.map((text, at) => ({ id: `c${at}`, text }));
        const read = createToAnswer({ id: 'q', type: 'multiple_choice', options });
        return [size, { read, cell: labels.join(' ') }] as const;
      }),
    );
    const use = (size: number) => {
      const { read, cell } = cells.get(size) ?? {};
      const none = { cells: new Map([['q', cell ?? '']]), suffixesOf: () => new Set<string>() };
      return read?.(['q'], { ...none, take: () => cell });
    };
    expect(use(SIZE)).toHaveLength(SIZE);
    expect(await growthOf(use)).toBeLessThan(2.5);
  });

  it('of a heading with many separators', async () => {
    const { toSlashes } = await import('./xlsform/headers.ts');
    const marks = [...'!#$%&()*+,-.:;<=>?@'];
    const separators = marks.flatMap((one) => marks.map((other) => `${one}${other}`));
    const known = { names: new Set(['a/b']), choices: new Map(), withOther: new Set<string>() };
    const use = (size: number) => toSlashes([`a${separators.slice(0, size / 2).join('x')}b`], known);
    expect(await growthOf(use)).toBeLessThan(2.3);
  });

  it.each([
    ['brackets', '] ['],
    ['spaces', ' '],
    ['separators', ' - '],
  ])('of a part of a heading with %s', async (_, piece) => {
    const { splitPart } = await import('./core/columns/headings.ts');
    expect(await growthOf((size) => [...splitPart(`a${piece.repeat(size)}b`)])).toBeLessThan(2.3);
  });
});
