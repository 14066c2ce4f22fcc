import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { Response } from './response.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { PageQuery, ResponseStore } from './response-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly store: ResponseStore;
  readonly sealer: ResponseSealer;
}

export interface ResponsePage {
  readonly items: readonly Response[];
  readonly nextCursor?: string;
}

export type ResponseService = ReturnType<typeof createResponseService>;

/** Reads the responses of a tenant. Throws `SURVEY_NOT_FOUND` for a survey that the tenant does not have. */
export function createResponseService({ definitions, store, sealer }: Dependencies) {
  return {
    /** Newest first. */
    async list(tenantId: TenantId, surveyId: string, page: PageQuery): Promise<ResponsePage> {
      await definitions.findOwned(tenantId, surveyId);
      const { items, ...rest } = await store.list(tenantId, surveyId, page);
      return { items: await sealer.openAll(tenantId, items), ...rest };
    },

    /** In any order. */
    async sample(tenantId: TenantId, surveyId: string, size: number): Promise<readonly Response[]> {
      await definitions.findOwned(tenantId, surveyId);
      return sealer.openAll(tenantId, await store.sample(tenantId, surveyId, size));
    },

    async count(tenantId: TenantId, surveyId: string): Promise<number> {
      await definitions.findOwned(tenantId, surveyId);
      return store.count(tenantId, surveyId);
    },

    async get(tenantId: TenantId, id: string): Promise<Response> {
      const sealed = await store.find(tenantId, id);
      if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
      return sealer.open(sealed);
    },
  };
}
