import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@bufbuild/protobuf';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { Envelope } from '@survey/runtime/crypto/envelope';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { concurrencyQuota } from '@survey/runtime/errors/quota';
import { withTimeLimit } from '@survey/runtime/flow/retry';
import { auditEvent } from '@survey/runtime/kafka/audit-event';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { ResponseFiles } from '../files/response-files.ts';
import type { ConditionService, Conditions, Outcome } from '../responses/condition-service.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import { serviceDeletionEvents } from '../responses/response-events.ts';
import type { ResponseFilter, Selection } from '../responses/response-filter.ts';
import { SLOW_MS, type SlowReads, takesLonger } from '../responses/response-service.ts';
import type { ReadResponses } from '../responses/response-stream-store.ts';
import type { DueResponseStore } from '../retention/retention-store.ts';
import { createCapacityWait } from '../retention/survey-deletion.ts';
import type { LedgerStore } from '../seats/ledger-store.ts';
import { toFreedSeats } from '../seats/limit.ts';
import type { Clocks } from '../stopwatch.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import {
  type DeletionPlan,
  type DeletionPlanStore,
  type NewPlan,
  PART,
  type PlannedResponse,
  type PlannedSelection,
  type SelectionOutline,
  type StartedPlan,
} from './deletion-plan-store.ts';

interface Dependencies extends Clocks {
  readonly definitions: Pick<DefinitionService, 'findOwned'>;
  readonly conditions: Pick<ConditionService, 'read' | 'resolve'>;
  /** Reads responses without decrypting them. */
  readonly read: ReadResponses<PlannedResponse>;
  readonly slowReads: SlowReads;
  readonly plans: DeletionPlanStore;
  readonly dueResponses: Pick<DueResponseStore, 'findByIds' | 'hasCapacity'>;
  readonly deleted: Pick<DeletedResponseStore, 'removeUnchanged' | 'findRemoved' | 'storeEvent'>;
  readonly files: Pick<ResponseFiles, 'removeAll'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly cipherOf: Envelope['cipherOf'];
  readonly newId: () => string;
  /** Maximum time of a request for a plan. Milliseconds. */
  readonly planMs?: number;
  /** Maximum time of a request that deletes. It begins no batch later. Milliseconds. */
  readonly deleteMs?: number;
  /** Maximum number of responses in a plan. */
  readonly maxPlanned?: number;
}

export interface PlanRequest {
  readonly selection: Selection;
  /** Whether to plan all responses if there are neither conditions nor filters. */
  readonly all: boolean;
  readonly dryRun: boolean;
}

/** The progress of all requests with a plan. */
export interface DeletionProgress {
  readonly deleted: number;
  readonly skipped: number;
  readonly remaining: number;
  readonly complete: boolean;
}

const PLAN_MS = 20_000;
const DELETE_MS = 15_000;
const MAX_PLANNED = 1_000_000;
const LIFETIME_MS = 60 * 60_000;
/** Time for which a finished plan, or too large a selection, waits for the repeated request. Milliseconds. */
const KEPT_MS = 60_000;
/** Time for which other requests for the same plan find another failure. Afterwards, they plan again. Milliseconds. */
const FAILURE_KEPT_MS = 4_000;
/** Lease of the process that counts the responses of a plan, and the time after which it renews it. Milliseconds. */
const LEASE_MS = 30_000;
const RENEW_MS = 2_000;
/** Time after which a request looks again for a plan that another request is making. Milliseconds. */
const WAIT_MS = 250;
const SAMPLE = 20;
const BATCH = 500;
const MAX_OPEN = 3;
const PURPOSE = 'deletion-selection';

/** The names of the filters in the API. */
const FILTERS: Readonly<Record<Exclude<keyof Selection, 'surveyId' | 'where'>, string>> = {
  surveyVersion: 'version',
  status: 'status',
  linkId: 'link_id',
  languages: 'language',
  since: 'since',
  until: 'until',
  updatedSince: 'updated_since',
  completedSince: 'completed_since',
  completedUntil: 'completed_until',
  externalId: 'external_id',
};

export type DeletionService = ReturnType<typeof createDeletionService>;

/**
 * Deletes the responses that match a selection, in two steps. A plan stores their ids and revisions, and the caller
 * confirms their number. Then the responses with these revisions are deleted in batches. Methods throw
 * `SURVEY_NOT_FOUND` if the tenant has no such survey.
 */
