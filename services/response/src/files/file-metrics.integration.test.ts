import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

async function numberOf(series: string): Promise<number> {
  const line = (await app.metrics()).split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return Number(line?.split(' ')[1]);
}

const uploads = async () => ({
  stored: await numberOf('response_file_uploads_total{outcome="stored"}'),
  replayed: await numberOf('response_file_uploads_total{outcome="replayed"}'),
  refused: await numberOf('response_file_uploads_total{outcome="refused"}'),
  failed: await numberOf('response_file_uploads_total{outcome="failed"}'),
  bytes: await numberOf('response_file_stored_bytes_total'),
});

describe('the metrics of files', () => {
  it('count uploads by outcome, and stored bytes, once', async () => {
    expect(await uploads()).toEqual({ stored: 0, replayed: 0, refused: 0, failed: 0, bytes: 0 });
    const survey = addFileSurvey(app);
    const headers = { 'idempotency-key': randomUUID() };
    for (const status of [201, 201]) expect((await survey.upload(pictureOf(500), { headers })).status).toBe(status);
    await survey.upload(Buffer.alloc(0));
    await survey.upload(pictureOf(9), { questionId: 'none' });
    const breaksOff = new ReadableStream({
      start: (stream) => stream.enqueue(pictureOf(70_000)),
      async pull(stream) {
        await poll(async () => (await survey.countDocuments())[0] === 2);
        stream.error(new Error('gone'));
      },
    });
    await expect(survey.upload(breaksOff)).rejects.toThrow();
    await expect.poll(uploads).toEqual({ stored: 1, replayed: 1, refused: 3, failed: 0, bytes: 500 });
  });

  it('report no due files if there are none', async () => {
    await addFileSurvey(app).store();
    const due = async () => [await numberOf('response_files_due'), await numberOf('response_oldest_file_due_seconds')];
    // The sweeper has not deleted the interrupted upload yet.
    await expect.poll(due).toEqual([0, 0]);
  });
});
