import type { ServiceModule } from '@survey/runtime/service/service-module';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ResponseApi } from '../responses/module.ts';
import type { LimitApi } from '../seats/module.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { createResponseImportHandler } from './response-import-handler.ts';
import { createResponseImportService } from './response-import-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: ResponseApi;
  readonly limits: LimitApi;
}

export function createImportModule(
  { clock }: ServiceRuntime,
  { definitions, responses, limits }: Dependencies,
): ServiceModule {
  const imports = createResponseImportService({ ...responses, ...limits, definitions, clock });
  return { handlers: [createResponseImportHandler(imports)] };
}
