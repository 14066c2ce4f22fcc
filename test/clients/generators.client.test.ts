import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';
import { generators } from './generators.ts';
import { fileOf, run } from './tools.ts';

// Clients that public generators make of the served document compile without warnings, and a program that uses them
// works: it creates and publishes a survey, uploads a file, submits responses, lists all pages, exports, corrects a
// response, gets an error, receives a webhook, and deletes it.

const isAll = inject('testScope') === 'all';
const chosen = await Promise.all(
  generators.slice(0, isAll ? undefined : 1).map(async ({ name, program, prepare }) => {
    const client = await prepare().catch((error: Error) => {
      console.warn(`${name} is not available, its client is skipped: ${error.message.split('\n', 2).join(' ')}`);
      return undefined;
    });
    return { name, program, client };
  }),
);

let tenant: TestTenant;
let document: string;

beforeAll(async () => {
  tenant = await createTenant();
  const reply = await fetch(`${inject('stack').gateway}/openapi.json`);
  expect(reply.status).toBe(200);
  document = await reply.text();
});

describe.each(chosen)('the client of $name', ({ program, client }) => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'survey-client-'));
    await cp(fileOf(program), folder, { recursive: true });
    await writeFile(join(folder, 'openapi.json'), document);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.skipIf(client === undefined)('compiles without warnings and works', async () => {
    if (client === undefined) return;
    await client.build(folder);
    const token = await tokenFor(tenant.tenantId, tenant.userId);
    const env = { ...client.env, GATEWAY: inject('stack').gateway, TOKEN: token };
    const output = await run(client.command, { cwd: folder, env });
    const result = JSON.parse(output.trim().split('\n').at(-1) ?? '');
    expect(result).toEqual({
      survey: expect.any(String),
      submitted: result.listed,
      listed: [expect.any(String), expect.any(String), expect.any(String)],
      exported: 3,
      file: expect.any(String),
      corrected: 2,
      deleted: 204,
      event: { type: 'response.submitted', response: expect.any(String) },
      error: 'SURVEY_NOT_FOUND',
    });
    expect(result.listed).toContain(result.event.response);
    const { body } = await tenant.api('GET', `/v1/surveys/${result.survey}/responses?order=asc`);
    expect(body.map(({ id }: { id: string }) => id)).toEqual(result.listed);
    expect(body[2].data.receipt[0].file_id).toBe(result.file);
    expect(body[0].data.taste).toBe(2);
    expect((await tenant.api('GET', '/v1/webhooks')).body).toEqual([]);
  });
});
