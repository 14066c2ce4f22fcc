import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { LimitedSurveys } from '../../support/faults/respondents.ts';
import {
  type Client,
  type ClientContext,
  publicTarget,
  sendAs,
  submit,
  submitAccepted,
  type Target,
  unexpected,
} from './client.ts';

const MOST_FILE_BYTES = 64 * 1024;
const TOKENS_OF_A_LINK = 50;

/** Submits complete responses to a survey without a limit. */
export function createPlainRespondent(context: ClientContext, surveyId: string): Client {
  return async () => void (await submitAccepted(context, publicTarget(surveyId), { action: 'response submitted' }));
}

/** Takes seats in surveys with limits. */
export function createLimitedRespondent(context: ClientContext, limited: LimitedSurveys): Client {
  return async () => {
    await limited.takeSeat(async (surveyId) => {
      const submitted = await submit(context, publicTarget(surveyId), { action: 'limited response submitted' });
      if ('response' in submitted) return submitted.response.id;
      if (submitted.rejection !== 'RESPONSE_LIMIT_REACHED') throw new Error(`${surveyId}: ${submitted.rejection}`);
      return undefined;
    });
  };
}

/** Starts a response, saves it, and completes it later. */
export function createSlowRespondent(
  context: ClientContext,
  { surveyId, limited, pause }: { surveyId: string; limited: LimitedSurveys; pause: () => Promise<void> },
): Client {
  const { caller, ledger, random } = context;

  /** Returns undefined if the survey is full. */
  async function answer(survey: string): Promise<string | undefined> {
    const begun = await submit(context, publicTarget(survey), { action: 'response begun', status: 'in_progress' });
    if ('rejection' in begun) return undefined;
    const { id } = begun.response;
    const path = `/v1/public/responses/${id}`;
    const headers = { 'resume-token': String(begun.resumeToken) };
    const save = (body: object) => caller.send({ method: 'PATCH', path, body, headers });

    await pause();
    const comment = `saved ${randomUUID()}`;
    const saved = await save({ data: { comment } });
    if (saved.status !== 200) throw unexpected(path, saved);
    ledger.change(id, { revision: 2, comment }, 'response saved');

    await pause();
    const completed = await save({ status: 'completed', data: { taste: 3 } });
    if (completed.status === 409 && completed.body.code === 'RESPONSE_LIMIT_REACHED') return undefined;
    if (completed.status !== 200 || completed.body.status !== 'completed') throw unexpected(path, completed);
    ledger.change(id, { revision: 3, status: 'completed' }, 'response completed');
    return id;
  }

  return async () => {
    if (random() < 0.5) await limited.takeSeat(answer);
    else await answer(surveyId);
  };
}

/** Uploads a file and submits a response with it. */
export function createUploader(context: ClientContext, surveyId: string): Client {
  const { caller, random } = context;
  return async () => {
    const bytes = new Uint8Array(randomBytes(1 + Math.floor(random() * MOST_FILE_BYTES)));
    const path = `/v1/public/surveys/${surveyId}/files?question_id=photo&filename=photo.bin`;
    const uploaded = await caller.send({ method: 'POST', path, body: bytes });
    if (uploaded.status !== 201) throw unexpected(path, uploaded);
    const file = { id: uploaded.body.file_id, sha256: createHash('sha256').update(bytes).digest('hex') };
    await submitAccepted(context, publicTarget(surveyId), { action: 'response with a file submitted', file });
  };
}

/** Uses a single-use link. Each token allows one response, even for concurrent uses. */
export function createTokenHolder(context: ClientContext, surveyId: string): Client {
  const { ledger, random } = context;
  const targets: Target[] = [];

  async function nextTarget(): Promise<Target> {
    const free = targets.pop();
    if (free !== undefined) return free;
    const { body: link } = await sendAs(
      context,
      {
        method: 'POST',
        path: `/v1/surveys/${surveyId}/links`,
        body: { single_use: true, token_count: TOKENS_OF_A_LINK },
        headers: { 'idempotency-key': randomUUID() },
      },
      201,
    );
    for (const token of link.tokens)
      targets.push({ surveyId, path: `/v1/public/links/${link.slug}/responses`, headers: { 'link-token': token } });
    return nextTarget();
  }

  return async () => {
    const target = await nextTarget();
    const use = () => submit(context, target, { action: 'single-use response submitted' });
    const isContested = random() < 0.4;
    // Concurrently, or one after the other.
    const uses = !isContested
      ? [await use()]
      : random() < 0.5
        ? await Promise.all([use(), use()])
        : [await use(), await use()];
    const outcomes = uses.map((used) => ('rejection' in used ? used.rejection : 'stored'));
    const isRight = outcomes.toSorted().join() === (isContested ? 'LINK_TOKEN_USED,stored' : 'stored');
    if (!isRight) ledger.report({ kind: 'single-use token', detail: `${target.path}: ${outcomes.join(', ')}` });
  };
}
