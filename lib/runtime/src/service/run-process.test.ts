import { describe, expect, it } from 'vitest';
import { runScript } from '../testing/processes/run-script.ts';

const run = (options: Parameters<typeof runScript>[1]) => runScript('process-under-test', options);

describe('runProcess', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stops cleanly on %s', async (signal) => {
    const { code, out } = await run({ env: { BEHAVIOUR: 'serve' }, signal });
    expect(code).toBe(0);
    expect(out).toMatch(/"closed".*"stopped"/s);
  });

  it('exits with a failure if its stop exceeds the time limit', async () => {
    const env = { BEHAVIOUR: 'hang', DRAIN_MS: '100', STOP_MS: '100' };
    const { code, out } = await run({ env, signal: 'SIGTERM' });
    expect(code).toBe(1);
    expect(out).toMatch(/"stopping".*"stop timed out"/s);
    expect(out).not.toContain('"closed"');
  });

  it('stops cleanly while it is still connecting', async () => {
    const env = { BEHAVIOUR: 'create slowly' };
    const { code, out } = await run({ env, signal: 'SIGTERM', signalAfter: '"msg":"creating"' });
    expect(code).toBe(0);
    expect(out).toContain('"stopped"');
  });

  it('stops cleanly while it is still starting', async () => {
    const env = { BEHAVIOUR: 'start slowly' };
    const { code, out } = await run({ env, signal: 'SIGTERM', signalAfter: '"msg":"starting"' });
    expect(code).toBe(0);
    expect(out).not.toContain('fatal');
  });

  it('runs setup and exits', async () => {
    const { code, out } = await run({ env: { BEHAVIOUR: 'serve' }, args: ['setup'] });
    expect(code).toBe(0);
    expect(out).toMatch(/"set up".*"closed"/s);
    expect(out).not.toContain('"started"');
  });

  it('prints its settings', async () => {
    const { code, out } = await run({ args: ['--help'] });
    expect([code, out]).toEqual([0, expect.stringContaining('BEHAVIOUR (required)\n    What the process does.')]);
  });

  it('does not start with a bad configuration, and reports the problems', async () => {
    const { code, err } = await run({});
    expect(code).toBe(1);
    expect(err).toContain('BEHAVIOUR is not set');
  });

  it.each(['refuse', 'crash', 'reject'])(
    'exits with a failure after a clean stop on a fatal error (%s)',
    async (behaviour) => {
      const { code, out } = await run({ env: { BEHAVIOUR: behaviour } });
      expect(code).toBe(1);
      expect(out).toMatch(/"level":"fatal".*"closed"/s);
    },
  );
});
