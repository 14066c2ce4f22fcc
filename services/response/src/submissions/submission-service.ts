import type { ChangeContext } from '@survey/runtime/auth/caller';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ReferencedFile, type ResponseFiles, referencedFiles } from '../files/response-files.ts';
import type { Rejection } from '../responses/group-commit.ts';
import type { CountStored } from '../responses/module.ts';
import type { Response } from '../responses/response.ts';
import { onBehalfEvent, statusEvents } from '../responses/response-events.ts';
import type { IdempotencyScope, ResponseSealer, TenantSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import type { Capacity } from '../seats/capacity.ts';
import type { CheckedEntrance, Commit } from '../seats/commit.ts';
import { toLimitError } from '../seats/limit.ts';
import type { StartStopwatch } from '../stopwatch.ts';
import { type CompiledSurvey, checkOpen, checkOwnAddress } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { Link } from '../surveys/link.ts';
import type { FindEntrance, LinkService, Visit } from '../surveys/link-service.ts';
import { createReplays, type NotStored, type RequestIdentity, type SubmissionCall, type Target } from './replay.ts';
import { type Submission, toResponse } from './submission.ts';

/** The response. `stored`: this call stored it. `replayed`: an earlier call with the same key stored it. */
export interface Submitted {
  readonly response: Response;
  readonly origin: 'stored' | 'replayed';
}

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly links: Pick<LinkService, 'metadataFor'>;
  readonly findEntrance: FindEntrance;
  readonly store: Pick<ResponseStore, 'find' | 'findStates'>;
  readonly commit: Commit;
  readonly capacity: Capacity;
  readonly sealer: ResponseSealer;
  readonly files: Pick<ResponseFiles, 'claim' | 'release'>;
  readonly countStored: CountStored;
  readonly clock: () => Date;
  readonly startStopwatch: StartStopwatch;
  readonly newId: () => string;
}

/** The way in which a response arrives: at the survey's own address, through a link, or from a user of the tenant. */
interface SubmissionChannel extends CheckedEntrance {
  readonly scope: IdempotencyScope;
  readonly link?: Link;
  /** The token of a single-use link. */
  readonly token?: string | undefined;
  readonly traceparent: string;
  /** The user who submits on behalf of a respondent. */
  readonly by?: ChangeContext;
  /** Throws if the survey accepts no responses through this channel. */
  check(survey: CompiledSurvey): void;
}

/** A submission that passed all checks. */
interface Checked {
  readonly kind: 'checked';
  /** The channel, with the version of the survey against which the response was checked. */
  readonly channel: SubmissionChannel;
  readonly response: Response;
  readonly references: readonly ReferencedFile[];
}

interface Stored {
  readonly kind: 'stored';
  readonly response: Response;
}

/** Maximum number of attempts to store a response, each with a new target. */
const MAX_ATTEMPTS = 3;

export type SubmissionService = ReturnType<typeof createSubmissionService>;

/**
 * Stores submitted responses. A repeated request gets the response that the first one stored. The steps of a submit:
 *
 * 1. `identify` makes the ids that the response can have, from the key or token of the request.
 * 2. `check` checks survey, link, capacity and answers.
 * 3. If the response has files, `replays.find` looks for the response of an earlier request.
 * 4. `store` claims the files, then seals and commits the response.
 * 5. If the response was not stored, `replays.resolve` finds the response of an earlier request or another id to try.
 *    Otherwise it throws the error, and the files are released.
 */
