import { describe, expect, it } from 'vitest';
import { runScript } from '../testing/run-script.ts';

const run = (options: Parameters<typeof runScript>[1]) => runScript('process-under-test', options);

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const { code, out } = await run({ env: { BEHAVIOUR: 'serve' }, signal });
    expect(code).toBe(0);
    expect(out).toMatch(/"closed".*"stopped"/s);
  });

  it('ends with a failure when its stop hangs for longer than it may', async () => {
    const env = { BEHAVIOUR: 'hang', DRAIN_MS: '100', STOP_MS: '100' };
    const { code, out } = await run({ env, signal: 'SIGTERM' });
    expect(code).toBe(1);
    expect(out).toMatch(/"stopping".*"the stop took too long"/s);
    expect(out).not.toContain('"closed"');
  });

  it('stops cleanly while it is still starting', async () => {
    const env = { BEHAVIOUR: 'start slowly' };
    const { code, out } = await run({ env, signal: 'SIGTERM', once: '"msg":"starting"' });
    expect(code).toBe(0);
    expect(out).not.toContain('fatal');
  });

  it('sets up and ends', async () => {
    const { code, out } = await run({ env: { BEHAVIOUR: 'serve' }, args: ['setup'] });
    expect(code).toBe(0);
    expect(out).toMatch(/"set up".*"closed"/s);
    expect(out).not.toContain('"started"');
  });

  it('prints its settings', async () => {
    const { code, out } = await run({ args: ['--help'] });
    expect([code, out]).toEqual([0, expect.stringContaining('BEHAVIOUR (required)\n    What the process does.')]);
  });

  it('does not start with a bad configuration and says what is wrong', async () => {
    const { code, err } = await run({});
    expect(code).toBe(1);
    expect(err).toContain('BEHAVIOUR is not set');
  });

  it.each(['refuse', 'crash', 'reject'])('ends with a failure and closes when it breaks (%s)', async (behaviour) => {
    const { code, out } = await run({ env: { BEHAVIOUR: behaviour } });
    expect(code).toBe(1);
    expect(out).toMatch(/"level":"fatal".*"closed"/s);
  });
});
