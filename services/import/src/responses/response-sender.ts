import type { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import { type FileResponse, isRefused, type ReadResponse } from './file-response.ts';
import { toResponseBatches } from './response-batches.ts';
import type { Outcome, ResponseClient } from './response-client.ts';
import type { ResponseIds } from './response-ids.ts';

/** What became of one response of the file. */
export type ResponseOutcome = Outcome & Pick<FileResponse, 'index' | 'id'>;

export interface Sent {
  /** One for each response, in the order of the file. */
  readonly outcomes: readonly ResponseOutcome[];
  /** What ended the sending before its time; what was not sent by then has failed with it. */
  readonly failure: AppError | undefined;
}

interface Destination {
  readonly client: ResponseClient;
  readonly call: TenantCall;
  readonly surveyId: string;
  /** The ids that a response is to have, from those in the file. */
  readonly idsOf: (response: ReadResponse) => ResponseIds;
}

const UNKNOWN: Outcome = { outcome: 'failed', code: 'INTERNAL', detail: 'It is not known what became of it' };

/** Sends the responses of a file that can be sent, batch by batch. */
export async function sendResponses(destination: Destination, responses: readonly FileResponse[]): Promise<Sent> {
  const outcomes = new Map<FileResponse, Outcome>();
  let failure: AppError | undefined;
  for (const batch of toResponseBatches(
    responses.filter((response): response is ReadResponse => !isRefused(response)),
  )) {
    const stored = failure ?? (await storeBatch(destination, batch));
    if ('reason' in stored) failure = stored;
    else for (const [position, response] of batch.entries()) outcomes.set(response, stored[position] ?? UNKNOWN);
  }
  return { outcomes: responses.map((response) => outcomeOf(response, outcomes.get(response), failure)), failure };
}

/** What became of the responses of a file when none of them could be sent. */
export function failAll(responses: readonly FileResponse[], failure: AppError): readonly ResponseOutcome[] {
  return responses.map((response) => outcomeOf(response, undefined, failure));
}

async function storeBatch(
  { client, call, surveyId, idsOf }: Destination,
  batch: readonly ReadResponse[],
): Promise<readonly Outcome[] | AppError> {
  const items = batch.map((response) => ({ ...response, ...idsOf(response) }));
  try {
    return await client.store(call, surveyId, items);
  } catch (error) {
    const failure = toAppError(error);
    call.log().warn({ err: failure, survey_id: surveyId }, 'a batch of imported responses could not be stored');
    return failure;
  }
}

function outcomeOf(
  response: FileResponse,
  outcome: Outcome | undefined,
  failure: AppError | undefined,
): ResponseOutcome {
  const { index, id } = response;
  if (isRefused(response)) return { index, id, outcome: 'failed', code: response.code, detail: response.detail };
  if (outcome !== undefined) return { index, id, ...outcome };
  return failure === undefined
    ? { index, id, ...UNKNOWN }
    : { index, id, outcome: 'failed', code: failure.reason, detail: failure.message };
}
