import { randomBytes, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { Binary } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, named, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

const CHUNK = 256 * 1024;

/** A file of four pieces that a response names. */
async function attach() {
  const survey = addFileSurvey(app);
  const bytes = randomBytes(3 * CHUNK + 5);
  const id = await survey.store(bytes, { filename: 'Lebenslauf – "neu".bin' });
  const { body } = await survey.submit({ cv: named(id) });
  return { ...survey, id, bytes, responseId: String(body.id) };
}

describe('a download', () => {
  it('is an attachment that no browser shows or runs', async () => {
    const { id, bytes, download } = await attach();
    const answer = await download(id);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-disposition': `attachment; filename="Lebenslauf ? \\"neu\\".bin"; filename*=UTF-8''Lebenslauf%20%E2%80%93%20%22neu%22.bin`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
    });
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  });

  it('has its head alone for a HEAD', async () => {
    const { id, bytes, download } = await attach();
    const answer = await download(id, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    expect((await answer.arrayBuffer()).byteLength).toBe(0);
  });

  it('has its id for a name when it has none', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store(pictureOf(100));
    await survey.submit({ cv: named(id) });
    const answer = await survey.download(id);
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${id}`);
    expect(answer.headers.get('content-type')).toBe('image/png');
  });

  it('is not found by another tenant, before an answer names it, and when there is none', async () => {
    const { id, download, store } = await attach();
    const waiting = await store();
    for (const answer of [
      await download(id, { owner: randomUUID() }),
      await download(waiting),
      await download(randomUUID()),
      await download('none'),
    ])
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'FILE_NOT_FOUND' }]);
  });

  it('needs its permission', async () => {
    const { id, tenantId } = await attach();
    const refused = await app.call('GET', `/v1/files/${id}`, { tenantId, permissions: ['responses:write'] });
    expect(refused).toMatchObject({ status: 403, body: { detail: "Permission 'responses:read' required" } });
  });

  it('goes on after a restart, and while the survey service is away', async () => {
    const { id, bytes, download } = await attach();
    await app.withoutSurvey(async () => {
      await app.restart();
      const answer = await download(id);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    });
  });
});

describe('a download of what was tampered with', () => {
  type Attached = Awaited<ReturnType<typeof attach>>;
  const piece = (id: string, index: number) => `${id}.00000${index}`;
  const read = async ({ chunks }: Attached, _id: string) => {
    const found = await chunks.findOne({ _id });
    if (found === null) throw new Error('no such piece');
    return found;
  };

  it.each<[string, (file: Attached) => Promise<unknown>]>([
    [
      'has a bit turned',
      async (file) => {
        const { _id, bytes } = await read(file, piece(file.id, 2));
        const turned = Buffer.from(bytes.ct.buffer);
        turned[9] = (turned[9] ?? 0) ^ 1;
        await file.chunks.updateOne({ _id }, { $set: { 'bytes.ct': new Binary(turned) } });
      },
    ],
    ['lacks a piece', (file) => file.chunks.deleteOne({ _id: piece(file.id, 1) })],
    [
      'has two pieces swapped',
      async (file) => {
        const [one, two] = [await read(file, piece(file.id, 1)), await read(file, piece(file.id, 2))];
        await file.chunks.updateOne({ _id: one._id }, { $set: { bytes: two.bytes } });
        await file.chunks.updateOne({ _id: two._id }, { $set: { bytes: one.bytes } });
      },
    ],
    ['is cut off', (file) => file.files.updateOne({ _id: file.id }, { $set: { chunks: 3, size: 3 * CHUNK } })],
    [
      'has a piece of another file',
      async (file) => {
        const other = await file.store(randomBytes(3 * CHUNK));
        const { bytes } = await read(file, piece(other, 1));
        await file.chunks.updateOne({ _id: piece(file.id, 1) }, { $set: { bytes } });
      },
    ],
  ])('breaks off when it %s', async (_case, tamper) => {
    const file = await attach();
    await tamper(file);
    const answer = await file.download(file.id);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  it('is no answer at all when its first piece is gone', async () => {
    const file = await attach();
    await file.chunks.deleteOne({ _id: piece(file.id, 0) });
    expect((await file.download(file.id)).status).toBe(500);
  });
});

describe('a download to somebody who does not read', () => {
  it('reads no further than it can send', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store(randomBytes(40 * CHUNK));
    await survey.submit({ cv: named(id) });
    const authorization = await app.authorizationOf(survey.tenantId, ['responses:read']);
    const sent = request(`http://127.0.0.1:${app.ports().httpPort}/v1/files/${id}`, {
      headers: { authorization },
    }).end();
    const answer = await new Promise<NodeJS.ReadableStream>((resolve) => sent.once('response', resolve));
    answer.pause();
    // What is missing later on is noticed when it is read at last: it was not read before.
    await survey.chunks.deleteOne({ _id: `${id}.000039` });
    const read = async () => {
      for await (const _ of answer);
    };
    await expect(read()).rejects.toThrow();
  });
});