export function createDeletionService(dependencies: Dependencies) {
  const { definitions, conditions: conditionService, read: readAll, slowReads, plans } = dependencies;
  const { dueResponses, deleted, files, ledgers, cipherOf, newId, clock, now } = dependencies;
  const { planMs = PLAN_MS, deleteMs = DELETE_MS, maxPlanned = MAX_PLANNED } = dependencies;
  const waitForCapacity = createCapacityWait(dependencies);
  const inMs = (ms: number) => new Date(clock().getTime() + ms);

  /** Stores the matching responses in parts. Throws `VALIDATION_FAILED` if they are too many for a plan. */
  async function storeParts(
    plan: NewPlan,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
    onSlow: () => void,
  ): Promise<PlannedSelection> {
    const { id, tenantId } = plan;
    const sampleIds: string[] = [];
    const pending: PlannedResponse[] = [];
    const startedAt = now();
    let renewedAt = startedAt;
    let [count, read, lackingQuestion, parts] = [0, 0, 0, 0];
    const matches: AsyncIterable<readonly (PlannedResponse & Partial<Outcome>)[]> =
      conditions === undefined ? readAll(tenantId, filter) : conditionService.read(tenantId, filter, conditions);
    const store = () => plans.addPart(plan, parts++, pending.splice(0, PART));
    try {
      for await (const responses of matches) {
        for (const { id: responseId, revision, isMatch = true, lacksQuestion = false } of responses) {
          if (lacksQuestion) lackingQuestion += 1;
          if (!isMatch) continue;
          count += 1;
          if (count <= SAMPLE) sampleIds.push(responseId);
          pending.push({ id: responseId, revision });
        }
        if (count > maxPlanned) throw new AppError('VALIDATION_FAILED', { errors: [tooMany(maxPlanned)] });
        while (pending.length >= PART) await store();
        if (now() - startedAt > SLOW_MS) onSlow();
        read += responses.length;
        if (now() - renewedAt < RENEW_MS) continue;
        if (!(await plans.renew(plan, read, inMs(LEASE_MS)))) throw lostLease();
        renewedAt = now();
      }
      if (pending.length > 0) await store();
    } catch (error) {
      await plans.removeParts(tenantId, id, count);
      throw error;
    }
    return { count, sampleIds, lackingQuestion: conditions && lackingQuestion };
  }

  /** Replaces the oldest open plan that is not in use if the tenant has too many. */
  async function replaceUnusedPlan(tenantId: TenantId): Promise<void> {
    const open = await plans.findOpen(tenantId, clock(), MAX_OPEN);
    if (open.length < MAX_OPEN) return;
    for (const plan of open) if (!plan.isInUse && (await plans.removeUnused(plan))) return;
    const quota = concurrencyQuota('deletion-plans', MAX_OPEN);
    const detail = `${MAX_OPEN} plans of your tenant are deleting responses; wait until one of them is complete`;
    throw new AppError('TOO_MANY_REQUESTS', { detail, retryAfterSeconds: 5, quota });
  }

  /** Counts the responses of a new plan. Stores an error, for other requests that wait for the plan. */
  async function makePlan(
    plan: NewPlan,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
  ): Promise<DeletionPlan> {
    const { tenantId } = plan;
    let count = 0;
    try {
      const { value } = await slowReads.run(tenantId, (onSlow) => storeParts(plan, filter, conditions, onSlow));
      count = value.count;
      if (count > 0) await replaceUnusedPlan(tenantId);
      if (!(await plans.complete(plan, value, inMs(KEPT_MS)))) throw lostLease();
      return { ...plan, ...value };
    } catch (error) {
      const failure = error instanceof AppError ? error : new AppError('UNAVAILABLE', { retryAfterSeconds: 5 });
      const keptMs = failure.code === 'VALIDATION_FAILED' ? KEPT_MS : FAILURE_KEPT_MS;
      await plans.fail(plan, failure, inMs(keptMs), count);
      throw error;
    }
  }

  /**
   * Finds the plan of a selection that no request has got. Removes it if its process died, if the request that it is
   * for did not come, or some time after it failed.
   */
  async function findRequested(tenantId: TenantId, hash: string): Promise<StartedPlan | undefined> {
    const found = await plans.findRequested(tenantId, hash);
    if (found === undefined || found.leaseUntil === undefined || found.leaseUntil > clock()) return found;
    await (found.state === 'ready' ? plans.setReceived(found) : plans.removeUnready(found));
    return undefined;
  }

  /** Waits for the plan that another request is making. Throws the error of the other request, if it fails. */
  async function waitForOther(plan: StartedPlan): Promise<DeletionPlan> {
    const timeout = AbortSignal.timeout(planMs);
    let found: StartedPlan | undefined = plan;
    while (found?.state === 'counting') {
      if (timeout.aborted) throw takesLonger('Planning', found.read);
      await sleep(WAIT_MS, undefined, { signal: timeout }).catch(() => {});
      found = await plans.find(plan.tenantId, plan.surveyId, plan.id);
    }
    if (found === undefined) throw lostLease();
    const { failure } = found;
    if (failure !== undefined) throw new AppError(failure.code, failure);
    return found;
  }

  /** Returns a plan of the selection. Makes it, unless this or another process is making one. */
  async function findOrMakePlan(
    { tenantId, actor }: ChangeContext,
    filter: ResponseFilter,
    conditions: Conditions | undefined,
    outline: SelectionOutline,
  ): Promise<DeletionPlan> {
    const { surveyId } = filter;
    for (;;) {
      const found = await findRequested(tenantId, outline.hash);
      if (found !== undefined) return waitForOther(found);
      const createdAt = clock();
      const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
      const plan = { id: newId(), tenantId, surveyId, createdBy: actor, createdAt, expiresAt, outline };
      if (!(await plans.begin(plan, inMs(LEASE_MS)))) continue;
      // Making goes on after the timeout of the request.
      const making = makePlan(plan, filter, conditions);
      const made = await withTimeLimit<DeletionPlan | undefined>(making, planMs, () => undefined);
      if (made !== undefined) return made;
      throw takesLonger('Planning', (await plans.find(tenantId, surveyId, plan.id))?.read ?? 0);
    }
  }

  /** Throws `DELETION_PLAN_NOT_FOUND` if the plan is removed, expired or not ready. */
  async function findPlan(tenantId: TenantId, surveyId: string, planId: string): Promise<StartedPlan> {
    const plan = await plans.find(tenantId, surveyId, planId);
    if (plan?.state !== 'ready' || plan.expiresAt <= clock()) throw new AppError('DELETION_PLAN_NOT_FOUND');
    return plan;
  }

  /** Stores the audit event before the first deletion. If it is repeated, for example after a crash, its id is equal. */
  async function begin(context: ChangeContext, plan: StartedPlan): Promise<void> {
    if (!(await plans.setInUse(plan))) throw new AppError('DELETION_PLAN_NOT_FOUND');
    await deleted.storeEvent(deletionAuditEvent(context, plan, clock()));
  }

  /**
   * Deletes the next responses of a plan, and skips those that have changed. If the process dies meanwhile, or another
   * request deletes the same responses, the tombstones show which responses the plan has deleted.
   */
  async function deleteBatch(context: ChangeContext, plan: StartedPlan, limit: number): Promise<StartedPlan> {
    const { tenantId, surveyId, id } = plan;
    const planned = await plans.findNext(plan, Math.min(limit, BATCH));
    // The plan was removed, for example with its tenant.
    if (planned.length === 0) throw new AppError('DELETION_PLAN_NOT_FOUND');
    const ids = planned.map((response) => response.id);
    const revisions = new Map(planned.map((response) => [response.id, response.revision]));
    const found = await dueResponses.findByIds(tenantId, surveyId, ids);
    const unchanged = found.filter((response) => response.revision === revisions.get(response.id));
    const removed = await files.removeAll(
      tenantId,
      unchanged.map((response) => response.id),
      async () => {
        const time = clock();
        const removals = unchanged.map((response) => {
          return { response, events: serviceDeletionEvents(response, time, context.traceparent) };
        });
        if (removals.length > 0)
          await ledgers.track(plan, toFreedSeats(unchanged), ({ entry }) =>
            deleted.removeUnchanged(plan, removals, entry, id),
          );
        return deleted.findRemoved(tenantId, ids, id);
      },
    );
    const advanced = await plans.advance(plan, planned.length, removed.length);
    if (advanced === undefined) throw new AppError('DELETION_PLAN_NOT_FOUND');
    return advanced;
  }

  return {
    /**
     * Plans a deletion. Throws `VALIDATION_FAILED` for an invalid or empty selection, and `DEADLINE_EXCEEDED` if
     * planning takes long. It goes on, and a later call gets the plan.
     */
    async plan(context: ChangeContext, { selection, all, dryRun }: PlanRequest): Promise<DeletionPlan> {
      const { tenantId } = context;
      const { where } = selection;
      const survey = await definitions.findOwned(tenantId, selection.surveyId);
      const filters = filterNames(selection);
      const isEmpty = where === undefined && filters.length === 0;
      const errors = [...(dryRun ? [] : [DRY_RUN_ONLY]), ...(isEmpty && !all ? [EMPTY] : [])];
      if (errors.length > 0) throw new AppError('VALIDATION_FAILED', { errors });
      const { filter, conditions } = await conditionService.resolve(survey, selection);
      const canonical = JSON.stringify([filter, conditions?.digest]);
      const hash = Buffer.from((await cipherOf(tenantId)).stableHash(PURPOSE, Buffer.from(canonical)));
      const outline = { conditions: outlineOf(where), filters, hash: hash.toString('hex') };
      const plan = await findOrMakePlan(context, filter, conditions, outline);
      await plans.setReceived(plan);
      return plan;
    },

    /**
     * Deletes planned responses for some seconds. Call it until the deletion is complete. Throws
     * `DELETION_PLAN_NOT_FOUND`, and `VALIDATION_FAILED` for another count than that of the plan.
     */
    async delete(
      context: ChangeContext,
      surveyId: string,
      planId: string,
      expectedCount: number,
    ): Promise<DeletionProgress> {
      const { tenantId } = context;
      await definitions.findOwned(tenantId, surveyId);
      let plan = await findPlan(tenantId, surveyId, planId);
      if (plan.count !== expectedCount) throw new AppError('VALIDATION_FAILED', { errors: [OTHER_COUNT] });
      const startedAt = now();
      const hasTimeLeft = async () => now() - startedAt < deleteMs;
      while (plan.position < plan.count) {
        const limit = await waitForCapacity(hasTimeLeft);
        if (limit === 0) break;
        if (plan.position === 0) await begin(context, plan);
        plan = await deleteBatch(context, plan, limit);
      }
      const { position, count, deleted: deletedCount } = plan;
      const remaining = count - position;
      return { deleted: deletedCount, skipped: position - deletedCount, remaining, complete: remaining === 0 };
    },
  };
}

