import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { createApi, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

const MIB = 1024 * 1024;
const SIZE = 24 * MIB;

const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Application',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'cv', type: 'file_upload', title: 'Your CV', accept: ['.pdf'], max_bytes: 1_000 },
          { id: 'film', type: 'file_upload', title: 'A film' },
        ],
      },
    ],
  },
};

let tenant: TestTenant;
let surveyId: string;

beforeAll(async () => {
  tenant = await createTenant();
  const { body } = await tenant.api('POST', '/v1/surveys', { body: definition });
  surveyId = body.id;
  expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
});

/** So many bytes, made as they are asked for, and their hash in the end. */
function bytesOf(size: number) {
  const hash = createHash('sha256');
  let left = size;
  const stream = new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close();
      const chunk = Buffer.alloc(Math.min(left, 65_536), left % 251);
      left -= chunk.length;
      hash.update(chunk);
      return controller.enqueue(chunk);
    },
  });
  return { stream, digest: () => hash.digest('hex') };
}

async function upload(question: string, body: Uint8Array | ReadableStream, filename: string) {
  const query = new URLSearchParams({ question_id: question, filename });
  const answer = await fetch(`${inject('stack').gateway}/v1/public/surveys/${surveyId}/files?${query}`, {
    method: 'POST',
    // The types of fetch know only what has a buffer of its own.
    body: body as ReadableStream,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

async function download(fileId: string) {
  const authorization = `Bearer ${await tokenFor(tenant.tenantId, tenant.userId)}`;
  return fetch(`${inject('stack').gateway}/v1/files/${fileId}`, { headers: { authorization } });
}

const api = createApi();
const submit = (data: object) => api('POST', `/v1/public/surveys/${surveyId}/responses`, { body: { data } });

describe('a file', () => {
  it('goes up with a respondent and down to the tenant, and to nobody else', async () => {
    const { stream, digest } = bytesOf(SIZE);
    const { status, body } = await upload('film', stream, 'Film – 1.mp4');
    expect([status, body.size, body.filename]).toEqual([201, SIZE, 'Film – 1.mp4']);
    expect((await download(body.file_id)).status).toBe(404);
    expect((await submit({ film: [{ file_id: body.file_id }] })).status).toBe(201);

    const answer = await download(body.file_id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-length')).toBe(String(SIZE));
    expect(answer.headers.get('content-disposition')).toContain("filename*=UTF-8''Film%20%E2%80%93%201.mp4");
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
    const hash = createHash('sha256');
    for await (const chunk of answer.body ?? []) hash.update(chunk);
    expect(hash.digest('hex')).toBe(digest());

    const stranger = await createTenant();
    expect(await stranger.api('GET', `/v1/files/${body.file_id}`)).toMatchObject({
      status: 404,
      body: { code: 'FILE_NOT_FOUND' },
    });
    expect((await api('GET', `/v1/files/${body.file_id}`)).status).toBe(401);
    expect((await submit({ film: [{ file_id: body.file_id }] })).body.errors).toMatchObject([
      { path: '/data/film', code: 'FILE_NOT_FOUND' },
    ]);
  });

  it('is refused when the question does not take it', async () => {
    const refused = { status: 422, body: { code: 'INVALID_FILE' } };
    expect(await upload('cv', Buffer.from('%PDF-1.7 '.padEnd(2_000)), 'cv.pdf')).toMatchObject(refused);
    expect(await upload('cv', Buffer.from('MZ, not a PDF'), 'cv.pdf')).toMatchObject(refused);
    expect((await upload('cv', Buffer.from('%PDF-1.7 '), 'cv.pdf')).status).toBe(201);
    expect(await submit({ cv: [{ file_id: randomUUID() }] })).toMatchObject({ status: 422 });
  });
});
