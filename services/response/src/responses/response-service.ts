import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { OutboxEvent } from '@survey/runtime/kafka/outbox-event';
import type { Page, PageQuery } from '@survey/runtime/mongo/page';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Response, ResponseHead, SealedResponse } from './response.ts';
import type { ResponseFilter } from './response-filter.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { Replaced, StoredState } from './response-state-store.ts';
import type { RestingReads } from './resting-reads.ts';

/** What became of a response of a batch; `refused` is one that the database does not take. */
export type StoreOutcome = 'inserted' | 'duplicate' | 'refused';

/** Where responses are kept. Events go in with the write that they tell of. */
export interface ResponseStore {
  /** One of many at the same time: they share writes. */
  insert(response: SealedResponse, events: readonly OutboxEvent[]): Promise<'inserted' | 'duplicate'>;
  /**
   * A batch as one write; outcomes at the index of their response.
   *
   * @param entry of the ledger, when the responses take seats
   */
  insertAll(responses: readonly NewResponse[], entry?: string): Promise<readonly StoreOutcome[]>;
  find(tenantId: TenantId, id: string): Promise<SealedResponse | undefined>;
  /** Those of the ids that there are, at most some megabytes of them; of the postponed ones nothing is known. */
  findSome(
    tenantId: TenantId,
    ids: readonly string[],
  ): Promise<{ readonly found: readonly SealedResponse[]; readonly postponed: readonly string[] }>;
  /** The states of the documents with these ids, whichever tenant they belong to. Free ids are left out. */
  findStates(ids: readonly string[]): Promise<ReadonlyMap<string, StoredState>>;
  /** By the time that they were stored. */
  list(tenantId: TenantId, filter: ResponseFilter, page: PageQuery): Promise<Page<SealedResponse>>;
  /**
   * As many responses as asked for, or all; each set of that size is as likely as any other, in any order.
   * Throws `VALIDATION_FAILED` when they take more than 16 MiB.
   */
  sample(tenantId: TenantId, filter: ResponseFilter, size: number): Promise<readonly SealedResponse[]>;
  count(tenantId: TenantId, filter: ResponseFilter): Promise<number>;
  /**
   * False when the response is not at the revision that it had before.
   *
   * @param entry of the ledger, when the response takes a seat or gives it back
   */
  replace(
    before: ResponseHead,
    after: SealedResponse,
    events: readonly OutboxEvent[],
    entry?: string,
  ): Promise<boolean>;
}

interface NewResponse {
  readonly response: SealedResponse;
  readonly events: readonly OutboxEvent[];
  /** The document that it replaces; undefined when its id is free. */
  readonly replaced?: Replaced | undefined;
}

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly sealer: ResponseSealer;
  readonly counts: RestingReads<number>;
}

interface ResponsePage {
  readonly items: readonly Response[];
  readonly nextCursor?: string;
}

export type ResponseService = ReturnType<typeof createResponseService>;

/** Reads the responses of a tenant. Throws `SURVEY_NOT_FOUND` for a survey that the tenant does not have. */
export function createResponseService({ definitions, store, sealer, counts }: Dependencies) {
  return {
    async list(tenantId: TenantId, filter: ResponseFilter, page: PageQuery): Promise<ResponsePage> {
      await definitions.findOwned(tenantId, filter.surveyId);
      const { items, ...rest } = await store.list(tenantId, filter, page);
      return { items: await sealer.openAll(tenantId, items), ...rest };
    },

    /** In any order. */
    async sample(tenantId: TenantId, filter: ResponseFilter, size: number): Promise<readonly Response[]> {
      await definitions.findOwned(tenantId, filter.surveyId);
      return sealer.openAll(tenantId, await store.sample(tenantId, filter, size));
    },

    async count(tenantId: TenantId, filter: ResponseFilter): Promise<number> {
      const { surveyId } = filter;
      await definitions.findOwned(tenantId, surveyId);
      return counts({ tenantId, surveyId }, JSON.stringify(filter), () => store.count(tenantId, filter));
    },

    /** Throws `RESPONSE_NOT_FOUND`, also when its survey is deleted. */
    async get(tenantId: TenantId, id: string): Promise<Response> {
      const sealed = await store.find(tenantId, id);
      if (sealed === undefined || !(await definitions.isOwned(tenantId, sealed.surveyId)))
        throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },

    /** Those of the ids that there are, as far as there is room for them; the postponed ones are to be asked for again. */
    async getSome(tenantId: TenantId, ids: readonly string[]) {
      const { found, postponed } = await store.findSome(tenantId, ids);
      return { found: await sealer.openAll(tenantId, found), postponed };
    },
  };
}