export function createSubmissionService(dependencies: Dependencies) {
  const {
    definitions,
    links,
    findEntrance,
    commit,
    capacity,
    sealer,
    files,
    countStored,
    clock,
    startStopwatch,
    newId,
  } = dependencies;
  const replays = createReplays(dependencies);

  async function submit(channel: SubmissionChannel, call: SubmissionCall): Promise<Submitted> {
    const tenantSealer = await sealer.forTenant(channel.survey.tenantId);
    const identity = await replays.identify(tenantSealer, channel, call);
    const id = identity?.ids[0] ?? newId();
    const checked = await check(channel, call.submission, id);
    const claimsFiles = checked.kind === 'checked' && checked.references.length > 0;
    // A repeated request must claim no files. Without files, the write finds out whether the id is taken.
    let next =
      identity !== undefined && (claimsFiles || identity.isUsed)
        ? await replays.find(identity)
        : { id, replaced: undefined };
    for (let attempts = 1; 'replaced' in next; attempts += 1) {
      try {
        if (attempts > MAX_ATTEMPTS) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
        const outcome = checked.kind === 'rejected' ? checked : await store(checked, next, tenantSealer, identity);
        if (outcome.kind === 'stored') return { response: outcome.response, origin: 'stored' };
        next = await replays.resolve(identity, outcome);
      } catch (error) {
        if (checked.kind === 'checked') await files.release({ ...checked.response, id: next.id }, checked.references);
        throw error;
      }
    }
    return { response: next, origin: 'replayed' };
  }

  /** Checks a submission. If it names something unknown, checks it again with a newer version of the survey, if any. */
  async function check(channel: SubmissionChannel, submission: Submission, id: string): Promise<Checked | Rejection> {
    const { link, token, by } = channel;
    const source = by === undefined ? 'url' : 'api';
    for (let { survey } = channel; ; ) {
      const time = clock();
      try {
        channel.check(survey);
        checkOpen(survey, time);
        await capacity.check(survey, link);
        const { surveyVersion = survey.version } = submission;
        // `toResponse` reports an unknown version together with the other errors.
        const definition = (await definitions.findVersion(survey, surveyVersion)) ?? survey;
        const invitationId = token && invitationIdOf(token);
        const given = link && (await links.metadataFor(link, invitationId));
        const arrival = { id, linkId: link?.id, invitationId, given, time, source } as const;
        const response = toResponse(definition, submission, arrival);
        const references = referencedFiles(definition, response.data);
        return { kind: 'checked', channel: { ...channel, survey }, response, references };
      } catch (error) {
        const mayBeNewer = survey === channel.survey && namesUnknown(error);
        const newer = mayBeNewer ? await definitions.awaitNewer(survey) : undefined;
        if (newer === undefined) return { kind: 'rejected', error };
        survey = newer;
      }
    }
  }

  async function store(
    { channel, references, ...checked }: Checked,
    { id, replaced }: Target,
    tenantSealer: TenantSealer,
    identity: RequestIdentity | undefined,
  ): Promise<Stored | NotStored> {
    const response = { ...checked.response, id };
    try {
      // Files never move to an earlier id: a concurrent request may have stored the response under the later id.
      await files.claim(response, references, identity?.ids.slice(0, identity.ids.indexOf(id)));
    } catch (error) {
      return { kind: 'files-rejected', error };
    }
    const { traceparent, by } = channel;
    const audited = by === undefined ? [] : [onBehalfEvent(by, response)];
    const events = [...statusEvents(response, traceparent), ...audited];
    const sealed = tenantSealer.seal(response, identity?.comparable);
    const outcome = await commit(channel, { response: sealed, replaced, events }).catch(toRejection);
    if (typeof outcome === 'object')
      return 'kind' in outcome ? outcome : { kind: 'rejected', error: new AppError(toLimitError(outcome)) };
    if (outcome !== 'stored') return { kind: 'id-taken' };
    if (response.status !== 'in_progress') countStored(response);
    return { kind: 'stored', response };
  }

  return {
    submitPublic(survey: CompiledSurvey, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const channel: SubmissionChannel = {
        survey,
        findAgain: () => findEntrance({ ...survey, linkId: undefined }),
        ageMs: startStopwatch(),
        scope: { kind: 'public', id: survey.surveyId },
        traceparent,
        check: checkOwnAddress,
      };
      return submit(channel, call);
    },

    submitThrough(visit: Visit, survey: CompiledSurvey, call: SubmissionCall, traceparent: string): Promise<Submitted> {
      const { link, token, ageMs } = visit;
      const channel: SubmissionChannel = {
        survey,
        findAgain: () => findEntrance({ ...link, linkId: link.id }),
        ageMs,
        scope: { kind: 'link', id: link.id },
        link,
        token,
        traceparent,
        check() {
          if (visit.outcome === 'rejected') throw visit.error;
        },
      };
      return submit(channel, call);
    },

    /** Stores a response that a user of the tenant sent on behalf of a respondent. */
    async submitFor(by: ChangeContext, surveyId: string, call: SubmissionCall): Promise<Submitted> {
      const ageMs = startStopwatch();
      const find = () => definitions.findForSubmission(by.tenantId, surveyId);
      const channel: SubmissionChannel = {
        survey: await find(),
        async findAgain() {
          const survey = await find();
          checkOpen(survey, clock());
          return { survey };
        },
        ageMs,
        scope: { kind: 'tenant', id: surveyId },
        traceparent: by.traceparent,
        by,
        check() {},
      };
      return submit(channel, call);
    },

    findInProgress: replays.findInProgress,
  };
}

/** Makes a rejection of an error below 500, such as that of a closed survey. Throws other errors. */
function toRejection(error: unknown): Rejection {
  if (error instanceof AppError && error.status < 500) return { kind: 'rejected', error };
  throw error;
}

/** Whether a submission names a question, option, row, language or version that a newer version may have. */
function namesUnknown(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.errors.some(({ code }) => code.startsWith('UNKNOWN_') || code === 'UNDECLARED_LANGUAGE');
}
