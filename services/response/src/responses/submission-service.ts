import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Actor } from '@survey/runtime/rpc/call-context';
import { checkAccess, checkOpen, type Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { IdempotencyScope } from './idempotency.ts';
import type { Response } from './response.ts';
import { createdOnBehalf, submittedEvents } from './response-events.ts';
import type { CountResponse } from './response-metrics.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore } from './response-service.ts';
import { type Submission, toComparable, toResponse } from './submission.ts';

/** A submission with what came along. */
export interface SubmissionCall {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
}

/** The response, and whether this call stored it or an earlier one with the same key did. */
export interface Submitted {
  readonly response: Response;
  readonly origin: 'stored' | 'replayed';
}

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly sealer: ResponseSealer;
  readonly count: CountResponse;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** A request that can be repeated: where its response may be, and what it has to be like. */
interface Repeatable {
  readonly tenantId: TenantId;
  readonly ids: readonly [string, string];
  readonly comparable: string;
}

export type SubmissionService = ReturnType<typeof createSubmissionService>;

export function createSubmissionService({ definitions, store, sealer, count, clock, newId }: Dependencies) {
  async function submit(
    scope: IdempotencyScope,
    survey: Definition,
    call: SubmissionCall,
    eventsOf: (response: Response) => readonly OutboxEvent[],
  ): Promise<Submitted> {
    const { submission } = call;
    const repeatable = await repeatableOf(scope, survey, call);
    const [first, ...others] = repeatable?.ids ?? [newId()];
    let response: Response;
    try {
      response = await toAccepted(scope, survey, submission, first);
    } catch (refusal) {
      // What was taken stays taken: the survey may have closed, or moved on, since the first time.
      const replay = repeatable && (await findFirst(repeatable));
      if (replay === undefined) throw refusal;
      return replay;
    }
    // Twice under the first id: one that a failover took away while it was looked for is free then.
    for (const id of [first, first, ...others]) {
      const made = { ...response, id };
      const submitted = await storeOrFind(made, repeatable, eventsOf(made));
      if (submitted !== undefined) return submitted;
    }
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  }

  /** The response that the survey takes now. Throws when it does not, or not this one. */
  async function toAccepted(scope: IdempotencyScope, survey: Definition, submission: Submission, id: string) {
    const time = clock();
    checkOpen(survey, time);
    if (scope === 'public') checkAccess(survey);
    const { surveyVersion = survey.version } = submission;
    const definition = await definitions.findVersion(survey, surveyVersion);
    // A version that it may not name is told with everything else that is wrong.
    return toResponse(definition ?? survey, submission, id, time);
  }

  /** Undefined when the id is taken by a response that the request did not make. */
  async function storeOrFind(response: Response, repeatable: Repeatable | undefined, events: readonly OutboxEvent[]) {
    const seal = await sealer.sealerOf(response.tenantId);
    const outcome = await store.insert(seal(response, repeatable?.comparable), events);
    if (outcome === 'duplicate') return repeatable && findFirst(repeatable);
    count(response);
    return { response, origin: 'stored' } as const;
  }

  /** What the first request with the key stored. Throws `IDEMPOTENCY_KEY_REUSED` when that was another request. */
  async function findFirst({ tenantId, ids, comparable }: Repeatable): Promise<Submitted | undefined> {
    for (const id of ids) {
      const sealed = await store.find(tenantId, id);
      // One that came without a key was imported: it is another response, though it has the id.
      if (sealed?.requestHash === undefined) continue;
      const response = await sealer.open(sealed);
      const isSame = await sealer.isMadeBy(tenantId, sealed.requestHash, comparable);
      if (!isSame) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      return { response, origin: 'replayed' };
    }
    return undefined;
  }

  async function repeatableOf(
    scope: IdempotencyScope,
    { tenantId, surveyId }: Definition,
    { idempotencyKey, submission }: SubmissionCall,
  ): Promise<Repeatable | undefined> {
    if (idempotencyKey === undefined) return undefined;
    const ids = await sealer.idsOfKey(tenantId, { scope, surveyId }, idempotencyKey);
    return { tenantId, ids, comparable: toComparable(submission) };
  }

  return {
    /** From a respondent, at the survey's own address. The tenant follows from the survey. */
    submitPublic: (survey: Definition, call: SubmissionCall, traceparent: string): Promise<Submitted> =>
      submit('public', survey, call, (response) => submittedEvents(response, traceparent)),

    /** From a user of the tenant, on behalf of a respondent. */
    async submitFor(by: Actor, surveyId: string, call: SubmissionCall): Promise<Submitted> {
      const survey = await definitions.findForSubmission(by.tenantId, surveyId);
      return submit('tenant', survey, call, (response) => [
        ...submittedEvents(response, by.traceparent),
        createdOnBehalf(by, response),
      ]);
    },
  };
}
