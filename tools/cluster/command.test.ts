import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { toCommandLine } from './command.ts';

it('a command is printed as a line that a shell runs with the same words', () => {
  const words = ['plain', 'two words', "it's", '$HOME', '', '{"a":1}', '*'];
  const args = ['-e', 'console.log(JSON.stringify([process.env.NAME, ...process.argv.slice(1)]))', '--', ...words];
  const line = toCommandLine({ command: process.execPath, args, env: { NAME: "a 'name'" } });
  expect(JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' }))).toEqual(["a 'name'", ...words]);
});
