import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseApi } from '../responses/module.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import { createResponseCountService } from './response-count-service.ts';
import { createResponseCountStore } from './response-count-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'windows'>;
}

/** Time for which a list of counts waits for surveys that are still counted. */
const MAX_WAIT_MS = 1_000;

export function createCountModule(runtime: ServiceRuntime, { definitions, responses }: Dependencies) {
  const { clock, now } = runtime;
  const store = createResponseCountStore(runtime.collection<ResponseDocument>('responses'));
  const deadline = () => sleep(MAX_WAIT_MS, undefined, { ref: false });
  return {
    api: createResponseCountService({ definitions, store, windows: responses.windows, clock, now, deadline }),
  };
}
