import { access, glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const page = await readFile(join(root, 'SECURITY.md'), 'utf8');
const tableRows = [...page.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | '));
const rows = tableRows
  .filter(({ length }) => length === 3)
  .map(([rule = '', keptIn = '', shownBy = '']) => ({ rule, keptIn, shownBy }))
  .filter(({ rule }) => rule !== 'rule');

/** The tests or test groups in a row, with their files. */
function testsOf(cell: string): readonly { readonly file: string; readonly name: string }[] {
  return [...cell.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));
}

describe('the boundaries', () => {
  it('are listed', () => {
    expect(rows.length).toBeGreaterThan(40);
  });

  it.each(rows)('$rule', async ({ keptIn, shownBy }) => {
    const files = [...keptIn.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
    expect(keptIn.split(', ')).toHaveLength(files.length);
    for (const file of files) await expect(access(join(root, file)), file).resolves.toBeUndefined();
    const tests = testsOf(shownBy);
    expect(tests.map(({ file, name }) => `\`${file}\` "${name}"`)).toEqual(shownBy.split('; '));
    for (const { file, name } of tests) expect(await readFile(join(root, file), 'utf8'), file).toContain(`'${name}'`);
  });
});

const resources = tableRows
  .filter((cells) => cells.length === 6 && cells[0] !== 'resource')
  .map(([resource = '', size = '', tenant = '', client = '', survey = '', refusedIn = '']) => ({
    resource,
    figures: [size, tenant, client, survey],
    files: [...refusedIn.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
  }));

/** Files whose batchers, mutexes or counters hold only what another limit of the table has admitted. */
const ADMITTED_BEFORE = [
  'lib/runtime/src/auth/password-hash.ts',
  'services/webhook/src/deliveries/delivery-store.ts',
  'services/webhook/src/deliveries/webhook-state-store.ts',
  'services/webhook/src/fan-out/fan-out.ts',
];

/** The value of a constant, of one of its members, or the default of a setting, in a source text. */
function valueIn(source: string, name: string): string | undefined {
  const [constant = '', member] = name.split('.');
  const setting = new RegExp(String.raw`env: '${constant}',\s+fallback: '([^']*)'`).exec(source)?.[1];
  if (setting !== undefined) return setting;
  const own = String.raw`\b${constant}\b(?:: [^={;]+)?(?: = |: )`;
  const [, value] =
    member === undefined
      ? (new RegExp(String.raw`${own}([\d_ */]+);`).exec(source) ?? [])
      : (new RegExp(String.raw`${own}\{[^}]*?\b${member}: ([\d_ */]+?) *[,}]`).exec(source) ?? []);
  return value;
}

/** A number, or a product or quotient of numbers, as the table writes it: `512`, `64 MiB`, `1/4`. */
function toFigure(expression: string): string {
  const text = expression.replaceAll(/[_\s]/g, '');
  const mebibytes = /^(\d+)\*1024\*1024$/.exec(text)?.[1];
  return mebibytes === undefined ? text : `${mebibytes} MiB`;
}

describe('the shared resources', () => {
  it.each(resources)('$resource', async ({ figures, files }) => {
    const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
    const named = figures.flatMap((cell) => [...cell.matchAll(/`([\w.]+) = ([^`]+)`/g)]);
    expect(named).not.toEqual([]);
    for (const [, name = '', figure] of named) {
      const values = sources.map((source) => valueIn(source, name)).filter((value) => value !== undefined);
      expect([name, ...new Set(values.map(toFigure))]).toEqual([name, figure]);
    }
  });

  it('are all that the code has', async () => {
    const listed = new Set([...resources.flatMap(({ files }) => files), ...ADMITTED_BEFORE]);
    const missing: string[] = [];
    for await (const file of glob('{gateway,lib/runtime,services/*}/src/**/*.ts', { cwd: root })) {
      if (/\.test\.ts$|\/testing\/|runtime\/src\/flow\//.test(file)) continue;
      const source = await readFile(join(root, file), 'utf8');
      const holds = /\b(?:create(?:KeyedSemaphore|Batcher|FairMutex|KeyedMutex|TenantLimit|SharedCapacity)|pLimit)[(<]/;
      if (holds.test(source) && !listed.has(file)) missing.push(file);
    }
    expect(missing).toEqual([]);
  });
});
