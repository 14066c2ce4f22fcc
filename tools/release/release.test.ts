import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('release.ts', import.meta.url));

function release(...args: readonly string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

describe('npm run release', () => {
  it('rejects options that a command does not have', async () => {
    const { code, stderr } = await release('chart', '--registry', 'r', '--base', 'b');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('chart takes no --base') });
  });

  it('prints a pinned base image as it is given', async () => {
    const pinned = `node@sha256:${'0a'.repeat(32)}`;
    const { stdout } = await release('commands', '--registry', 'r', '--base', pinned);
    expect(stdout).toContain(`--build-arg BASE=${pinned} --tag`);
    expect((await release('commands', '--registry', 'r')).stdout).toContain('BASE=node:24-bookworm-slim@DIGEST --tag');
  });
});
