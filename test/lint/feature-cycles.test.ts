import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-step.ts';

const services = ['identity', 'response', 'survey'];

/** The feature folders that each feature folder of a service imports, without tests. */
function importsOf(service: string): ReadonlyMap<string, ReadonlySet<string>> {
  const source = join(root, 'services', service, 'src');
  const imports = new Map<string, Set<string>>();
  for (const file of globSync('*/*.ts', { cwd: source })) {
    const folder = dirname(file);
    if (folder === 'testing' || file.endsWith('.test.ts')) continue;
    const imported = imports.get(folder) ?? new Set();
    const text = readFileSync(join(source, file), 'utf8');
    for (const [, other = ''] of text.matchAll(/from '\.\.\/([a-z-]+)\/[a-z-]+\.ts'/g)) imported.add(other);
    imports.set(folder, imported);
  }
  return imports;
}

/** Folders left over after removing, again and again, those that import none of the others. */
function inCycles(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  let left = [...imports.keys()];
  for (;;) {
    const next = left.filter((folder) => left.some((other) => imports.get(folder)?.has(other)));
    if (next.length === left.length) return left;
    left = next;
  }
}

describe('the feature folders', () => {
  it.each(services)('of the %s service do not import each other in a cycle', (service) => {
    const imports = importsOf(service);
    expect(imports.size).toBeGreaterThan(3);
    expect(inCycles(imports)).toEqual([]);
  });

  it('are reported when they do', () => {
    const imports = new Map([
      ['files', new Set(['responses'])],
      ['responses', new Set(['files', 'links'])],
      ['links', new Set<string>()],
    ]);
    expect(inCycles(imports)).toEqual(['files', 'responses']);
  });
});
