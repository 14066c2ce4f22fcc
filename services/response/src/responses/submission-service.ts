import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { type IdempotencyScope, idOfKey } from './idempotency.ts';
import type { Response } from './response.ts';
import { submittedEvent } from './response-events.ts';
import type { CountResponse } from './response-metrics.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore } from './response-store.ts';
import { type Submission, toComparable, toResponse } from './submission.ts';

/** A submission with what came along. */
export interface SubmissionCall {
  readonly submission: Submission;
  readonly idempotencyKey: string | undefined;
  readonly traceparent: string;
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

/** A request that can be repeated: where its response is, and what it has to be like. */
interface Repeatable {
  readonly tenantId: TenantId;
  readonly id: string;
  readonly comparable: string;
}

export type SubmissionService = ReturnType<typeof createSubmissionService>;

export function createSubmissionService({ definitions, store, sealer, count, clock, newId }: Dependencies) {
  async function submit(scope: IdempotencyScope, definition: Definition, call: SubmissionCall): Promise<Submitted> {
    const { submission, traceparent } = call;
    const repeatable = repeatableOf(scope, definition, call);
    let response: Response;
    try {
      response = toResponse(definition, submission, repeatable?.id ?? newId(), clock());
    } catch (refusal) {
      // What was taken stays taken: the survey may have closed, or moved on, since the first time.
      const first = repeatable && (await findFirst(repeatable));
      if (first === undefined) throw refusal;
      return first;
    }
    const seal = await sealer.sealerOf(response.tenantId);
    const outcome = await store.insert(seal(response, repeatable?.comparable), submittedEvent(response, traceparent));
    if (outcome === 'inserted') {
      count(response);
      return { response, origin: 'stored' };
    }
    const first = repeatable && (await findFirst(repeatable));
    if (first === undefined) throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    return first;
  }

  /** What the first request with the key stored. Throws `IDEMPOTENCY_KEY_REUSED` when that was another request. */
  async function findFirst({ tenantId, id, comparable }: Repeatable): Promise<Submitted | undefined> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) return undefined;
    const response = await sealer.open(sealed);
    if (!(await sealer.isMadeBy(sealed, comparable))) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return { response, origin: 'replayed' };
  }

  return {
    /** From a respondent, to the version of a survey that the submission names. The tenant follows from the survey. */
    submitPublic: (definition: Definition, call: SubmissionCall): Promise<Submitted> =>
      submit('public', definition, call),

    /** From a user of the tenant, on behalf of a respondent. */
    async submitFor(tenantId: TenantId, surveyId: string, call: SubmissionCall): Promise<Submitted> {
      const definition = await definitions.findForSubmission(tenantId, surveyId, call.submission.surveyVersion);
      return submit('tenant', definition, call);
    },
  };
}

function repeatableOf(
  scope: IdempotencyScope,
  { tenantId, surveyId }: Definition,
  { idempotencyKey, submission }: SubmissionCall,
): Repeatable | undefined {
  if (idempotencyKey === undefined) return undefined;
  return { tenantId, id: idOfKey(scope, tenantId, surveyId, idempotencyKey), comparable: toComparable(submission) };
}
