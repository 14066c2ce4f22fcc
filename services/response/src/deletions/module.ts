import type { Envelope } from '@survey/runtime/crypto/envelope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { v7 } from 'uuid';
import type { ResponseApi } from '../responses/module.ts';
import type { ResponseDocument } from '../responses/response-document-store.ts';
import { createResponseStream } from '../responses/response-stream-store.ts';
import { createDueResponseStore } from '../retention/retention-store.ts';
import {
  createDeletionPlanStore,
  type DeletionPlanDocument,
  type DeletionPlanPartDocument,
  deletionPlanIndexes,
} from './deletion-plan-store.ts';
import { createDeletionService } from './deletion-service.ts';

interface Dependencies
  extends Pick<
    Parameters<typeof createDeletionService>[0],
    'definitions' | 'conditions' | 'slowReads' | 'deleted' | 'files' | 'ledgers'
  > {
  readonly stream: ResponseApi['stream'];
  readonly envelope: Envelope;
}

/** Lets users delete the responses that match conditions and filters. A plan contains their ids and revisions. */
export function createDeletionModule(
  { collection, clock, now }: ServiceRuntime,
  { stream, envelope, ...dependencies }: Dependencies,
) {
  return {
    indexes: deletionPlanIndexes,
    provides: createDeletionService({
      ...dependencies,
      read: createResponseStream({ read: stream.read, openAll: async (_, sealed) => sealed, clock }),
      plans: createDeletionPlanStore({
        plans: collection<DeletionPlanDocument>('deletion_plans'),
        parts: collection<DeletionPlanPartDocument>('deletion_plan_parts'),
      }),
      dueResponses: createDueResponseStore(collection<ResponseDocument>('responses')),
      cipherOf: envelope.cipherOf,
      newId: v7,
      clock,
      now,
    }),
  };
}
