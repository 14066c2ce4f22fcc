import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ResponseApi } from '../responses/module.ts';
import { createResponseStream } from '../responses/response-stream-store.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createExportService } from './export-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'stream' | 'sealer' | 'reading'>;
}

export function createExportModule({ clock }: ServiceRuntime, { definitions, responses }: Dependencies) {
  const { stream: store, sealer, reading } = responses;
  const read = createResponseStream({ read: store.read, openAll: sealer.openAll, clock });
  const readTexts = createResponseStream({ read: store.read, openAll: sealer.openTexts, clock });
  return { api: createExportService({ definitions, store, count: reading.count, read, readTexts }) };
}
