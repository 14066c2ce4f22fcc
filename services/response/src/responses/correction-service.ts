import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import type { DefinitionService } from '../definitions/definition-service.ts';
import { type Correction, correct } from './correction.ts';
import type { DeletedResponseStore } from './deleted-response-store.ts';
import type { Response, SealedResponse } from './response.ts';
import { deletedEvents, updatedEvents } from './response-events.ts';
import type { ResponseSealer } from './response-sealer.ts';
import type { ResponseStore } from './response-service.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStore, 'find' | 'replace'>;
  readonly deleted: Pick<DeletedResponseStore, 'remove'>;
  readonly sealer: Pick<ResponseSealer, 'open' | 'sealerOf'>;
  readonly clock: () => Date;
}

export type CorrectionService = ReturnType<typeof createCorrectionService>;

/** What users of a tenant do to responses. Throws `RESPONSE_NOT_FOUND` for one that the tenant does not have. */
export function createCorrectionService({ definitions, store, deleted, sealer, clock }: Dependencies) {
  async function find(tenantId: TenantId, id: string): Promise<SealedResponse> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealed;
  }

  async function corrected(before: Response, correction: Correction): Promise<Response> {
    const survey = await definitions.findOwned(before.tenantId, before.surveyId);
    const change = correct(before, correction, await definitions.findAnswered(survey, before.surveyVersion));
    return change === undefined ? before : { ...before, ...change, revision: before.revision + 1, updatedAt: clock() };
  }

  return {
    /** Throws `SURVEY_NOT_FOUND` when the tenant has deleted the survey. */
    correct(edit: Edit, correction: Correction): Promise<Response> {
      const { by, id } = edit;
      return changeLatest(edit, {
        read: async () => sealer.open(await find(by.tenantId, id)),
        async write(before) {
          const after = await corrected(before, correction);
          if (after === before) return before;
          const seal = await sealer.sealerOf(by.tenantId);
          return (await store.replace(before, seal(after), updatedEvents(by, before, after))) ? after : undefined;
        },
      });
    },

    async remove(edit: Edit): Promise<void> {
      const { by, id } = edit;
      await changeLatest(edit, {
        read: () => find(by.tenantId, id),
        write: async (response) => (await deleted.remove(response, deletedEvents(by, response, clock()))) || undefined,
      });
    },
  };
}
