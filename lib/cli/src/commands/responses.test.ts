import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { runAgainst } from '../testing/run-against.ts';

const where = { conditions: [{ source_question: 'taste', operator: 'less_than', value: 2 }] };
const plan = { plan_id: 'p1', count: 700, sample_ids: ['r1'], lacking_question: 0, expires_at: '2026-12-01T00:00:00Z' };
const progress = { deleted: 500, skipped: 0, remaining: 200, complete: false };
const done = { deleted: 698, skipped: 2, remaining: 0, complete: true };
const timeout = {
  code: 'DEADLINE_EXCEEDED',
  detail: 'Planning takes longer: 300 responses are read. It goes on: repeat the request after some seconds',
  status: 504,
};

/** Runs a command against a platform with these replies: the status, and the body. */
async function runWith(replies: readonly (readonly [status: number, body: object])[], ...words: readonly string[]) {
  const requests: unknown[] = [];
  const left = [...replies];
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    requests.push(body === '' ? [request.url] : [request.url, JSON.parse(body)]);
    const [status, reply] = left.shift() ?? [500, {}];
    const problem = status >= 400;
    response.writeHead(status, {
      'content-type': problem ? 'application/problem+json' : 'application/json',
      ...(problem && { 'retry-after': '0' }),
    });
    response.end(JSON.stringify(reply));
  }
  return { ...(await runAgainst((...call) => void handle(...call), ['responses', ...words])), requests };
}

const path = '/surveys/v1/surveys/s1/responses/deletions';
const planned = [path, { where, version: 2, all: false, dry_run: true }];
const selection = ['s1', '--where', JSON.stringify(where), '--version', '2'];

it('delete plans, then deletes until nothing remains', async () => {
  const { code, stdout, stderr, requests } = await runWith(
    [
      [504, timeout],
      [200, plan],
      [200, progress],
      [200, done],
    ],
    ...['delete', ...selection],
  );
  expect([code, JSON.parse(stdout)]).toEqual([0, { plan_id: 'p1', ...done }]);
  expect(stderr.split('\n')).toEqual([
    timeout.detail,
    '500 deleted, 0 skipped because they were changed, 200 remaining',
    '698 deleted, 2 skipped because they were changed, 0 remaining',
    '',
  ]);
  const confirmed = [`${path}/p1`, { expected_count: 700 }];
  expect(requests).toEqual([planned, planned, confirmed, confirmed]);
});

it('delete --dry-run prints the plan', async () => {
  const { code, stdout, requests } = await runWith([[200, plan]], 'delete', ...selection, '--dry-run');
  expect([code, JSON.parse(stdout), requests]).toEqual([0, plan, [planned]]);
});

it('delete --expected-count deletes nothing if another number matches', async () => {
  const words = ['delete', ...selection, '--expected-count', '699'];
  const { code, stdout, stderr, requests } = await runWith([[200, plan]], ...words);
  expect([code, stdout, requests]).toEqual([1, '', [planned]]);
  expect(stderr).toBe('700 responses match, not 699. Nothing is deleted.\n');
});

it.each([
  [['delete', 's1', '--where', '{'], '--where is not JSON'],
  [['delete', 's1', '--expected-count', 'all'], '--expected-count is not a number: all'],
  [['export', 's1', '--version', 'latest'], '--version is not a number: latest'],
])('%s is a wrong argument', async (words, message) => {
  const { code, stderr, requests } = await runWith([], ...words);
  expect([code, requests]).toEqual([2, []]);
  expect(stderr).toContain(message);
});

it('export sends conditions in the body', async () => {
  const { code, requests } = await runWith([[200, {}]], 'export', 's1', '--where', JSON.stringify(where));
  const body = { where, format: 'csv' };
  expect([code, requests]).toEqual([0, [['/surveys/v1/surveys/s1/responses/export/query', body]]]);
});

it.each([
  ['export', '?format=csv&version=2', {}],
  ['count', '?version=2', { count: 3 }],
])('%s without conditions is possible before conditions were', async (command, query, reply) => {
  const { code, requests } = await runWith([[200, reply]], command, 's1', '--version', '2');
  expect([code, requests]).toEqual([0, [[`/surveys/v1/surveys/s1/responses/${command}${query}`]]]);
});
