import type { Actor } from '@survey/runtime/auth/actor';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import { AppError } from '@survey/runtime/errors/app-error';
import type { StartStopwatch } from '@survey/runtime/flow/stopwatch';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import { type ReferencedFile, type ResponseFiles, referencedFiles } from '../files/response-files.ts';
import type { KeyScope } from '../responses/idempotency.ts';
import type { CountResponse } from '../responses/module.ts';
import type { Response } from '../responses/response.ts';
import { onBehalfEvent, statusEvents } from '../responses/response-events.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import type { Capacity } from '../seats/capacity.ts';
import type { CheckedEntrance, Commit } from '../seats/commit.ts';
import { toLimitError } from '../seats/limit.ts';
import { type CompiledSurvey, checkOpen, checkOwnAddress } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { Link } from '../surveys/link.ts';
import type { Enter, Visit } from '../surveys/link-service.ts';
import { createReplays, type NotStored, type RequestIdentity, type SubmissionCall, type Target } from './replay.ts';
import { type Submission, toResponse } from './submission.ts';

/** The response, and whether this call or an earlier one with the same key stored it. */
export interface Submitted {
  readonly response: Response;
  readonly origin: 'stored' | 'replayed';
}

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly enter: Enter;
  readonly store: Pick<ResponseStore, 'find' | 'findStates'>;
  readonly commit: Commit;
  readonly capacity: Capacity;
  readonly sealer: ResponseSealer;
  readonly files: Pick<ResponseFiles, 'claim' | 'release'>;
  readonly count: CountResponse;
  readonly clock: () => Date;
  readonly startStopwatch: StartStopwatch;
  readonly newId: () => string;
}

/** A response arrives at the survey's own address, through a link, or on behalf of a respondent. */
interface SubmissionChannel extends CheckedEntrance {
  readonly scope: KeyScope;
  readonly link?: Link;
  /** The token of a single-use link. */
  readonly token?: string | undefined;
  /** Throws if the channel is closed. */
  check(survey: CompiledSurvey): void;
  eventsOf(response: Response): readonly OutboxEvent[];
}

interface ValidSubmission {
  readonly kind: 'valid';
  /** The channel, with the version of the survey against which the response was checked. */
  readonly channel: SubmissionChannel;
  readonly response: Response;
  readonly references: readonly ReferencedFile[];
}

interface StoredOutcome {
  readonly kind: 'stored';
  readonly response: Response;
}

/** Maximum number of attempts to store a response. An id is rarely taken, and rarely becomes free during a request. */
const MAX_ATTEMPTS = 3;

export type SubmissionService = ReturnType<typeof createSubmissionService>;

