import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { root } from '../support/run-step.ts';
import { fileOf, installOnce, run } from './tools.ts';

// The rules that public linters recommend for OpenAPI documents find nothing.

const DOCUMENT = join(root, 'proto/gen/openapi.json');

const isAll = inject('testScope') === 'all';
const folder = isAll ? await install() : undefined;

/** Installs the linters, without their install scripts. Undefined without access to the packages. */
function install(): Promise<string | undefined> {
  return installOnce('openapi-linters', fileOf('linters/package-lock.json'), async (into) => {
    for (const name of ['package.json', 'package-lock.json']) await cp(fileOf('linters', name), join(into, name));
    await run(['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: into });
  }).catch((error: Error) => {
    console.warn(`the linters of the API document are not available: ${error.message.split('\n', 2).join(' ')}`);
    return undefined;
  });
}

describe.skipIf(folder === undefined)('the API document', () => {
  const programOf = (name: string) => join(folder ?? '', 'node_modules/.bin', name);

  it('has no findings of Spectral', async () => {
    const options = ['--ruleset', fileOf('linters/spectral.yaml'), '--fail-severity', 'hint'];
    const output = await run([programOf('spectral'), 'lint', DOCUMENT, ...options], { cwd: root });
    expect(output).toContain("No results with a severity of 'hint' or higher found");
  });

  it('has no findings of Redocly', async () => {
    const options = ['--config', fileOf('linters/redocly.yaml'), '--format', 'json', '--max-problems', '1000'];
    const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const output = await run([programOf('redocly'), 'lint', DOCUMENT, ...options], { cwd: root, env });
    expect(JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)).totals).toEqual({
      errors: 0,
      warnings: 0,
      ignored: 0,
    });
  });
});
