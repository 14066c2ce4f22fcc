import type { TenantId } from '@survey/runtime/auth/tenant-id';
import type { AppError, AppErrorOptions } from '@survey/runtime/errors/app-error';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { type TenantDocument, tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import type { ResponseFields } from '../responses/response.ts';

/** A response at the revision that was read for a plan. */
export type PlannedResponse = Pick<ResponseFields, 'id' | 'revision'>;

/** Describes what selected the responses of a plan, without the values of conditions and filters. */
export interface SelectionOutline {
  /** The tested questions and other parts, in the order of the conditions. */
  readonly conditions: readonly {
    readonly question_id?: string;
    readonly source?: string;
    readonly operator: string;
  }[];
  /** Names of the filters in the API. */
  readonly filters: readonly string[];
  /** Keyed hash of conditions and filters. Equal for equal selections of the tenant. */
  readonly hash: string;
}

/** A request for a plan. */
export interface NewPlan {
  readonly id: string;
  readonly tenantId: TenantId;
  readonly surveyId: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Afterwards, the plan deletes nothing. */
  readonly expiresAt: Date;
  readonly outline: SelectionOutline;
}

/** The responses that matched the selection of a plan. */
export interface PlannedSelection {
  readonly count: number;
  readonly sampleIds: readonly string[];
  readonly lackingQuestion: number | undefined;
}

/** The responses that matched a selection. A plan deletes those that have not changed since. */
export type DeletionPlan = NewPlan & PlannedSelection;

/** The error of a request for a plan, which other requests for the plan also get. */
type PlanFailure = Pick<AppError, 'code'> & Pick<AppErrorOptions, 'detail' | 'errors' | 'retryAfterSeconds' | 'quota'>;

/** The progress of a plan. Its first `position` responses are deleted or skipped. */
interface PlanProgress {
  /** `counting`: a process is reading the matching responses. `failed`: it could not make the plan. */
  readonly state: 'counting' | 'ready' | 'failed';
  /** The error of a failed plan. */
  readonly failure: PlanFailure | undefined;
  /** Number of responses that were read so far. */
  readonly read: number;
  /**
   * The lease of the process that counts. Later, the time until which a repeated request gets the plan, or its error.
   * Undefined after a request has got the plan.
   */
  readonly leaseUntil: Date | undefined;
  readonly position: number;
  readonly deleted: number;
  /** Whether a deletion has begun. Newer plans replace only plans that are not in use. */
  readonly isInUse: boolean;
}

export type StartedPlan = DeletionPlan & PlanProgress;

export interface DeletionPlanDocument extends TenantDocument {
  readonly survey_id: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly count: number;
  readonly sample_ids: readonly string[];
  readonly lacking_question: number | null;
  readonly outline: SelectionOutline;
  readonly state: StartedPlan['state'];
  /** A `PlanFailure` as JSON. */
  readonly failure?: string;
  readonly read: number;
  /** Hash of the selection, until a request has got the plan. Until then, a repeated request finds it. */
  readonly requested?: string;
  readonly lease_until?: Date;
  readonly position: number;
  readonly deleted: number;
  readonly in_use: boolean;
  /** Whether responses remain. */
  readonly open: boolean;
}

/** A part of a plan. All parts except the last have `PART` responses. */
export interface DeletionPlanPartDocument extends TenantDocument {
  readonly survey_id: string;
  readonly expires_at: Date;
  readonly ids: readonly string[];
  /** The revisions of the responses with these ids. */
  readonly revisions: readonly number[];
}

/** Number of responses in a part: about half a megabyte. */
export const PART = 10_000;
/** Time after which expired plans are removed. It covers the duration of a request. */
const KEPT_SECONDS = 10 * 60;

const expiry = { name: 'expiry', key: { expires_at: 1 }, expireAfterSeconds: KEPT_SECONDS } as const;
const bySurvey = { name: 'by_survey', key: { tenant_id: 1, survey_id: 1 } } as const;

export const deletionPlanIndexes: IndexSpecs = {
  deletion_plans: [
    expiry,
    bySurvey,
    { name: 'open', key: { tenant_id: 1, open: 1, created_at: 1 } },
    {
      name: 'requested',
      key: { tenant_id: 1, requested: 1 },
      unique: true,
      partialFilterExpression: { requested: { $exists: true } },
    },
  ],
  deletion_plan_parts: [expiry, bySurvey],
};

interface Dependencies {
  readonly plans: Collection<DeletionPlanDocument>;
  readonly parts: Collection<DeletionPlanPartDocument>;
}

export type DeletionPlanStore = ReturnType<typeof createDeletionPlanStore>;

export function createDeletionPlanStore({ plans, parts }: Dependencies) {
  const plansOf = (tenantId: TenantId) => tenantCollection(plans, tenantId);
  const partsOf = (tenantId: TenantId) => tenantCollection(parts, tenantId);

  async function removeParts(tenantId: TenantId, planId: string, count: number): Promise<void> {
    const ids = Array.from({ length: Math.ceil(count / PART) }, (_, index) => partId(planId, index));
    await partsOf(tenantId).deleteMany({ _id: { $in: ids } });
  }

  async function find(tenantId: TenantId, surveyId: string, id: string): Promise<StartedPlan | undefined> {
    const document = await plansOf(tenantId).findOne({ _id: id, survey_id: surveyId });
    return document === null ? undefined : fromDocument(document);
  }

  /** Changes a plan that is being counted. Returns false if it was removed. */
  async function setCounting({ tenantId, id }: NewPlan, fields: Partial<DeletionPlanDocument>): Promise<boolean> {
    const { matchedCount } = await plansOf(tenantId).updateOne({ _id: id, state: 'counting' }, { $set: fields });
    return matchedCount > 0;
  }

  return {
    /** Stores a plan before its responses are read. Returns false if the same selection has such a plan. */
    async begin({ id, tenantId, ...plan }: NewPlan, leaseUntil: Date): Promise<boolean> {
      try {
        await plansOf(tenantId).insertOne({
          _id: id,
          survey_id: plan.surveyId,
          created_by: plan.createdBy,
          created_at: plan.createdAt,
          expires_at: plan.expiresAt,
          count: 0,
          sample_ids: [],
          lacking_question: null,
          outline: plan.outline,
          state: 'counting',
          read: 0,
          requested: plan.outline.hash,
          lease_until: leaseUntil,
          position: 0,
          deleted: 0,
          in_use: false,
          open: false,
        });
        return true;
      } catch (error) {
        if (isDuplicateKey(error, 'requested')) return false;
        throw error;
      }
    },

    /** Finds the plan of a selection that no request has got. */
    async findRequested(tenantId: TenantId, selectionHash: string): Promise<StartedPlan | undefined> {
      const document = await plansOf(tenantId).findOne({ requested: selectionHash });
      return document === null ? undefined : fromDocument(document);
    },

    /** Reports the progress of counting. Returns false if the plan was removed. */
    renew: (plan: NewPlan, read: number, leaseUntil: Date) => setCounting(plan, { read, lease_until: leaseUntil }),

    /** Ends counting. Store the parts of the plan before. Returns false if the plan was removed. */
    complete: (plan: NewPlan, { count, sampleIds, lackingQuestion }: PlannedSelection, leaseUntil: Date) =>
      setCounting(plan, {
        state: 'ready',
        count,
        sample_ids: sampleIds,
        lacking_question: lackingQuestion ?? null,
        lease_until: leaseUntil,
        open: count > 0,
      }),

    /** Ends counting with an error. Removes the parts with the first `count` responses, also of a removed plan. */
    async fail(plan: NewPlan, error: AppError, leaseUntil: Date, count: number): Promise<void> {
      const { tenantId, id } = plan;
      const { code, message: detail, errors, retryAfterSeconds, quota } = error;
      const failure = JSON.stringify({ code, detail, errors, retryAfterSeconds, quota });
      await setCounting(plan, { state: 'failed', failure, lease_until: leaseUntil });
      // A lost reply of `complete` also is an error.
      const ready = await plansOf(tenantId).findOne({ _id: id, state: 'ready' });
      if (ready === null) await removeParts(tenantId, id, count);
    },

    /** From now on, a request with the same selection begins another plan. */
    async setReceived({ tenantId, id }: NewPlan): Promise<void> {
      await plansOf(tenantId).updateOne({ _id: id }, { $unset: { requested: true, lease_until: true } });
    },

    /** Removes a plan that is not ready. Its parts expire. */
    async removeUnready({ tenantId, id }: NewPlan): Promise<boolean> {
      const { deletedCount } = await plansOf(tenantId).deleteOne({ _id: id, state: { $ne: 'ready' } });
      return deletedCount > 0;
    },

    async addPart(
      { id, tenantId, surveyId, expiresAt }: NewPlan,
      index: number,
      responses: readonly PlannedResponse[],
    ): Promise<void> {
      await partsOf(tenantId).insertOne({
        _id: partId(id, index),
        survey_id: surveyId,
        expires_at: expiresAt,
        ids: responses.map((response) => response.id),
        revisions: responses.map(({ revision }) => revision),
      });
    },

    /** Removes the parts with the first `count` responses of a plan. */
    removeParts,

    find,

    /** Finds plans with remaining responses that are not expired, oldest first. */
    async findOpen(tenantId: TenantId, time: Date, limit: number): Promise<readonly StartedPlan[]> {
      const filter = { open: true, expires_at: { $gt: time } };
      const found = plansOf(tenantId).find(filter, { sort: { created_at: 1 }, limit });
      return (await found.toArray()).map(fromDocument);
    },

    /** Removes a plan, unless a deletion has begun. */
    async removeUnused({ tenantId, id, count }: DeletionPlan): Promise<boolean> {
      const { deletedCount } = await plansOf(tenantId).deleteOne({ _id: id, in_use: false });
      if (deletedCount > 0) await removeParts(tenantId, id, count);
      return deletedCount > 0;
    },

    /** Returns the next responses to delete, at most `limit`. None if the plan was removed. */
    async findNext({ tenantId, id, position }: StartedPlan, limit: number): Promise<readonly PlannedResponse[]> {
      const slice = [position % PART, limit];
      const projection = { ids: { $slice: slice }, revisions: { $slice: slice } };
      const part = await partsOf(tenantId).findOne({ _id: partId(id, Math.floor(position / PART)) }, { projection });
      return part?.ids.map((responseId, at) => ({ id: responseId, revision: part.revisions[at] ?? 0 })) ?? [];
    },

    /** From now on, `removeUnused` keeps the plan. Returns false if the plan was removed. */
    async setInUse({ tenantId, id }: DeletionPlan): Promise<boolean> {
      const { matchedCount } = await plansOf(tenantId).updateOne({ _id: id }, { $set: { in_use: true } });
      return matchedCount > 0;
    },

    /**
     * Counts the next responses of a plan as deleted or skipped, unless a concurrent request has counted them. Returns
     * the progress of all requests. Undefined if the plan was removed.
     */
    async advance(plan: StartedPlan, processed: number, deleted: number): Promise<StartedPlan | undefined> {
      const { tenantId, id, position, count } = plan;
      const next = position + processed;
      await plansOf(tenantId).updateOne(
        { _id: id, position },
        { $set: { position: next, open: next < count }, $inc: { deleted } },
      );
      return find(tenantId, plan.surveyId, id);
    },
  };
}

function partId(planId: string, index: number): string {
  return `${planId}.${index}`;
}

function fromDocument({ _id: id, tenant_id: tenantId, ...document }: DeletionPlanDocument): StartedPlan {
  const { count, outline, position, deleted } = document;
  return {
    id,
    tenantId,
    surveyId: document.survey_id,
    createdBy: document.created_by,
    createdAt: document.created_at,
    expiresAt: document.expires_at,
    count,
    sampleIds: document.sample_ids,
    lackingQuestion: document.lacking_question ?? undefined,
    outline,
    state: document.state,
    failure: document.failure === undefined ? undefined : (JSON.parse(document.failure) as PlanFailure),
    read: document.read,
    leaseUntil: document.lease_until,
    position,
    deleted,
    isInUse: document.in_use,
  };
}
