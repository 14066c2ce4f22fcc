import { describe, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { BASE, buildImage, isPinned, pinBase, requireDocker } from './image-commands.ts';

const DIGEST = `sha256:${'0a'.repeat(32)}`;

describe('the base image of a build', () => {
  it('is named by the digest in the registry', async () => {
    const asked: Command[] = [];
    const base = await pinBase(BASE, async (step) => {
      asked.push(step);
      return `${DIGEST}\n`;
    });
    expect(asked.map(({ args }) => args.at(-1))).toEqual([BASE]);
    expect(base).toBe(`${BASE}@${DIGEST}`);
    expect(buildImage('survey', '1', { base }).args).toContain(`BASE=${BASE}@${DIGEST}`);
  });

  it('is used as given if it has a digest', async () => {
    const named = `registry.example.com/node@${DIGEST}`;
    expect(await pinBase(named, () => Promise.reject(new Error('asked')))).toBe(named);
  });

  it.each(['', 'sha256:12', `sha512:${'0a'.repeat(32)}`])('is rejected with the digest "%s"', async (digest) => {
    await expect(pinBase(BASE, async () => digest)).rejects.toThrow('no digest');
    expect(isPinned(`${BASE}@${digest}`)).toBe(false);
  });
});

describe('a build', () => {
  it.each([
    ['buildx', 'plugin buildx'],
    ['version', 'a running engine'],
  ])('says which Docker it needs if "docker %s" fails', async (failing, message) => {
    const capture = async ({ args }: Command) => {
      if (args[0] === failing) throw new Error('failed');
      return '';
    };
    await expect(requireDocker(capture)).rejects.toThrow(message);
    await requireDocker(async () => '');
  });
});
