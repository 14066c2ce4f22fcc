import {
  ApiError,
  createClient,
  type PublicFile,
  type PublicResponse,
  type PublicSurvey,
  type Reply,
  type SubmitPublicResponseRequest,
  type SubmittedResponse,
  type UpdatePublicResponseRequest,
} from '@survey/client';
import type { Address } from './address.ts';
import { createUploadFetch } from './upload-fetch.ts';

export interface OpenedSurvey {
  readonly survey: PublicSurvey;
  /** Time by the clock of the platform, since the respondent's clock may be wrong. */
  readonly openedAt: Date;
}

/** A reply with the revision of the response. */
export type Revised<T> = T & { readonly revision: number };

/** The operations for respondents, for one survey. They reject with an `ApiError`. */
export interface SurveyApi {
  /** @param password of the link, if it has one */
  open(password?: string): Promise<OpenedSurvey>;
  /** Creates a response. Repeat it with the same body and key until it replies. */
  create(body: SubmitPublicResponseRequest, idempotencyKey: string): Promise<SubmittedResponse>;
  find(responseId: string, resumeToken: string): Promise<Revised<PublicResponse>>;
  /**
   * Changes a response in progress. It can be repeated.
   *
   * @param revision the revision to change; undefined for the latest one. If another device has saved since, the error
   * is `PRECONDITION_FAILED`
   */
  update(
    response: { readonly id: string; readonly resumeToken: string; readonly revision?: number | undefined },
    body: UpdatePublicResponseRequest,
  ): Promise<Revised<SubmittedResponse>>;
  /** @param onProgress gets the sent share, from 0 to 1 */
  upload(questionId: string, file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<PublicFile>;
}

interface Dependencies {
  /** Address of the platform. */
  readonly baseUrl: string;
  readonly address: Address;
  /** Returns the latest `Link-Token`. */
  readonly linkToken: () => string | undefined;
  /** Called with each new `Link-Token`. */
  readonly onLinkToken: (token: string) => void;
}

const PASSWORD = /^[ -~]+$/;

/** Calls the public API at the address of a link or survey. */
export function createSurveyApi({ baseUrl, address, linkToken, onLinkToken }: Dependencies): SurveyApi {
  const { respondents } = createClient({ baseUrl });

  /** The latest token of the link. It also replaces the password once the respondent has entered it. */
  function linkOptions(): { linkToken?: string } {
    const token = linkToken();
    return token === undefined ? {} : { linkToken: token };
  }

  /** Returns the data of a reply for a link, and keeps the `Link-Token` of the reply. */
  async function unwrap<T>(reply: Reply<T>): Promise<T> {
    const { data, response } = await reply.withResponse();
    keepToken(response);
    return data;
  }

  async function withRevision<T>(reply: Reply<T>): Promise<Revised<T>> {
    const { data, response } = await reply.withResponse();
    return { ...data, revision: Number(response.headers.get('etag')?.replaceAll('"', '')) };
  }

  function keepToken({ headers }: Response): void {
    const token = headers.get('link-token');
    if (token !== null) onLinkToken(token);
  }

  function requestSurvey(password: string | undefined): Reply<PublicSurvey> {
    if (address.kind === 'survey') return respondents.getSurvey(address.surveyId);
    if (password === undefined) return respondents.getLink(address.slug, {}, linkOptions());
    // Headers cannot have other characters, and neither can passwords.
    if (!PASSWORD.test(password)) throw new ApiError('wrong password', { code: 'LINK_PASSWORD_WRONG', status: 403 });
    // No retries: after many wrong passwords, the reply is 429, and the page shows it immediately.
    return respondents.getLink(address.slug, {}, { ...linkOptions(), linkPassword: password.trim(), maxRetries: 0 });
  }

  return {
    async open(password) {
      const { data: survey, response } = await requestSurvey(password).withResponse();
      keepToken(response);
      const date = response.headers.get('date');
      return { survey, openedAt: date === null ? new Date() : new Date(date) };
    },
    async create(body, idempotencyKey) {
      const options = { idempotencyKey, maxRetries: 0 };
      if (address.kind === 'survey') return respondents.submitResponse(address.surveyId, body, options);
      return unwrap(respondents.submitLinkResponse(address.slug, body, { ...options, ...linkOptions() }));
    },
    async find(responseId, resumeToken) {
      return withRevision(respondents.getResponse(responseId, { resumeToken }));
    },
    async update({ id, resumeToken, revision }, body) {
      const seen = revision === undefined ? {} : { ifMatch: `"${revision}"` };
      return withRevision(respondents.updateResponse(id, body, { resumeToken, maxRetries: 0, ...seen }));
    },
    async upload(questionId, file, onProgress, signal) {
      const uploads = createClient({ baseUrl, fetch: createUploadFetch(onProgress) });
      const query = { question_id: questionId };
      if (address.kind === 'survey') return uploads.respondents.uploadFile(address.surveyId, file, query, { signal });
      return unwrap(uploads.respondents.uploadLinkFile(address.slug, file, query, { ...linkOptions(), signal }));
    },
  };
}
