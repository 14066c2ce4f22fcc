import { readFileSync } from 'node:fs';
import { poll } from '@survey/runtime/testing/poll';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { lunchSurvey } from '../support/lunch-survey.ts';
import { parseExposition } from '../support/metrics/exposition.ts';
import { type Api, createTenant, type Reply } from '../support/platform.ts';
import { hostileImports } from './hostile-imports.ts';

const BYTES = { 'content-type': 'application/octet-stream' };
const isAll = inject('testScope') === 'all';
/** Responses of a concurrent valid import, enough to make it a job. */
const SOUND = isAll ? 10_000 : 3_000;
/** Tests one of this many formats, and of the files of each. */
const ONE_IN = isAll ? 1 : 5;
const imports = hostileImports
  .filter((_, index) => index % ONE_IN === 0)
  .map((one, index) => ({ ...one, files: [...one.files].filter((_, at) => (at + index) % ONE_IN === 0) }));

let api: Api;
let neighbour: Api;
let surveyId: string;

beforeAll(async () => {
  [api, neighbour] = [(await createTenant()).api, (await createTenant()).api];
  surveyId = await makeSurvey(api);
});

async function makeSurvey(of: Api): Promise<string> {
  return (await of('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
}

/** The metrics of the import process. */
async function lookAtProcess() {
  const page = await fetch(`${inject('stack').services['import']?.admin}/metrics`);
  const series = parseExposition(await page.text()).flatMap((metric) => metric.series);
  const numberOf = (name: string) => series.find((one) => one.name === name)?.value ?? Number.NaN;
  return { startedAt: numberOf('process_start_time_seconds'), bytes: numberOf('process_resident_memory_bytes') };
}

/** The memory limit of its container in the chart, in bytes. */
function readMemoryLimit(): number {
  const { services } = parse(readFileSync(new URL('../../helm/values.yaml', import.meta.url), 'utf8'));
  const [, mebibytes] = /^(\d+)Mi$/.exec(services.import.resources.limits.memory) ?? [];
  return Number(mebibytes) * 1024 ** 2;
}

async function beginSoundImport(): Promise<string> {
  const path = `/v1/surveys/${await makeSurvey(neighbour)}/responses/import?format=ndjson`;
  const lines = Array.from({ length: SOUND }, (_, index) => JSON.stringify({ id: `x-${index}`, data: { came: 'no' } }));
  const { status, body } = await neighbour('POST', path, { body: lines.join('\n'), headers: BYTES });
  expect(status).toBe(202);
  return body.id;
}

async function untilOver(of: Api, id: string, look: () => Promise<void>): Promise<Reply['body']> {
  return poll(async () => {
    await look();
    const { body } = await of('GET', `/v1/imports/${id}`);
    return body.finished_at === undefined ? undefined : body;
  });
}

describe('hostile files', () => {
  it.each(imports)(
    'as $kind of $source in $format end with errors, and do not affect other imports',
    { timeout: 120_000 },
    async ({ kind, source, format, files, outcomes }) => {
      const { startedAt } = await lookAtProcess();
      const sizes: number[] = [];
      const look = async () => {
        sizes.push((await lookAtProcess()).bytes);
      };
      const sound = await beginSoundImport();

      const path = kind === 'surveys' ? '/v1/surveys/import' : `/v1/surveys/${surveyId}/responses/import`;
      const ended = new Map<string, string[]>();
      for (const [name, file] of files) {
        const query = `source=${source}&format=${format}`;
        const { status, body } = await api('POST', `${path}?${query}`, { body: file, headers: BYTES });
        const end = status === 202 ? await untilOver(api, body.id, look) : body;
        await look();
        const codes = new Set([...(end.warnings ?? []), ...(end.errors ?? [])].map(({ code }) => code));
        const outcome = [status, end.code ?? end.status, ...codes].join(' ');
        // During the first file, the other import must still be running.
        if (ended.size === 0) expect((await neighbour('GET', `/v1/imports/${sound}`)).body.status).toBe('running');
        ended.set(outcome, [...(ended.get(outcome) ?? []), name].toSorted());
      }
      const sent = new Set(files.map(([name]) => name));
      const expected = Object.entries(outcomes)
        .map(([outcome, names]) => [outcome, names.filter((name) => sent.has(name)).toSorted()] as const)
        .filter(([, names]) => names.length > 0);
      expect(Object.fromEntries(ended)).toEqual(Object.fromEntries(expected));

      expect(await untilOver(neighbour, sound, look)).toMatchObject({
        status: 'completed',
        progress: { rows: SOUND, imported: SOUND, skipped: 0, failed: 0 },
      });
      expect((await lookAtProcess()).startedAt).toBe(startedAt);
      expect(Math.max(...sizes)).toBeLessThan(readMemoryLimit());
    },
  );

  const inJson = '"source": "custom", "format": "json"';
  it.each([
    ['deep arrays', `{${inJson}, "data": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 422, '/data TOO_DEEP'],
    ['deep arrays without end', `{${inJson}, "data": ${'['.repeat(200_000)}`, 400, undefined],
    ['deep options', `{"options": ${'{"a":'.repeat(100_000)}`, 400, '/options TOO_DEEP'],
    ['a member __proto__', `{${inJson}, "data": {"__proto__": {}}}`, 422, '/data/__proto__ FORBIDDEN_NAME'],
    ['a prototype of the request', `{"__proto__": {${inJson}}, "data": {}}`, 400, '/__proto__ FORBIDDEN_NAME'],
    ['an end within the file', `{${inJson}, "data": {"survey": {"ti`, 400, undefined],
    ['a string instead of JSON', `{${inJson}, "data": "{}"}`, 422, '/data WRONG_TYPE'],
    [
      'a format of another source',
      '{"source": "typeform", "format": "lss", "data": "<a/>"}',
      422,
      '/format NO_SUCH_FORMAT',
    ],
  ])('are rejected in a JSON request too: %s', async (_, text, status, problem) => {
    const { body, ...reply } = await api('POST', '/v1/surveys/import', { body: text });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    const [reported] = body.errors ?? [];
    expect(reported && `${reported.path.replace(/(\/0|\/a)+$/, '')} ${reported.code}`).toBe(problem);
  });
});
