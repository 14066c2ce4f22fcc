import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@bufbuild/protobuf';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError, type FieldProblem } from '@survey/runtime/errors/app-error';
import { changeLatest, type EditTarget } from '@survey/runtime/rpc/if-match';
import type { ResponseFiles } from '../files/response-files.ts';
import type { DeletedResponseStore } from '../responses/deleted-response-store.ts';
import {
  type ContentChange,
  changeTime,
  checkMetadataSize,
  fitChange,
  mergeContent,
  type Response,
  type SealedResponse,
  toCorrectionRecord,
  validateAnswers,
} from '../responses/response.ts';
import { deletedEvents, updatedEvents } from '../responses/response-events.ts';
import type { ResponseSealer } from '../responses/response-sealer.ts';
import type { ResponseStore } from '../responses/response-store.ts';
import type { LedgerStore } from '../seats/ledger-store.ts';
import { lastSeatEvents, trackSeat } from '../seats/limit.ts';
import type { CompiledSurvey } from '../surveys/definition.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';

interface Dependencies {
  readonly definitions: Pick<DefinitionService, 'isOwned' | 'findOwned' | 'findAnsweredVersion'>;
  readonly store: Pick<ResponseStore, 'find' | 'replace'>;
  readonly deleted: Pick<DeletedResponseStore, 'remove'>;
  readonly ledgers: Pick<LedgerStore, 'track'>;
  readonly sealer: Pick<ResponseSealer, 'open' | 'forTenant'>;
  readonly files: Pick<ResponseFiles, 'change' | 'remove'>;
  readonly clock: () => Date;
}

export type CorrectionService = ReturnType<typeof createCorrectionService>;

/**
 * Lets users correct and delete responses. Methods throw `RESPONSE_NOT_FOUND` if the tenant has no such response. Each
 * completed response takes a seat of its limits. `trackSeat` updates the count of seats.
 */
export function createCorrectionService(dependencies: Dependencies) {
  const { definitions, store, deleted, ledgers, sealer, files, clock } = dependencies;

  async function find(tenantId: TenantId, id: string): Promise<SealedResponse> {
    const sealed = await store.find(tenantId, id);
    if (sealed === undefined) throw new AppError('RESPONSE_NOT_FOUND');
    return sealed;
  }

  async function findSurveyOf({ tenantId, surveyId, surveyVersion }: Response) {
    if (!(await definitions.isOwned(tenantId, surveyId))) throw new AppError('RESPONSE_NOT_FOUND');
    const survey = await definitions.findOwned(tenantId, surveyId);
    return { survey, definition: await definitions.findAnsweredVersion(survey, surveyVersion) };
  }

  return {
    /** Throws `RESPONSE_NOT_FOUND` if the response or its survey is deleted. */
    correct(edit: EditTarget, correction: ContentChange): Promise<Response> {
      const { context, id } = edit;
      return changeLatest(edit, {
        read: async () => sealer.open(await find(context.tenantId, id)),
        async write(before) {
          const { survey, definition } = await findSurveyOf(before);
          const { responseLimit, metadataFields } = survey.settings;
          // A correction can repair each field, whatever its source.
          const change = correct(before, fitChange(metadataFields, before, correction), definition);
          if (change === undefined) return before;
          const after = { ...before, ...change, revision: before.revision + 1, updatedAt: changeTime(before, clock()) };
          const { seal } = await sealer.forTenant(context.tenantId);
          const isWritten = await files.change(before, after, definition, () =>
            trackSeat(ledgers, { before, after, responseLimit }, ({ entry, lastSeat }) => {
              const events = [...updatedEvents(context, before, after), ...lastSeatEvents(after, lastSeat)];
              const record = toCorrectionRecord(context.actor, before, after);
              return store.replace(before, seal(after), events, { ledgerEntryId: entry, correction: record });
            }),
          );
          return isWritten ? after : undefined;
        },
      });
    },

    async remove(edit: EditTarget): Promise<void> {
      const { context, id } = edit;
      await changeLatest(edit, {
        read: () => find(context.tenantId, id),
        write: async (response) => {
          const events = deletedEvents(context, response, clock());
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

type Corrected = Pick<Response, 'status' | 'data' | 'metadata'>;

/**
 * Returns undefined if nothing changes. Throws `VALIDATION_FAILED` or `INVALID_ANSWERS` with all errors.
 *
 * @param definition the version that the response answers
 */
function correct(response: Response, correction: ContentChange, definition: CompiledSurvey): Corrected | undefined {
  const { data: merged, metadata } = mergeContent(response, correction);
  checkMetadataSize(metadata);
  const answers = Object.hasOwn(correction, 'data')
    ? correctAnswers(response, merged, definition)
    : { data: response.data, status: response.status };
  const corrected = { ...answers, metadata };
  const { data, status } = response;
  return isDeepStrictEqual(corrected, { data, status, metadata: response.metadata }) ? undefined : corrected;
}

/**
 * Validates the changed answers, and determines the status of a finished response again. A finished response may lack a
 * required answer only if it lacked the answer before the correction.
 */
function correctAnswers({ status, data: before, language }: Response, merged: JsonObject, definition: CompiledSurvey) {
  const isFinished = status === 'completed' || status === 'disqualified';
  const options = { partial: !isFinished, inactive: true, language };
  const { data, disqualified, errors } = validateAnswers(definition, merged, options);
  if (errors.length > 0) {
    const missingBefore = missingOf(validateAnswers(definition, before, options).errors);
    const caused = errors.filter((error) => !isMissing(error) || !missingBefore.has(error.path));
    if (caused.length > 0) throw new AppError('INVALID_ANSWERS', { errors: caused });
  }
  if (!isFinished) return { data, status };
  return { data, status: disqualified ? ('disqualified' as const) : ('completed' as const) };
}

function missingOf(errors: readonly FieldProblem[]): ReadonlySet<string> {
  return new Set(errors.filter(isMissing).map(({ path }) => path));
}

function isMissing({ code }: FieldProblem): boolean {
  return code === 'REQUIRED';
}