/** Stores submitted responses. A repeated request gets the response that the first one stored. */
export function createSubmissionService(dependencies: Dependencies) {
  const { definitions, enter, commit, capacity, sealer, files, count, clock, startStopwatch, newId } = dependencies;
  const replays = createReplays(dependencies);

  async function submit(channel: SubmissionChannel, call: SubmissionCall): Promise<Submitted> {
    const identity = await replays.identify(toKeyedCall(channel, call));
    const id = identity?.ids[0] ?? newId();
    const checked = await check(channel, call.submission, id);
    const claimsFiles = checked.kind === 'valid' && checked.references.length > 0;
    // A repeated request must claim no files. Without files, the write finds out whether the id is free.
    let next =
      identity !== undefined && (claimsFiles || identity.isUsed)
        ? await replays.find(identity)
        : { id, replaced: undefined };
    for (let attempt = 1; 'replaced' in next; attempt += 1) {
      try {
        if (attempt > MAX_ATTEMPTS) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
        const outcome = checked.kind === 'valid' ? await save(checked, next, identity) : checked;
        if (outcome.kind === 'stored') return { response: outcome.response, origin: 'stored' };
        next = await replays.resolve(identity, outcome);
      } catch (error) {
        if (checked.kind === 'valid') await files.release({ ...checked.response, id: next.id }, checked.references);
        throw error;
      }
    }
    return { response: next, origin: 'replayed' };
  }

  async function check(
    channel: SubmissionChannel,
    submission: Submission,
    id: string,
  ): Promise<ValidSubmission | NotStored> {
    try {
      return await validate(channel, submission, id);
    } catch (error) {
      const newer = namesUnknown(error) ? await definitions.awaitNewer(channel.survey) : undefined;
      if (newer === undefined) return { kind: 'rejected', error };
      return validate({ ...channel, survey: newer }, submission, id).catch((again: unknown) => ({
        kind: 'rejected',
        error: again,
      }));
    }
  }

  async function validate(channel: SubmissionChannel, submission: Submission, id: string): Promise<ValidSubmission> {
    const { survey, link, token, check } = channel;
    const time = clock();
    check(survey);
    checkOpen(survey, time);
    await capacity.check(survey, link);
    const { surveyVersion = survey.version } = submission;
    // `toResponse` reports an unknown version together with the other errors.
    const definition = (await definitions.findVersion(survey, surveyVersion)) ?? survey;
    const response = toResponse(definition, submission, {
      id,
      linkId: link?.id,
      invitationId: token && invitationIdOf(token),
      time,
    });
    return { kind: 'valid', channel, response, references: referencedFiles(definition, response.data) };
  }

  /** Claims the files of the response, seals it and commits it. */
  async function save(
    valid: ValidSubmission,
    { id, replaced }: Target,
    identity: RequestIdentity | undefined,
  ): Promise<StoredOutcome | NotStored> {
    const { channel } = valid;
    const response = { ...valid.response, id };
    try {
      // Files never move to an earlier id: a concurrent request may have stored the response under the later one.
      const earlierIds = identity?.ids.slice(0, identity.ids.indexOf(id));
      await files.claim(response, valid.references, earlierIds);
    } catch (error) {
      return { kind: 'files-rejected', error };
    }
    const seal = await sealer.sealerOf(response.tenantId);
    const sealed = seal(response, identity?.comparable);
    const events = channel.eventsOf(response);
    const outcome = await commit(channel, { response: sealed, replaced, events }).catch(toRejected);
    if (typeof outcome === 'object')
      return 'kind' in outcome ? outcome : { kind: 'rejected', error: new AppError(toLimitError(outcome)) };
    if (outcome !== 'stored') return { kind: 'id-taken' };
    if (response.status !== 'in_progress') count(response);
    return { kind: 'stored', response };
  }

  return {
    /** Stores a response that a respondent sent to the survey's own address. */
    submitPublic(survey: CompiledSurvey, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const channel: SubmissionChannel = {
        survey,
        enter: () => enter({ ...survey, linkId: undefined }),
        ageMs: startStopwatch(),
        scope: { kind: 'public', id: survey.surveyId },
        check: checkOwnAddress,
        eventsOf: (response) => statusEvents(response, traceparent),
      };
      return submit(channel, call);
    },

    /** Stores a response that a respondent sent through a link. */
    submitThrough(visit: Visit, survey: CompiledSurvey, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const { link, token } = visit;
      const { id } = link;
      const channel: SubmissionChannel = {
        survey,
        enter: () => enter({ ...link, linkId: id }),
        ageMs: visit.ageMs,
        scope: { kind: 'link', id },
        link,
        token,
        check() {
          if (visit.outcome === 'rejected') throw visit.error;
        },
        eventsOf: (response) => statusEvents(response, traceparent),
      };
      return submit(channel, call);
    },

    /** Stores a response that a user of the tenant sent on behalf of a respondent. */
    async submitFor(by: Actor, surveyId: string, call: SubmissionCall): Promise<Submitted> {
      const ageMs = startStopwatch();
      const find = () => definitions.findForSubmission(by.tenantId, surveyId);
      const channel: SubmissionChannel = {
        survey: await find(),
        async enter() {
          const survey = await find();
          checkOpen(survey, clock());
          return { survey };
        },
        ageMs,
        scope: { kind: 'tenant', id: surveyId },
        check() {},
        eventsOf: (response) => [...statusEvents(response, by.traceparent), onBehalfEvent(by, response)],
      };
      return submit(channel, call);
    },

    /**
     * Finds the response in progress that was begun with the token of a single-use link. Throws `LINK_TOKEN_USED` if a
     * finished response has used it.
     */
    findInProgress: ({ id, tenantId, surveyId }: Link, token: string): Promise<Response | undefined> =>
      replays.findInProgress(tenantId, { linkId: id, surveyId, text: token }),
  };
}

/** The response must not be stored, such as in a survey that was closed while the response waited. */
function toRejected(error: unknown): NotStored {
  if (error instanceof AppError && error.status < 500) return { kind: 'rejected', error };
  throw error;
}

/** Whether a submission was rejected for a question, option, row, language or version that a newer version may have. */
function namesUnknown(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.errors.some(({ code }) => code.startsWith('UNKNOWN_') || code === 'UNDECLARED_LANGUAGE');
}

function toKeyedCall({ survey: { tenantId, settings }, scope, link, token }: SubmissionChannel, call: SubmissionCall) {
  const linkToken =
    link === undefined || token === undefined ? undefined : { linkId: link.id, surveyId: link.surveyId, text: token };
  return { ...call, tenantId, scope, token: linkToken, isResumable: settings.resumeAcrossDevices };
}
