import { createRandomSource } from '@survey/runtime/crypto/random-source';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import type { LimitApi } from '../limits/module.ts';
import type { ResponseApi } from '../responses/module.ts';
import { createSubmissionService } from './submission-service.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: ResponseApi;
  readonly limits: LimitApi;
  readonly files: ResponseFiles;
}

const UUID_BYTES = 16;

export function createSubmissionModule(
  { clock }: ServiceRuntime,
  { definitions, responses, limits, files }: Dependencies,
) {
  const randomBytes = createRandomSource();
  const newId = () => v7({ random: randomBytes(UUID_BYTES) });
  return { api: createSubmissionService({ ...responses, ...limits, definitions, files, clock, newId }) };
}
