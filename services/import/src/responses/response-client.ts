import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import type { ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { NewResponse } from '../reading/batches.ts';
import { onBehalfOf } from '../surveys/survey-client.ts';

/** `skipped`: the response was stored before the import. `failed`: it was rejected. */
export type Outcome =
  | { readonly outcome: 'imported' | 'skipped' }
  | {
      readonly outcome: 'failed';
      readonly code: string;
      readonly detail: string;
      /** JSON pointer to the first invalid value in the response; empty if the failure concerns no value. */
      readonly path: string;
    };

/** The survey of a batch, and options of the import. */
interface Destination {
  readonly surveyId: string;
  /** Whether webhooks get an event for each stored response. */
  readonly emitEvents: boolean;
  /**
   * Start of the import. Responses that were deleted earlier are stored again. Responses that are deleted later stay
   * deleted, even if their batch is sent twice.
   */
  readonly begunAt: Date;
  /** Whether an earlier call may have stored the batch. Its responses then count as imported instead of skipped. */
  readonly wasSentBefore: boolean;
}

/** Long enough for a batch, even while the response service is busy with requests of respondents. */
const DEADLINE_MS = 30_000;

export type ResponseClient = ReturnType<typeof createResponseClient>;

/** Stores responses of files at the response service. */
export function createResponseClient(connection: ServiceConnection) {
  const client = connection.client(ResponseImportService);
  return {
    /** Stores a batch and returns an outcome for each response, in order. Skips responses that are stored already. */
    async store(
      caller: ChangeContext,
      { surveyId, emitEvents, begunAt, wasSentBefore }: Destination,
      batch: readonly NewResponse[],
    ): Promise<readonly Outcome[]> {
      const responses = batch.map(toMessage);
      const importBegunAt = timestampFromDate(begunAt);
      const request = { surveyId, silent: !emitEvents, importBegunAt, wasSentBefore, responses };
      const options = { ...onBehalfOf(caller), timeoutMs: DEADLINE_MS };
      const { outcomes } = await client.storeImportedResponses(request, options);
      if (outcomes.length !== batch.length) throw new AppError('UPSTREAM_INVALID');
      return outcomes.map(({ outcome, code, detail, path }) =>
        outcome === 'imported' || outcome === 'skipped' ? { outcome } : { outcome: 'failed', code, detail, path },
      );
    },

    /** Returns for each response of a batch, in order, whether `store` would skip it. */
    async areStored(
      caller: ChangeContext,
      { surveyId, begunAt }: Pick<Destination, 'surveyId' | 'begunAt'>,
      batch: readonly Pick<NewResponse, 'id'>[],
    ): Promise<readonly boolean[]> {
      const request = { surveyId, importBegunAt: timestampFromDate(begunAt), ids: batch.map(({ id }) => id) };
      const options = { ...onBehalfOf(caller), timeoutMs: DEADLINE_MS };
      const { stored } = await client.findImportedResponses(request, options);
      if (stored.length !== batch.length) throw new AppError('UPSTREAM_INVALID');
      return stored;
    },
  };
}

function toMessage(response: NewResponse) {
  const { id, externalId, answers, startedAt, completedAt, language, metadata, status = '', allowsMissing } = response;
  return {
    id,
    answers,
    status,
    allowsMissing,
    startedAt: startedAt && timestampFromDate(startedAt),
    completedAt: completedAt && timestampFromDate(completedAt),
    ...(externalId === undefined ? {} : { externalId }),
    ...(language === undefined ? {} : { language }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/**
 * For a dry run into a new survey. Every response counts as imported: none can be stored already, and
 * `createFitResponse` has checked the answers.
 */
export const dryRunForNewSurvey: Pick<ResponseClient, 'store'> = {
  store: async (_importer, _to, batch) => batch.map(() => ({ outcome: 'imported' })),
};

/** For a dry run into an existing survey. Responses that are stored already count as skipped. */
export function createDryRunForExisting({
  areStored,
}: Pick<ResponseClient, 'areStored'>): Pick<ResponseClient, 'store'> {
  return {
    store: async (caller, to, batch) =>
      (await areStored(caller, to, batch)).map((isStored) => ({ outcome: isStored ? 'skipped' : 'imported' })),
  };
}
