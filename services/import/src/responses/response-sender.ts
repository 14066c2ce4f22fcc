import type { AppError } from '@survey/runtime/errors/app-error';
import { toAppError } from '@survey/runtime/errors/error-mapping';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import { toBatches } from './batches.ts';
import { type FileResponse, isRefused, type ReadResponse } from './file-response.ts';
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
  readonly surveyId: string;
  /** The ids that a response is to have, from its id in the file. */
  readonly idsOf: (id: string) => ResponseIds;
}

/** Sends the responses of a file that can be sent, batch by batch. */
export async function sendResponses(
  writer: ResponseClient,
  call: TenantCall,
  { surveyId, idsOf }: Destination,
  responses: readonly FileResponse[],
): Promise<Sent> {
  const outcomes = new Map<number, ResponseOutcome>();
  const note = ({ index, id }: FileResponse, outcome: Outcome) => outcomes.set(index, { index, id, ...outcome });
  let failure: AppError | undefined;
  for (const batch of toBatches(responses.filter((response): response is ReadResponse => !isRefused(response)))) {
    const stored = failure ?? (await storeBatch(writer, call, surveyId, batch, idsOf));
    if ('reason' in stored) failure = stored;
    for (const [position, response] of batch.entries()) note(response, outcomeAt(stored, position));
  }
  for (const response of responses.filter(isRefused)) {
    note(response, { outcome: 'failed', code: response.code, detail: response.detail });
  }
  return { outcomes: [...outcomes.values()].sort((a, b) => a.index - b.index), failure };
}

async function storeBatch(
  writer: ResponseClient,
  call: TenantCall,
  surveyId: string,
  batch: readonly ReadResponse[],
  idsOf: Destination['idsOf'],
): Promise<readonly Outcome[] | AppError> {
  const items = batch.map(({ id, answers, submittedAt }) => ({ ...idsOf(id), answers, submittedAt }));
  try {
    return await writer.store(call, surveyId, items);
  } catch (error) {
    const failure = toAppError(error);
    call.log.warn({ err: failure, survey_id: surveyId }, 'a batch of imported responses could not be stored');
    return failure;
  }
}

function outcomeAt(stored: readonly Outcome[] | AppError, position: number): Outcome {
  if ('reason' in stored) return { outcome: 'failed', code: stored.reason, detail: stored.message };
  return stored[position] ?? { outcome: 'failed', code: 'INTERNAL', detail: 'It is not known what became of it' };
}
