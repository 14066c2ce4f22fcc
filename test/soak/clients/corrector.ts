import { randomUUID } from 'node:crypto';
import type { LimitedSurveys } from '../../support/faults/respondents.ts';
import type { Reply } from '../caller.ts';
import type { ExpectedResponse } from '../ledger.ts';
import { type Client, type ClientContext, sendAs } from './client.ts';

const DELETED = 0.3;

/**
 * A user of the tenant: corrects responses, deletes some, and checks that they are as they were acknowledged.
 *
 * @param limited after a process dies, the sweeper may raise the revision of a response to one of these surveys, and
 * change nothing else (ADR 28)
 */
export function createCorrector(
  context: ClientContext,
  { limited, pause }: { readonly limited: LimitedSurveys; readonly pause: () => Promise<void> },
): Client {
  const { ledger, random } = context;

  const read = ({ id }: ExpectedResponse): Promise<Reply> =>
    sendAs(context, { method: 'GET', path: `/v1/responses/${id}` }, 200, 404);

  const isLimited = ({ surveyId }: ExpectedResponse) => limited.all.some((survey) => survey.surveyId === surveyId);

  /** Reports a reply that differs from the response. Returns the response at the revision of the reply. */
  function expectRead(response: ExpectedResponse, { status, headers, body }: Reply): ExpectedResponse {
    const revision = Number(JSON.parse(headers.get('etag') ?? '0'));
    const isRaised = isLimited(response) && revision > response.revision;
    const current = isRaised ? { ...response, revision } : response;
    const expected = current.isDeleted ? '404' : `200 "${current.revision}" ${current.comment}`;
    const seen = status === 404 ? '404' : `${status} ${headers.get('etag')} ${body.data.comment}`;
    if (seen !== expected)
      ledger.report({ kind: 'read', detail: `${response.id}: ${seen}, acknowledged was ${expected}` });
    return current;
  }

  /** Sends the correction until it is made. Returns the corrected response. */
  async function send(response: ExpectedResponse, comment: string): Promise<ExpectedResponse> {
    const after = { ...response, comment, revision: response.revision + 1 };
    // A late attempt must not overwrite a later correction.
    const headers = { 'if-match': `"${response.revision}"` };
    const path = `/v1/responses/${response.id}`;
    const { status } = await sendAs(context, { method: 'PATCH', path, body: { data: { comment } }, headers }, 200, 412);
    if (status === 200) return after;
    const reply = await read(response);
    // Either an attempt without a reply has corrected the response, or its revision was raised.
    if (isLimited(response) && reply.body.data?.comment === response.comment)
      return send(expectRead(response, reply), comment);
    return expectRead(after, reply);
  }

  async function correct(response: ExpectedResponse): Promise<void> {
    const current = expectRead(response, await read(response));
    const { comment, revision } = await send(current, `corrected ${randomUUID()}`);
    ledger.change(response.id, { comment, revision, corrections: response.corrections + 1 }, 'response corrected');
  }

  async function remove(response: ExpectedResponse): Promise<void> {
    const { id } = response;
    // 404 if an earlier attempt without a reply has deleted it.
    await sendAs(context, { method: 'DELETE', path: `/v1/responses/${id}` }, 204, 404);
    ledger.change(id, { isDeleted: true }, 'response deleted');
    expectRead({ ...response, isDeleted: true }, await read(response));
  }

  return async () => {
    await pause();
    await ledger.withOne(random, (response) => (random() < DELETED ? remove(response) : correct(response)));
  };
}
