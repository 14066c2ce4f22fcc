import { ApiError, type SubmitPublicResponseRequest, type SubmittedResponse } from '@survey/client';
import { type Answers, questionsOf } from '@survey/questionnaire';
import { type JsonObject, ownMember } from '@survey/questionnaire/json';
import { pointer } from '@survey/questionnaire/pointer';
import type { SurveyApi } from './api.ts';
import { isAboutMetadata, isAccessDenied, isRejected, isTemporary } from './errors.ts';
import { validAnswers } from './flow.ts';
import type { Progress } from './progress.ts';

/** Sends answers, one request after the other. */
export interface Sender {
  /** Saves the answers as a response in progress. Rejects with an `ApiError`. */
  save(): Promise<void>;
  /**
   * Submits the answers. Without a connection, it tries until the platform replies. Rejects with an `ApiError` that the
   * respondent has to see.
   */
  submit(): Promise<SubmittedResponse>;
}

interface Dependencies {
  readonly api: SurveyApi;
  readonly read: () => Progress;
  /** Changes the progress, and stores it immediately: a reload must find the key of a request that was sent. */
  readonly change: (changes: Partial<Progress>) => void;
  readonly newKey: () => string;
  /** Waits before an attempt. Resolves early if the connection is back, or if the respondent asks for it. */
  readonly wait: (ms: number) => Promise<void>;
  /** Called before each wait of a submit. */
  readonly onWaiting: (error: ApiError) => void;
}

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;

export function createSender({ api, read, change, newKey, wait, onWaiting }: Dependencies): Sender {
  let last: Promise<unknown> = Promise.resolve();

  /** Starts a request when the previous one has ended. */
  function enqueue<T>(run: () => Promise<T>): Promise<T> {
    const request = last.then(run, run);
    last = request;
    return request;
  }

  async function send(status: 'in_progress' | 'completed'): Promise<SubmittedResponse> {
    try {
      return await createOrUpdate(status);
    } catch (error) {
      // The respondent cannot correct metadata from the address, so the answers are sent without it.
      const { metadata } = read();
      if (metadata === undefined || !isRejected(error) || !error.errors.some(isAboutMetadata)) throw error;
      change({ metadata: withoutRejected(metadata, error) });
      return send(status);
    }
  }

  async function createOrUpdate(status: 'in_progress' | 'completed'): Promise<SubmittedResponse> {
    if (read().response === undefined) {
      const created = await create(status);
      if (created.status !== 'in_progress' || status === 'in_progress') return created;
    }
    const { response, ...progress } = read();
    if (response === undefined) throw new Error('the response was not created');
    const answers = validAnswers(progress);
    try {
      const updated = await api.update(response, toChanges(progress, answers, status));
      change({ response: { ...response, revision: updated.revision, answers } });
      return updated;
    } catch (error) {
      // The response was abandoned or deleted meanwhile. The next attempt creates another one.
      if (error instanceof ApiError && error.code === 'RESPONSE_NOT_FOUND') change({ response: undefined });
      throw error;
    }
  }

  async function create(status: 'in_progress' | 'completed'): Promise<SubmittedResponse> {
    const { creation = { key: newKey(), body: toBody(read(), status) } } = read();
    change({ creation });
    try {
      const created = await api.create(creation.body, creation.key);
      const { id, resume_token: resumeToken } = created;
      // The reply may be a repetition, and another device may have saved since. A new response has the revision 1.
      const response = resumeToken && { id, resumeToken, revision: 1, answers: creation.body.data };
      change({ creation: undefined, ...(response && { response }) });
      return created;
    } catch (error) {
      // A rejected request has created nothing, so the next one gets a new key and body. Otherwise repeat this one.
      if (isRejected(error) && !isAccessDenied(error)) change({ creation: undefined });
      throw error;
    }
  }

  async function submit(): Promise<SubmittedResponse> {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
      try {
        return await send('completed');
      } catch (error) {
        if (error instanceof ApiError && error.code === 'RESPONSE_NOT_FOUND') continue;
        if (!isTemporary(error)) throw error;
        onWaiting(error);
        await wait(error.retryAfterSeconds === undefined ? waitMs : 1_000 * error.retryAfterSeconds);
      }
    }
  }

  return {
    save: () => enqueue(async () => void (await send('in_progress'))),
    submit: () => enqueue(submit),
  };
}

/** Removes the members that an error names; all if it names none of them, such as for the size. */
function withoutRejected(metadata: JsonObject, { errors }: ApiError): Progress['metadata'] {
  const rejected = new Set(errors.map(({ path }) => path));
  const accepted = Object.entries(metadata).filter(([name]) => !rejected.has(pointer('/metadata', name)));
  const isNamed = accepted.length > 0 && accepted.length < Object.keys(metadata).length;
  return isNamed ? Object.fromEntries(accepted) : undefined;
}

function toBody(progress: Progress, status: 'in_progress' | 'completed'): SubmitPublicResponseRequest {
  const { survey, metadata, language, startedAt } = progress;
  return {
    status,
    ...(metadata && { metadata }),
    data: validAnswers(progress),
    survey_version: survey.version,
    language,
    started_at: startedAt,
  };
}

/** All answers as a merge patch: null removes an answer that was saved before. */
function toChanges(progress: Progress, data: Answers, status: 'in_progress' | 'completed') {
  const ids = questionsOf(progress.survey.definition).map(({ id }) => id);
  return {
    status,
    ...(progress.metadata && { metadata: progress.metadata }),
    language: progress.language,
    data: Object.fromEntries(ids.map((id) => [id, ownMember(data, id) ?? null])),
  };
}
