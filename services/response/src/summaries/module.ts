import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseApi } from '../responses/module.ts';
import { createResponseStream } from '../responses/response-stream.ts';
import type { SliceStore } from '../slices/slice-store.ts';
import { createStoredCounts } from './stored-counts.ts';
import { createSummaryService } from './summary-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'stream' | 'sealer' | 'windows'>;
  readonly slices: SliceStore;
}

export function createSummaryModule(
  { clock, now, log }: ServiceRuntime,
  { definitions, responses, slices }: Dependencies,
) {
  const { stream: store, sealer, windows } = responses;
  const read = createResponseStream({ read: store.readAnswers, openAll: sealer.openAnswers, clock });
  const stored = createStoredCounts({ slices, store, log });
  return { api: createSummaryService({ definitions, store, stored, read, windows, clock, now }) };
}
