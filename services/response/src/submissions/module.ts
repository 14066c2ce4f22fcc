import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import type { ResponseFiles } from '../files/response-files.ts';
import type { ResponseApi } from '../responses/module.ts';
import type { LimitApi } from '../seats/module.ts';
import { createStopwatch } from '../stopwatch.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import type { Enter } from '../surveys/link-service.ts';
import { createSubmissionService } from './submission-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly enter: Enter;
  readonly responses: ResponseApi;
  readonly limits: LimitApi;
  readonly files: ResponseFiles;
}

export function createSubmissionModule(
  runtime: ServiceRuntime,
  { definitions, enter, responses, limits, files }: Dependencies,
) {
  const startStopwatch = createStopwatch(runtime);
  const { clock } = runtime;
  return {
    api: createSubmissionService({
      ...responses,
      ...limits,
      definitions,
      enter,
      files,
      clock,
      startStopwatch,
      newId: v7,
    }),
  };
}
