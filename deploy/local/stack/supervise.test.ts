import { describe, expect, it, vi } from 'vitest';
import { type SupervisedProcess, supervise } from './supervise.ts';

interface FakeProcess extends SupervisedProcess {
  readonly die: () => void;
  readonly isStopped: () => boolean;
}

function fakeProcess(): FakeProcess {
  let stopped = false;
  const { promise: exited, resolve } = Promise.withResolvers<string>();
  return {
    exited,
    die: () => resolve('SIGKILL'),
    stop: async () => {
      stopped = true;
      resolve('SIGTERM');
    },
    isStopped: () => stopped,
  };
}

function run(restart: (signal: AbortSignal) => Promise<FakeProcess>, isRestartPaused = () => false) {
  const first = fakeProcess();
  const lines: string[] = [];
  const restarted: FakeProcess[] = [];
  const supervision = supervise({
    name: 'survey',
    first,
    restart,
    onRestarted: (child) => restarted.push(child),
    isRestartPaused,
    log: (line) => lines.push(line),
  });
  return { first, lines, restarted, supervision };
}

describe('supervise', () => {
  it('restarts a process each time it dies, and reports it', async () => {
    const { first, lines, restarted, supervision } = run(async () => fakeProcess());
    first.die();
    await expect.poll(() => restarted).toHaveLength(1);
    restarted[0]?.die();
    await expect.poll(() => restarted).toHaveLength(2);
    expect(lines[0]).toBe('survey ended (SIGKILL), restarting');
    await supervision.stop();
    expect(restarted[1]?.isStopped()).toBe(true);
  });

  it('does not restart a process that it stopped', async () => {
    const restart = vi.fn(async () => fakeProcess());
    const { first, supervision } = run(restart);
    await supervision.stop();
    expect(first.isStopped()).toBe(true);
    expect(restart).not.toHaveBeenCalled();
  });

  it('does not restart a process while restarts are paused', async () => {
    const restart = vi.fn(async () => fakeProcess());
    const isRestartPaused = vi.fn(() => true);
    const { first, restarted, supervision } = run(restart, isRestartPaused);
    first.die();
    await expect.poll(() => isRestartPaused.mock.calls.length).toBeGreaterThan(1);
    expect(restart).not.toHaveBeenCalled();
    isRestartPaused.mockReturnValue(false);
    await expect.poll(() => restarted).toHaveLength(1);
    await supervision.stop();
  });

  it('stops while restarts are paused', async () => {
    const isRestartPaused = vi.fn(() => true);
    const { first, supervision } = run(async () => fakeProcess(), isRestartPaused);
    first.die();
    await expect.poll(() => isRestartPaused).toHaveBeenCalled();
    await supervision.stop();
  });

  it('retries if the restart fails', async () => {
    const restart = vi.fn(async () => fakeProcess()).mockRejectedValueOnce(new Error('no memory'));
    const { first, lines, restarted, supervision } = run(restart);
    first.die();
    await expect.poll(() => restarted).toHaveLength(1);
    expect(lines).toContain('cannot restart survey: no memory');
    await supervision.stop();
  });

  it('stops a process that started during the stop', async () => {
    const late = fakeProcess();
    const started = Promise.withResolvers<FakeProcess>();
    const restart = vi.fn(() => started.promise);
    const { first, supervision } = run(restart);
    first.die();
    await expect.poll(() => restart).toHaveBeenCalled();
    const stopped = supervision.stop();
    started.resolve(late);
    await stopped;
    expect(late.isStopped()).toBe(true);
  });
});
