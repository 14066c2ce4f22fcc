import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesFile } from '../support/metrics/rules.ts';
import { root } from '../support/run-step.ts';

const folder = join(root, 'deploy/prometheus');
const isThere = spawnSync('promtool', ['--version']).status === 0;
if (!isThere) console.warn('no promtool on the PATH (it comes with Prometheus): the rules are not tested');

/** The output of promtool if it fails, else empty. */
function promtool(...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile('promtool', args, (error, stdout, stderr) => resolve(error === null ? '' : `${stdout}${stderr}`));
  });
}

describe.skipIf(!isThere)('promtool (of the Debian package prometheus)', () => {
  it('accepts the rules', async () => {
    expect(await promtool('check', 'rules', rulesFile)).toBe('');
  });

  it('accepts the settings of Prometheus', async () => {
    expect(await promtool('check', 'config', join(folder, 'prometheus.yaml'))).toBe('');
  });

  it.each(['rules.test.yaml', 'hours.test.yaml'])(
    'confirms when alerts fire: %s',
    async (file) => {
      expect(await promtool('test', 'rules', join(folder, file))).toBe('');
    },
    300_000,
  );
});
