import { describe, expect, it, vi } from 'vitest';
import { type Running, supervise } from './supervise.ts';

interface FakePart extends Running {
  readonly die: () => void;
  readonly isStopped: () => boolean;
}

function fakePart(): FakePart {
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

function run(restart: (signal: AbortSignal) => Promise<FakePart>, isHeld = () => false) {
  const first = fakePart();
  const lines: string[] = [];
  const restarted: FakePart[] = [];
  const supervision = supervise({
    name: 'survey',
    first,
    restart,
    onRestarted: (part) => restarted.push(part),
    isHeld,
    log: (line) => lines.push(line),
  });
  return { first, lines, restarted, supervision };
}

describe('supervise', () => {
  it('starts a part again that died, as often as it dies, and tells of each', async () => {
    const { first, lines, restarted, supervision } = run(async () => fakePart());
    first.die();
    await vi.waitFor(() => expect(restarted).toHaveLength(1), 5_000);
    restarted[0]?.die();
    await vi.waitFor(() => expect(restarted).toHaveLength(2), 5_000);
    expect(lines[0]).toBe('survey ended (SIGKILL); starting it again');
    await supervision.stop();
    expect(restarted[1]?.isStopped()).toBe(true);
  });

  it('does not start a part again that it stopped', async () => {
    const restart = vi.fn(async () => fakePart());
    const { first, supervision } = run(restart);
    await supervision.stop();
    expect(first.isStopped()).toBe(true);
    expect(restart).not.toHaveBeenCalled();
  });

  it('does not start a part again while it is held', async () => {
    const restart = vi.fn(async () => fakePart());
    const isHeld = vi.fn(() => true);
    const { first, restarted, supervision } = run(restart, isHeld);
    first.die();
    await vi.waitFor(() => expect(isHeld).toHaveBeenCalledTimes(2), 5_000);
    expect(restart).not.toHaveBeenCalled();
    isHeld.mockReturnValue(false);
    await vi.waitFor(() => expect(restarted).toHaveLength(1), 5_000);
    await supervision.stop();
  });

  it('stops while a part is held', async () => {
    const isHeld = vi.fn(() => true);
    const { first, supervision } = run(async () => fakePart(), isHeld);
    first.die();
    await vi.waitFor(() => expect(isHeld).toHaveBeenCalled(), 5_000);
    await supervision.stop();
  });

  it('tries once more when the restart fails', async () => {
    const restart = vi.fn(async () => fakePart()).mockRejectedValueOnce(new Error('no memory'));
    const { first, lines, restarted, supervision } = run(restart);
    first.die();
    await vi.waitFor(() => expect(restarted).toHaveLength(1), 5_000);
    expect(lines).toContain('survey cannot be started again: no memory');
    await supervision.stop();
  });

  it('stops a part that started while it was told to stop', async () => {
    const late = fakePart();
    const started = Promise.withResolvers<FakePart>();
    const restart = vi.fn(() => started.promise);
    const { first, supervision } = run(restart);
    first.die();
    await vi.waitFor(() => expect(restart).toHaveBeenCalled(), 5_000);
    const stopped = supervision.stop();
    started.resolve(late);
    await stopped;
    expect(late.isStopped()).toBe(true);
  });
});
