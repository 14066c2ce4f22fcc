import type { Envelope } from '@survey/runtime/crypto/envelope';
import { createStopwatch } from '@survey/runtime/flow/stopwatch';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { DefinitionService } from '../definitions/definition-service.ts';
import type { ResponseFiles } from '../files/response-files.ts';
import type { LimitApi } from '../limits/module.ts';
import type { Enter } from '../links/enter.ts';
import type { ResponseApi } from '../responses/module.ts';
import type { ResponseDocument } from '../responses/response-store.ts';
import { createAbandonment } from './abandonment.ts';
import { createProgressService } from './progress-service.ts';
import { createProgressStore, progressIndex } from './progress-store.ts';
import { createResumeTokens } from './resume-token.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly enter: Enter;
  readonly responses: ResponseApi;
  readonly limits: LimitApi;
  readonly files: ResponseFiles;
  readonly envelope: Envelope;
  readonly abandonedAfterHours: number;
}

/** Responses in progress: respondents save and complete them, inactive ones are abandoned. */
export function createProgressModule(runtime: ServiceRuntime, dependencies: Dependencies) {
  const { definitions, enter, responses, limits, files, envelope, abandonedAfterHours: afterHours } = dependencies;
  const { log, clock } = runtime;
  const startStopwatch = createStopwatch(runtime);
  const collection = runtime.collection<ResponseDocument>('responses');
  const progressStore = createProgressStore({ collection, ...responses });
  const tokens = createResumeTokens(envelope);
  const lease = runtime.lease('abandoned responses');
  return {
    indexes: { responses: [progressIndex] },
    pollers: [createAbandonment({ store: progressStore, afterHours, lease, clock, log })],
    api: {
      progress: createProgressService({
        ...responses,
        ...limits,
        definitions,
        enter,
        progressStore,
        tokens,
        files,
        clock,
        startStopwatch,
      }),
      tokens,
    },
  };
}
