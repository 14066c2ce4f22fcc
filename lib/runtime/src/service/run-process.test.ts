import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../testing/process-under-test.ts');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the process; once it writes the line, that it has started, it gets the signal. */
function run(
  env: Record<string, string>,
  args: readonly string[] = [],
  signal?: NodeJS.Signals,
  line = '"msg":"started"',
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } });
    let [out, err] = ['', ''];
    let isSignalled = false;
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (signal === undefined || isSignalled || !out.includes(line)) return;
      isSignalled = true;
      child.kill(signal);
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.on('close', (code) => resolve({ code, out, err }));
  });
}

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const { code, out } = await run({ BEHAVIOUR: 'serve' }, [], signal);
    expect(code).toBe(0);
    expect(out).toMatch(/"closed".*"stopped"/s);
  });

  it('ends with a failure when its stop hangs for longer than it may', async () => {
    const { code, out } = await run({ BEHAVIOUR: 'hang', DRAIN_MS: '100', STOP_MS: '100' }, [], 'SIGTERM');
    expect(code).toBe(1);
    expect(out).toMatch(/"stopping".*"the stop took too long"/s);
    expect(out).not.toContain('"closed"');
  });

  it('stops cleanly while it is still starting', async () => {
    const { code, out } = await run({ BEHAVIOUR: 'start slowly' }, [], 'SIGTERM', '"msg":"starting"');
    expect(code).toBe(0);
    expect(out).not.toContain('fatal');
  });

  it('sets up and ends', async () => {
    const { code, out } = await run({ BEHAVIOUR: 'serve' }, ['setup']);
    expect(code).toBe(0);
    expect(out).toMatch(/"set up".*"closed"/s);
    expect(out).not.toContain('"started"');
  });

  it('prints its settings', async () => {
    const { code, out } = await run({}, ['--help']);
    expect([code, out]).toEqual([0, expect.stringContaining('BEHAVIOUR (required)\n    What the process does.')]);
  });

  it('does not start with a bad configuration and says what is wrong', async () => {
    const { code, err } = await run({});
    expect(code).toBe(1);
    expect(err).toContain('BEHAVIOUR is not set');
  });

  it.each(['refuse', 'crash', 'reject'])('ends with a failure and closes when it breaks (%s)', async (behaviour) => {
    const { code, out } = await run({ BEHAVIOUR: behaviour });
    expect(code).toBe(1);
    expect(out).toMatch(/"level":"fatal".*"closed"/s);
  });
});
