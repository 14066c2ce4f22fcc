import { randomUUID } from 'node:crypto';
import type { Reply } from '../caller.ts';
import type { ExpectedResponse } from '../ledger.ts';
import { type Client, type ClientContext, sendAs } from './client.ts';

const DELETED = 0.3;

/** A user of the tenant who corrects responses, deletes some, and looks whether they are as they were acknowledged. */
export function createCorrector(context: ClientContext, pause: () => Promise<void>): Client {
  const { ledger, random } = context;

  const read = ({ id }: ExpectedResponse): Promise<Reply> =>
    sendAs(context, { method: 'GET', path: `/v1/responses/${id}` }, 200, 404);

  function expectRead(response: ExpectedResponse, { status, headers, body }: Reply): void {
    const expected = response.isDeleted ? '404' : `200 "${response.revision}" ${response.comment}`;
    const seen = status === 404 ? '404' : `${status} ${headers.get('etag')} ${body.data.comment}`;
    if (seen !== expected)
      ledger.report({ kind: 'read', detail: `${response.id}: ${seen}, acknowledged was ${expected}` });
  }

  async function correct(response: ExpectedResponse): Promise<void> {
    const { id } = response;
    expectRead(response, await read(response));
    const comment = `corrected ${randomUUID()}`;
    const after = { ...response, comment, revision: response.revision + 1 };
    // An attempt that arrives late must not undo a later correction.
    const headers = { 'if-match': `"${response.revision}"` };
    const path = `/v1/responses/${id}`;
    const { status } = await sendAs(context, { method: 'PATCH', path, body: { data: { comment } }, headers }, 200, 412);
    // 412 when an attempt that got no answer has corrected it.
    if (status === 412) expectRead(after, await read(response));
    const { revision } = after;
    ledger.change(id, { comment, revision, corrections: response.corrections + 1 }, 'response corrected');
  }

  async function remove(response: ExpectedResponse): Promise<void> {
    const { id } = response;
    // 404 when an attempt that got no answer has deleted it.
    await sendAs(context, { method: 'DELETE', path: `/v1/responses/${id}` }, 204, 404);
    ledger.change(id, { isDeleted: true }, 'response deleted');
    expectRead({ ...response, isDeleted: true }, await read(response));
  }

  return async () => {
    await pause();
    await ledger.withOne(random, (response) => (random() < DELETED ? remove(response) : correct(response)));
  };
}
