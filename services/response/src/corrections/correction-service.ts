import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { changeLatest, type Edit } from '@survey/runtime/rpc/change-latest';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import { lastSeatEvents } from '../limits/last-seat.ts';
import type { LedgerStore } from '../limits/ledger-store.ts';
import { trackSeat } from '../limits/track-seat.ts';
import { toCorrectionRecord } from '../responses/correction-record.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import { changeTime, type Response, type SealedResponse } from '../responses/response.ts';
import { deletedEvents, updatedEvents } from '../responses/response-events.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-service.ts';
import { type Correction, correct } from './correction.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'isOwned' | 'findOwned' | 'findAnswered'>;
  readonly store: Pick<ResponseStore, 'find' | 'replace'>;
  readonly deleted: Pick<DeletedResponseStore, 'remove'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly sealer: Pick<ResponseSealer, 'open' | 'sealerOf'>;
  readonly files: Pick<ResponseFiles, 'change' | 'remove'>;
  readonly clock: () => Date;
}

export type CorrectionService = ReturnType<typeof createCorrectionService>;

/** Lets users correct and delete responses. Methods throw `RESPONSE_NOT_FOUND` if the tenant has no such response. */
export function createCorrectionService(dependencies: Dependencies) {
  const { definitions, store, deleted, ledgers, sealer, files, clock } = dependencies;

  async function find(tenantId: TenantId, id: string): Promise<SealedResponse> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealed;
  }

  async function findAnswered({ tenantId, surveyId, surveyVersion }: Response) {
    if (!(await definitions.isOwned(tenantId, surveyId))) throw new AppError('RESPONSE_NOT_FOUND');
    const survey = await definitions.findOwned(tenantId, surveyId);
    return { survey, definition: await definitions.findAnswered(survey, surveyVersion) };
  }

  return {
    /** Corrects a response. Throws `RESPONSE_NOT_FOUND`, also if the survey is deleted. */
    correct(edit: Edit, correction: Correction): Promise<Response> {
      const { caller, id } = edit;
      return changeLatest(edit, {
        read: async () => sealer.open(await find(caller.tenantId, id)),
        async write(before) {
          const { survey, definition } = await findAnswered(before);
          const change = correct(before, correction, definition);
          if (change === undefined) return before;
          const after = { ...before, ...change, revision: before.revision + 1, updatedAt: changeTime(before, clock()) };
          const seal = await sealer.sealerOf(caller.tenantId);
          const { responseLimit } = survey.settings;
          const isWritten = await files.change(before, after, definition, () =>
            trackSeat(ledgers, { before, after, responseLimit }, ({ entry, lastSeat }) => {
              const events = [...updatedEvents(caller, before, after), ...lastSeatEvents(after, lastSeat)];
              const record = toCorrectionRecord(caller.actor, before, after);
              return store.replace(before, seal(after), events, { ledgerEntryId: entry, correction: record });
            }),
          );
          return isWritten ? after : undefined;
        },
      });
    },

    async remove(edit: Edit): Promise<void> {
      const { caller, id } = edit;
      await changeLatest(edit, {
        read: () => find(caller.tenantId, id),
        write: async (response) => {
          const events = deletedEvents(caller, response, clock());
          const write = () =>
            trackSeat(ledgers, { before: response, after: undefined }, ({ entry }) =>
              deleted.remove(response, events, entry),
            );
          return (await files.remove(response, write)) || undefined;
        },
      });
    },
  };
}
