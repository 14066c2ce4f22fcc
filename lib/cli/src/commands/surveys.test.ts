import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAgainst } from '../testing/run-against.ts';

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

it.each([['validate'], ['push'], ['pull'], ['diff', 's1']])('Ctrl-C ends %s', async (command, ...rest) => {
  const caller = new AbortController();
  const { code } = await runAgainst(
    (request) => void request.resume().on('end', () => caller.abort()),
    ['surveys', command, file, ...rest],
    caller.signal,
  );
  expect(code).toBe(130);
});
