import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { IndexSpecs } from '@survey/runtime/mongo/ensure-indexes';
import { type InsertOutcome, insertBatch } from '@survey/runtime/mongo/insert-batch';
import { isDuplicateKey } from '@survey/runtime/mongo/mongo-errors';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import type { Collection } from 'mongodb';
import { fromDocument, HINT, type ResponseDocument, toDocument, toFields } from '../responses/response-store.ts';
import { randomPlace } from '../responses/sample-cells.ts';
import type { WriteWindows } from '../responses/write-window-store.ts';
import { type Applicant, admit, type Outcome, type Stored } from './admission.ts';

/**
 * Who was let in last to a survey with limits. It is written before the responses are, and whoever comes next puts in
 * what is not there yet: of a process that is killed in between nothing is lost, and nobody waits for it.
 */
export interface LedgerDocument {
  /** Id of the survey. */
  readonly _id: string;
  readonly tenant_id: TenantId;
  /** Counts the changes: of two processes that let somebody in at the same time, one has to look again. */
  readonly revision: number;
  /** Not known to be among the responses yet. */
  readonly admitted: readonly AdmittedDocument[];
  /** There while somebody is admitted. */
  readonly admitted_at?: Date;
}

interface AdmittedDocument {
  readonly response: ResponseDocument;
  /** Revision of the response in progress that it takes the place of; null for a new one. */
  readonly replaces: number | null;
}

export const ledgerIndexes: IndexSpecs[string] = [
  { name: 'tenant', key: { tenant_id: 1 } },
  { name: 'open', key: { admitted_at: 1 }, partialFilterExpression: { admitted_at: { $exists: true } } },
];

/** A survey with limits. */
export interface LimitedSurvey {
  readonly tenantId: TenantId;
  readonly surveyId: string;
}

export interface LedgerStore {
  /**
   * Stores those of the applicants for whom there are places, never more, whoever else does the same elsewhere. Each
   * outcome is at the index of its applicant, and durable. Throws when it cannot be told: each of them may be stored or
   * not, and none holds a place without being stored.
   */
  admit(survey: LimitedSurvey, applicants: readonly Applicant[]): Promise<readonly Outcome[]>;
  /** Ends what was begun before a time and left. */
  settleSome(before: Date): Promise<void>;
  /** Ends what was begun with a response: from then on it is not put in again. */
  settle(survey: LimitedSurvey, responseId: string): Promise<void>;
  /** Whether a response is let in that is not known to be among the responses yet. */
  isAdmitted(survey: LimitedSurvey, responseId: string): Promise<boolean>;
}

interface Dependencies {
  readonly ledgers: Collection<LedgerDocument>;
  readonly responses: Collection<ResponseDocument>;
  readonly windows: Pick<WriteWindows, 'announce'>;
  /** Numbers from 0 up to 1. */
  readonly random: () => number;
  /** Called after a write that left an event. */
  readonly onEvent: () => void;
  readonly clock: () => Date;
}

/** Who finds the ledger changed this often has more competition than a caller can wait for. */
const MAX_ROUNDS = 50;
const SETTLED_AT_ONCE = 50;
const MAX_TIME = { maxTimeMS: 10_000 } as const;

