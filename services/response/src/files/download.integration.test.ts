import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, fileAnswer, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const CHUNK = 256 * 1024;

/** Stores a file of four chunks, and a response that names it. */
async function attach() {
  const survey = addFileSurvey(app);
  const bytes = randomBytes(3 * CHUNK + 5);
  const id = await survey.store(bytes, { filename: 'Lebenslauf – "neu".bin' });
  const { body } = await survey.submit({ cv: fileAnswer(id) });
  return { ...survey, id, bytes, responseId: String(body.id) };
}

describe('a download', () => {
  it('is an attachment that no browser shows or runs', async () => {
    const { id, bytes, download } = await attach();
    const reply = await download(id);
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="Lebenslauf ? \\"neu\\".bin"; filename*=UTF-8''Lebenslauf%20%E2%80%93%20%22neu%22.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('returns only headers for HEAD', async () => {
    const { id, bytes, download } = await attach();
    const reply = await download(id, { method: 'HEAD' });
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await reply.arrayBuffer()).byteLength).toBe(0);
  });

  it('uses the id as the name of a file without one', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store(pictureOf(100));
    await survey.submit({ cv: fileAnswer(id) });
    const reply = await survey.download(id);
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename=${id}`);
    expect(reply.headers.get('content-type')).toBe('image/png');
  });

  it('does not find a file of another tenant, one that no answer names, or an unknown one', async () => {
    const { id, download, store } = await attach();
    const waiting = await store();
    for (const reply of [
      await download(id, { owner: randomUUID() }),
      await download(waiting),
      await download(randomUUID()),
      await download('none'),
    ])
      expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
  });

  it('needs its permission', async () => {
    const { id, tenantId } = await attach();
    const rejected = await app.call('GET', `/v1/files/${id}`, { tenantId, permissions: ['responses:write'] });
    expect(rejected).toMatchObject({ status: 403, body: { detail: "Permission 'responses:read' required" } });
  });

  it('works after a restart, and during an outage of the survey service', async () => {
    const { id, bytes, download } = await attach();
    await app.withoutSurvey(async () => {
      await app.restart();
      const reply = await download(id);
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
    });
  });
});

describe('a download of a modified file', () => {
  type Attached = Awaited<ReturnType<typeof attach>>;
  const chunkId = (id: string, index: number) => `${id}.00000${index}`;
  const read = async ({ chunks }: Attached, _id: string) => {
    const found = await chunks.findOne({ _id });
    if (found === null) throw new Error('no such chunk');
    return found;
  };

  it.each<[string, (file: Attached) => Promise<unknown>]>([
    [
      'has a flipped bit',
      async (file) => {
        const { _id, bytes } = await read(file, chunkId(file.id, 2));
        const turned = Buffer.from(bytes.ct.buffer);
        turned[9] = (turned[9] ?? 0) ^ 1;
        await file.chunks.updateOne({ _id }, { $set: { 'bytes.ct': new Binary(turned) } });
      },
    ],
    ['lacks a chunk', (file) => file.chunks.deleteOne({ _id: chunkId(file.id, 1) })],
    [
      'has two swapped chunks',
      async (file) => {
        const [one, two] = [await read(file, chunkId(file.id, 1)), await read(file, chunkId(file.id, 2))];
        await file.chunks.updateOne({ _id: one._id }, { $set: { bytes: two.bytes } });
        await file.chunks.updateOne({ _id: two._id }, { $set: { bytes: one.bytes } });
      },
    ],
    ['is truncated', (file) => file.files.updateOne({ _id: file.id }, { $set: { chunks: 3, size: 3 * CHUNK } })],
    [
      'has a chunk of another file',
      async (file) => {
        const other = await file.store(randomBytes(3 * CHUNK));
        const { bytes } = await read(file, chunkId(other, 1));
        await file.chunks.updateOne({ _id: chunkId(file.id, 1) }, { $set: { bytes } });
      },
    ],
  ])('breaks off if it %s', async (_case, tamper) => {
    const file = await attach();
    await tamper(file);
    const reply = await file.download(file.id);
    expect(reply.status).toBe(200);
    await expect(reply.arrayBuffer()).rejects.toThrow();
  });

  it('fails with an error if the first chunk is missing', async () => {
    const file = await attach();
    await file.chunks.deleteOne({ _id: chunkId(file.id, 0) });
    expect((await file.download(file.id)).status).toBe(500);
  });
});

describe('a download by a client that does not read', () => {
  it('does not read ahead of the client', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store(randomBytes(40 * CHUNK));
    await survey.submit({ cv: fileAnswer(id) });
    const authorization = await app.authorizationOf(survey.tenantId, ['responses:read']);
    const sent = request(`http://127.0.0.1:${app.ports().httpPort}/v1/files/${id}`, {
      headers: { authorization },
    }).end();
    const reply = await new Promise<NodeJS.ReadableStream>((resolve) => sent.once('response', resolve));
    reply.pause();
    // Remove the last chunk. If the reply fails later, the service had not read the chunk before.
    await survey.chunks.deleteOne({ _id: `${id}.000039` });
    const read = async () => {
      for await (const _ of reply);
    };
    await expect(read()).rejects.toThrow();
  });
});