function filterNames(selection: Selection): readonly string[] {
  return Object.entries(FILTERS).flatMap(([field, name]) =>
    selection[field as keyof Selection] === undefined ? [] : name,
  );
}

interface GivenCondition {
  readonly source_question?: string;
  readonly source?: string;
  readonly operator: string;
}

/** @param where valid conditions */
function outlineOf(where: JsonObject | undefined): SelectionOutline['conditions'] {
  const { conditions = [] } = (where ?? {}) as { readonly conditions?: readonly GivenCondition[] };
  return conditions.map(({ source_question: id, source, operator }) => {
    return typeof id === 'string' ? { question_id: id, operator } : { source: String(source), operator };
  });
}

/** The audit event of a deletion. It has the questions and operators of the conditions, not their values. */
function deletionAuditEvent(context: ChangeContext, plan: StartedPlan, time: Date): OutboxEvent {
  const { id: recordId, surveyId: resourceId, count, outline } = plan;
  const { conditions, filters, hash } = outline;
  return auditEvent({
    context,
    action: 'responses.deleted',
    resourceType: 'survey',
    resourceId,
    recordId,
    revision: 1,
    time,
    // An audit event lists a limited length of changes, first those of members before. With empty lists before, each
    // condition is a change of its own.
    before: { count: null, selection_hash: null, filters: [], conditions: [] },
    after: { count, selection_hash: hash, filters: [...filters], conditions: conditions.map((one) => ({ ...one })) },
  });
}

const DRY_RUN_ONLY: FieldProblem = {
  path: '/dry_run',
  code: 'REQUIRED',
  detail: 'must be true: this request only plans, and POST …/deletions/{plan_id} deletes',
};

const EMPTY: FieldProblem = {
  path: '/all',
  code: 'REQUIRED',
  detail: 'must be true to delete all responses; or give conditions or filters',
};

const OTHER_COUNT: FieldProblem = {
  path: '/expected_count',
  code: 'OTHER_COUNT',
  detail: 'the plan has another number of responses: compare it with `count` of the plan',
};

/** The plan was removed while its responses were read: by another process after the end of the lease, or by a purge. */
function lostLease(): AppError {
  return new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
}

function tooMany(max: number): FieldProblem {
  const detail = `more than ${max} responses match: narrow the selection, for example with since and until`;
  return { path: '', code: 'TOO_MANY_RESPONSES', detail };
}
