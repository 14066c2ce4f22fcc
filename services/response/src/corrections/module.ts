import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ResponseFiles } from '../files/response-files.ts';
import type { ResponseApi } from '../responses/module.ts';
import type { LimitApi } from '../seats/module.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createCorrectionService } from './correction-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: ResponseApi;
  readonly limits: LimitApi;
  readonly files: ResponseFiles;
}

export function createCorrectionModule(
  { clock }: ServiceRuntime,
  { definitions, responses, limits, files }: Dependencies,
) {
  return { api: createCorrectionService({ ...responses, ...limits, definitions, files, clock }) };
}
