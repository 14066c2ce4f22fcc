import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { ResponseApi } from '../responses/module.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import type { DefinitionService } from '../surveys/definition-service.ts';
import { type ChangeHorizonDocument, createChangeHorizons } from './change-horizon-store.ts';
import { createChangeService, createChangeWaits } from './change-service.ts';
import { createChangeStore } from './change-store.ts';

interface Dependencies {
  readonly definitions: DefinitionService;
  readonly responses: Pick<ResponseApi, 'sealer' | 'windows'>;
  /** Number of days for which the feed reports a deletion. Older cursors expire. */
  readonly deletionsKeptDays: number;
}

/**
 * The change feed. With it, a client keeps a copy of the responses to a survey. The client asks for the changes after
 * its cursor. It gets the changes up to a horizon: a cluster time before which all writes have ended.
 *
 * A request without changes can wait for a change. Processes write responses only in write windows (time spans), so a
 * waiting request does not read the feed while no window opens.
 */
export function createChangeModule(
  runtime: ServiceRuntime,
  { definitions, responses, deletionsKeptDays }: Dependencies,
) {
  const { mongo, clock, now } = runtime;
  const collection = runtime.collection<ResponseDocument>('responses');
  const waits = createChangeWaits();
  const horizons = createChangeHorizons({
    client: mongo.client,
    horizons: runtime.collection<ChangeHorizonDocument>('change_horizons'),
    namespace: collection.namespace,
  });
  return {
    // End the calls that wait for changes before the process waits for all running calls.
    stoppedFirst: [waits],
    provides: createChangeService({
      ...responses,
      definitions,
      store: createChangeStore(collection),
      horizons,
      waits,
      keptDays: deletionsKeptDays,
      clock,
      now,
    }),
  };
}
