import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ConditionService } from '../responses/condition-service.ts';
import type { ResponseApi } from '../responses/module.ts';
import { createResponseStream } from '../responses/response-stream-store.ts';
import { createSliceStore, type SliceDocument, type SliceStore, sliceIndexes } from '../responses/slice-store.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createStoredCounts } from './stored-counts.ts';
import { createSummaryService } from './summary-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly conditions: ConditionService;
  readonly responses: Pick<ResponseApi, 'stream' | 'sealer' | 'windows' | 'read'>;
  readonly slices: SliceStore;
}

/** Summarizes the responses to surveys. A summary adds up the stored counts of time slices. */
export function createSummaries(
  { clock, now, log }: ServiceRuntime,
  { definitions, conditions, responses, slices }: Dependencies,
) {
  const { stream, sealer, windows, read: readAll } = responses;
  const readAnswers = createResponseStream({ read: stream.readAnswers, openAll: sealer.openAnswers, clock });
  const stored = createStoredCounts({ slices, store: stream, log });
  const dependencies = { definitions, conditions, store: stream, stored, read: readAnswers, readAll, windows };
  return createSummaryService({ ...dependencies, clock, now });
}

/** Stores counts by slice: a time range of the responses to a survey. A change of a response removes its slices. */
export function createSliceModule({ collection, log }: ServiceRuntime, envelope: Envelope) {
  return {
    indexes: { count_slices: sliceIndexes },
    provides: createSliceStore({ collection: collection<SliceDocument>('count_slices'), envelope, log }),
  };
}
