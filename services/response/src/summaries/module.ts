import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseApi } from '../responses/module.ts';
import { createResponseStream } from '../responses/response-stream.ts';
import { createSummaryService } from './summary-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'stream' | 'sealer' | 'windows'>;
}

export function createSummaryModule({ clock, now }: ServiceRuntime, { definitions, responses }: Dependencies) {
  const { stream: store, sealer, windows } = responses;
  const read = createResponseStream({ read: store.readAnswers, openAll: sealer.openAnswers, clock });
  return { api: createSummaryService({ definitions, store, read, windows, now }) };
}
