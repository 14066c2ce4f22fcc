import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Definition } from '../definitions/definition.ts';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { IdempotencyScope } from './idempotency.ts';
import type { Response } from './response.ts';
import { submittedEvent } from './response-events.ts';
import type { CountResponse } from './response-metrics.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore } from './response-service.ts';
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

/** A request that can be repeated: where its response may be, and what it has to be like. */
interface Repeatable {
  readonly tenantId: TenantId;
  readonly ids: readonly [string, string];
  readonly comparable: string;
}

export type SubmissionService = ReturnType<typeof createSubmissionService>;

export function createSubmissionService({ definitions, store, sealer, count, clock, newId }: Dependencies) {
  async function submit(scope: IdempotencyScope, definition: Definition, call: SubmissionCall): Promise<Submitted> {
    const { submission, traceparent } = call;
    const repeatable = await repeatableOf(scope, definition, call);
    const [first, ...others] = repeatable?.ids ?? [newId()];
    let response: Response;
    try {
      response = toResponse(definition, submission, first, clock());
    } catch (refusal) {
      // What was taken stays taken: the survey may have closed, or moved on, since the first time.
      const replay = repeatable && (await findFirst(repeatable));
      if (replay === undefined) throw refusal;
      return replay;
    }
    // Twice under the first id: one that a failover took away while it was looked for is free then.
    for (const id of [first, first, ...others]) {
      const submitted = await storeOrFind({ ...response, id }, repeatable, traceparent);
      if (submitted !== undefined) return submitted;
    }
    throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
  }

  /** Undefined when the id is taken by a response that the request did not make. */
  async function storeOrFind(response: Response, repeatable: Repeatable | undefined, traceparent: string) {
    const seal = await sealer.sealerOf(response.tenantId);
    const outcome = await store.insert(seal(response, repeatable?.comparable), submittedEvent(response, traceparent));
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
