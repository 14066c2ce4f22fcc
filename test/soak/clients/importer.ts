import { randomUUID } from 'node:crypto';
import { type Client, type ClientContext, sendAs } from './client.ts';

/** Enough for storing responses and events in one transaction. */
const IMPORTED = 25;

/**
 * Imports responses with given ids. A repeated import stores the missing ones. The key keeps an attempt that was held up
 * from restoring what was deleted after another attempt was acknowledged.
 */
export function createImporter(context: ClientContext, surveyId: string, pause: () => Promise<void>): Client {
  const { ledger } = context;
  return async () => {
    await pause();
    const comments = new Map(Array.from({ length: IMPORTED }, () => [randomUUID(), `imported ${randomUUID()}`]));
    const responses = [...comments].map(([id, comment]) => ({
      id,
      submitted_at: '2026-01-02T03:04:05Z',
      answers: [
        { question_id: 'comment', value: comment },
        { question_id: 'taste', value: 3 },
      ],
    }));
    const path = `/v1/surveys/${surveyId}/responses/import`;
    const headers = { 'idempotency-key': randomUUID() };
    const request = { method: 'POST', path, headers, body: { format: 'json', responses } };
    const { body: report } = await sendAs(context, request, 200);
    if (report.failed !== 0 || report.imported + report.skipped !== IMPORTED)
      throw new Error(`${path} reported ${JSON.stringify(report)}`);
    for (const [id, comment] of comments) {
      const expected = { id, surveyId, key: id, createRequest: undefined, comment, file: undefined };
      const state = { status: 'completed', revision: 1, corrections: 0, isDeleted: false } as const;
      ledger.add({ ...expected, ...state }, 'response imported');
    }
  };
}