export function createLedgerStore(dependencies: Dependencies): LedgerStore {
  const { ledgers, responses, windows, random, onEvent, clock } = dependencies;
  const ledgersOf = (tenantId: TenantId) => tenantCollection(ledgers, tenantId);

  /**
   * By a write, though it changes nothing: what it gives no rollback takes away, and all before it can be read.
   * Undefined when another process made it at the same time.
   */
  async function open({ tenantId, surveyId }: LimitedSurvey): Promise<LedgerDocument | undefined> {
    const fields = { $setOnInsert: { revision: 0, admitted: [] } };
    try {
      return (await ledgersOf(tenantId).findOneAndUpdate({ _id: surveyId }, fields, { upsert: true })) ?? undefined;
    } catch (error) {
      if (isDuplicateKey(error)) return undefined;
      throw error;
    }
  }

  /** False when the ledger is at another revision by now. */
  async function enter({ _id, tenant_id, revision }: LedgerDocument, admitted: readonly AdmittedDocument[]) {
    const { matchedCount } = await ledgersOf(tenant_id).updateOne(
      { _id, revision },
      { $set: { admitted, admitted_at: clock() }, $inc: { revision: 1 } },
    );
    return matchedCount === 1;
  }

  /** Nothing when somebody else has done it. */
  async function close({ _id, tenant_id, revision }: LedgerDocument): Promise<void> {
    const change = { $set: { admitted: [] }, $unset: { admitted_at: true }, $inc: { revision: 1 } } as const;
    await ledgersOf(tenant_id).updateOne({ _id, revision }, change);
  }

  function toAdmitted({ response, replaces, events }: Applicant): AdmittedDocument {
    return { response: toDocument(response, events, randomPlace(random)), replaces: replaces ?? null };
  }

  /** Puts in who was admitted. Done again, by whomever, it changes nothing more. */
  async function put(survey: LimitedSurvey, admitted: readonly AdmittedDocument[]): Promise<readonly Outcome[]> {
    const outcomes = await windows.announce([survey], () => write(admitted));
    onEvent();
    return outcomes;
  }

  async function write(admitted: readonly AdmittedDocument[]): Promise<readonly Outcome[]> {
    const fresh = admitted.filter(({ replaces }) => replaces === null).map(({ response }) => response);
    const inserted = (fresh.length === 0 ? [] : await insertBatch(responses, fresh)).values();
    const outcomes = admitted.map(async (one) =>
      one.replaces === null ? toOutcome(inserted.next().value) : complete(one, one.replaces),
    );
    return Promise.all(outcomes);
  }

  async function complete({ response }: AdmittedDocument, revision: number): Promise<Outcome> {
    const documents = tenantCollection(responses, response.tenant_id);
    const { _id, outbox } = response;
    const { matchedCount } = await documents.updateOne(
      { _id, revision, status: 'in_progress' },
      { $set: toFields(fromDocument(response)), $push: { outbox: { $each: [...outbox] } } },
    );
    if (matchedCount === 1) return 'stored';
    // Somebody may have put it in who found the ledger open.
    const { status, completed_at } = response;
    const isIn = await documents.findOne({ _id, revision: response.revision, status, completed_at });
    return isIn === null ? 'outdated' : 'stored';
  }

  async function settle(ledger: LedgerDocument): Promise<void> {
    await put({ tenantId: ledger.tenant_id, surveyId: ledger._id }, ledger.admitted);
    await close(ledger);
  }

  /** Under every id, whoever it belongs to: it cannot be had twice. */
  async function findStored(ids: readonly string[]): Promise<ReadonlyMap<string, Stored | undefined>> {
    const options = { projection: { revision: 1, status: 1 }, ...MAX_TIME };
    const found = await systemScope(responses)
      .find({ _id: { $in: ids } }, options)
      .toArray();
    return new Map(found.map((stored) => [stored._id, stored]));
  }

  async function countTaken({ tenantId, surveyId }: LimitedSurvey, applicants: readonly Applicant[]) {
    const most = new Map<string | undefined, number>();
    for (const { linkId, max } of applicants.flatMap(({ limits }) => limits))
      most.set(linkId, Math.max(max, most.get(linkId) ?? 0));
    const counts = [...most].map(async ([linkId, limit]) => {
      const taken = { survey_id: surveyId, status: 'completed' as const, ...(linkId && { link_id: linkId }) };
      return [linkId, await tenantCollection(responses, tenantId).countDocuments(taken, { ...HINT, limit })] as const;
    });
    return new Map(await Promise.all(counts));
  }

  /** Undefined when others were first. */
  async function tryToAdmit(survey: LimitedSurvey, applicants: readonly Applicant[]) {
    const ledger = await open(survey);
    if (ledger === undefined) return undefined;
    if (ledger.admitted.length > 0) {
      await settle(ledger);
      return undefined;
    }
    // While the ledger stays at this revision nobody else is let in, so what is counted now holds.
    const stored = await findStored(applicants.map(({ response }) => response.id));
    const outcomes = admit(applicants, { stored, taken: await countTaken(survey, applicants) });
    const admitted = applicants.filter((_, index) => outcomes[index] === 'stored').map(toAdmitted);
    if (admitted.length === 0) return outcomes;
    if (!(await enter(ledger, admitted))) return undefined;
    const results = (await put(survey, admitted)).values();
    await close({ ...ledger, revision: ledger.revision + 1 });
    return outcomes.map((outcome) => (outcome === 'stored' ? (results.next().value ?? outcome) : outcome));
  }

  return {
    async admit(survey, applicants) {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const outcomes = await tryToAdmit(survey, applicants);
        if (outcomes !== undefined) return outcomes;
      }
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1 });
    },

    async settleSome(before) {
      const options = { limit: SETTLED_AT_ONCE, ...MAX_TIME };
      const left = await systemScope(ledgers)
        .find({ admitted_at: { $lt: before } }, options)
        .toArray();
      for (const ledger of left) await settle(ledger);
    },

    async settle({ tenantId, surveyId }, responseId) {
      const ledger = await ledgersOf(tenantId).findOne(admitting(surveyId, responseId), MAX_TIME);
      if (ledger !== null) await settle(ledger);
    },

    async isAdmitted({ tenantId, surveyId }, responseId) {
      const filter = admitting(surveyId, responseId);
      return (await ledgersOf(tenantId).findOne<{ _id: string }>(filter, { projection: { _id: 1 } })) !== null;
    },
  };
}

const admitting = (surveyId: string, responseId: string) => ({
  _id: surveyId,
  'admitted.response._id': responseId,
});

/** One that is there already was put in by somebody who found the ledger open: its id was free before. */
function toOutcome(inserted: InsertOutcome | undefined): Outcome {
  return inserted?.kind === 'failed' ? 'refused' : 'stored';
}
