import { access, glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARED_RESOURCES } from '../../gateway/src/docs/shared-resources.ts';
import { root } from '../support/run-step.ts';
import { securityProofs } from './security-proofs.ts';

const page = await readFile(join(root, 'SECURITY.md'), 'utf8');
const rules = [...page.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, rule]) => rule);

describe('the boundaries', () => {
  it('have rules, each with its proof', () => {
    expect(rules.length).toBeGreaterThan(40);
    expect(rules).toEqual(Object.keys(securityProofs));
  });

  it.each(Object.entries(securityProofs))('%s', async (_, { 'enforced by': files = [], ...tests }) => {
    expect(files).not.toEqual([]);
    for (const file of files) await expect(access(join(root, file)), file).resolves.toBeUndefined();
    expect(tests).not.toEqual({});
    for (const [file, names] of Object.entries(tests)) {
      const source = await readFile(join(root, file), 'utf8');
      expect(names).not.toEqual([]);
      for (const name of names) expect(source, file).toContain(`'${name}'`);
    }
  });
});

/** Files whose batchers, mutexes or counters hold only what another limit of the list has admitted. */
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

/** A number, or a product or quotient of numbers, as the list writes it: `512`, `64 MiB`, `1/4`. */
function toFigure(expression: string): string {
  const text = expression.replaceAll(/[_\s]/g, '');
  const mebibytes = /^(\d+)\*1024\*1024$/.exec(text)?.[1];
  return mebibytes === undefined ? text : `${mebibytes} MiB`;
}

describe('the shared resources', () => {
  it.each(SHARED_RESOURCES)('$resource', async ({ limits, files }) => {
    const sources = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
    const named = [...limits.matchAll(/`([\w.]+) = ([^`]+)`/g)];
    expect(named).not.toEqual([]);
    for (const [, name = '', figure] of named) {
      const values = sources.map((source) => valueIn(source, name)).filter((value) => value !== undefined);
      expect([name, ...new Set(values.map(toFigure))]).toEqual([name, figure]);
    }
  });

  it('are all that the code has', async () => {
    const listed = new Set([...SHARED_RESOURCES.flatMap(({ files }) => files), ...ADMITTED_BEFORE]);
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
