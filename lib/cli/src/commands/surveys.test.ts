import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAgainst } from '../testing/run-against.ts';
import { runInProcess } from '../testing/run-in-process.ts';

let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'survey-push-'));
  file = join(folder, 'lunch.json');
  await writeFile(file, JSON.stringify({ schema_version: '1.0', version: 1, survey: {} }));
});
afterAll(() => rm(folder, { recursive: true }));

it('push prints the id of a survey that it creates and cannot publish', async () => {
  const listener: RequestListener = (request, response) => {
    request.resume();
    const isPublish = request.url?.endsWith('/publish');
    const problem = { code: 'INVALID_DEFINITION', detail: 'The survey definition has errors', status: 422 };
    response.writeHead(isPublish ? 422 : 201, {
      'content-type': isPublish ? 'application/problem+json' : 'application/json',
    });
    response.end(JSON.stringify(isPublish ? problem : { id: 's1', version: 1, status: 'draft' }));
  };
  const { code, stdout, stderr } = await runAgainst(listener, ['surveys', 'push', file, '--publish']);
  expect([code, stdout]).toEqual([1, 's1\n']);
  expect(stderr).toContain('INVALID_DEFINITION');
});

it('validate checks a definition on this machine without a login', async () => {
  const questions = [{ id: 'q', type: 'hologram', title: 'Q' }];
  const survey = { title: 'T', supported_languages: ['en'], pages: [{ questions }] };
  const wrong = join(folder, 'wrong.json');
  await writeFile(wrong, JSON.stringify({ schema_version: '1.0', version: 1, survey }));
  const right = join(folder, 'right.json');
  const valid = { ...survey, pages: [{ questions: [{ id: 'q', type: 'text', title: 'Q' }] }] };
  await writeFile(right, JSON.stringify({ schema_version: '1.0', version: 1, survey: valid }));
  const env = { XDG_CONFIG_HOME: folder };
  const note = 'Not logged in: checked on this machine, without settings and project.\n';
  expect(await runInProcess(['surveys', 'validate', right], { env })).toEqual({
    code: 0,
    stdout: `${right} is valid\n`,
    stderr: note,
  });
  const rejected = await runInProcess(['surveys', 'validate', wrong], { env });
  expect([rejected.code, rejected.stderr]).toEqual([1, note]);
  expect(rejected.stdout).toContain('error /survey/pages/0/questions/0/type ');
});

it('push --draft says that the published version stays', async () => {
  const listener: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ id: 's1', version: 1, status: 'active', has_draft: true }));
  };
  const { code, stdout, stderr } = await runAgainst(listener, ['surveys', 'push', file, 's1', '--draft']);
  expect([code, stdout]).toEqual([0, 's1\n']);
  expect(stderr).toBe('saved as a draft; version 1, active, stays as it is until you publish the draft\n');
});

it('prints the version of the package', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  expect(await runInProcess(['--version'], { env: {} })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it.each([['validate'], ['push'], ['pull'], ['diff', 's1']])('Ctrl-C ends %s', async (command, ...rest) => {
  const caller = new AbortController();
  const { code } = await runAgainst(
    (request) => void request.resume().on('end', () => caller.abort()),
    ['surveys', command, file, ...rest],
    caller.signal,
  );
  expect(code).toBe(130);
});
