import { randomUUID } from 'node:crypto';
import type { Random } from '@survey/runtime/testing/seeded-random';
import type { Caller, Reply, Request } from '../caller.ts';
import type { ExpectedFile, ExpectedResponse, Ledger } from '../ledger.ts';

/** The shared context of all clients. */
export interface ClientContext {
  readonly caller: Caller;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Aborted when no more work should start. */
  readonly stopping: AbortSignal;
}

/** Performs one unit of work. */
export type Client = () => Promise<void>;

/** The target of a submission. */
export interface Target {
  readonly surveyId: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Submission {
  readonly action: string;
  readonly status?: ExpectedResponse['status'];
  readonly file?: ExpectedFile;
}

/** A submitted response, or the error code of a rejection. */
export type Submitted =
  | { readonly response: ExpectedResponse; readonly resumeToken: string | undefined }
  | { readonly rejection: string };

/** The share of requests that are sent twice concurrently, as impatient clients do. */
const TWICE = 0.2;

export const publicTarget = (surveyId: string): Target => ({
  surveyId,
  path: `/v1/public/surveys/${surveyId}/responses`,
});

/** Submits a response with retries, and records it in the ledger. Rejections are 409 and 410. */
export async function submit(
  { caller, ledger, random }: ClientContext,
  target: Target,
  { action, status = 'completed', file }: Submission,
): Promise<Submitted> {
  const key = randomUUID();
  const comment = `submitted ${key}`;
  const answers = { comment, ...(status === 'completed' ? { taste: 1 + Math.floor(random() * 5) } : {}) };
  const data = file === undefined ? answers : { ...answers, photo: [{ file_id: file.id }] };
  const headers = { ...target.headers, 'idempotency-key': key };
  const createRequest = { path: target.path, body: { status, data, metadata: { key } }, headers };
  const send = () => caller.send({ method: 'POST', ...createRequest });
  const reply = random() < TWICE ? await sendTwice(send, ledger) : await send();
  if (reply.status === 409 || reply.status === 410) {
    // An attempt without a reply can still be carried out later, when a deletion has freed a seat.
    ledger.reject(key, { isFinal: !reply.hasOpenAttempt });
    return { rejection: reply.body.code };
  }
  if (reply.status !== 201 || reply.body.status !== status) throw unexpected(createRequest.path, reply);
  const response = {
    id: reply.body.id,
    surveyId: target.surveyId,
    key,
    createRequest,
    status,
    revision: 1,
    corrections: 0,
    comment,
    isDeleted: false,
    file,
  };
  ledger.add(response, action);
  return { response, resumeToken: reply.body.resume_token };
}

/**
 * Sends a request twice concurrently. One replica can reject it while another accepts it; a third request returns the
 * final result.
 */
async function sendTwice(send: () => Promise<Reply>, ledger: Ledger): Promise<Reply> {
  const both = await Promise.all([send(), send()]);
  const good = both.find(({ status }) => status === 201);
  if (good === undefined) return { ...both[0], hasOpenAttempt: both.some(({ hasOpenAttempt }) => hasOpenAttempt) };
  const replies = [...both.filter(({ status }) => status === 201), await send()];
  if (replies.some(({ body }) => body.id !== good.body.id))
    ledger.report({ kind: 'one key, two replies', detail: replies.map(toText).join(' and ') });
  return good;
}

/** Like `submit`, if no rejection is possible. */
export async function submitAccepted(context: ClientContext, target: Target, submission: Submission) {
  const submitted = await submit(context, target, submission);
  if ('rejection' in submitted) throw new Error(`${target.path} rejected a response: ${submitted.rejection}`);
  return submitted;
}

/** Sends a request of the tenant with retries. Throws on other statuses. */
export async function sendAs(
  { caller }: Pick<ClientContext, 'caller'>,
  request: Request,
  ...statuses: readonly number[]
): Promise<Reply> {
  const reply = await caller.send({ ...request, isTenants: true });
  if (!statuses.includes(reply.status)) throw unexpected(`${request.method} ${request.path}`, reply);
  return reply;
}

export function unexpected(request: string, reply: Reply): Error {
  return new Error(`${request} returned ${toText(reply)}`);
}

const toText = ({ status, body }: Reply) => `${status} ${JSON.stringify(body)}`;
