import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { outboxIndex } from '@survey/runtime/kafka/outbox-event';
import { systemScope } from '@survey/runtime/mongo/system-scope';
import type { ServiceRuntime } from '@survey/runtime/service/service-runtime';
import { createProjectHandler } from './project-handler.ts';
import { createProjectService } from './project-service.ts';
import { createProjectStore, type ProjectDocument, projectIndexes, type SurveyInProject } from './project-store.ts';

interface Dependencies {
  readonly idempotency: Idempotency;
}

export function createProjectModule(runtime: ServiceRuntime, { idempotency }: Dependencies) {
  const collection = runtime.collection<ProjectDocument>('projects');
  const relay = runtime.relay(systemScope(collection));
  const store = createProjectStore({
    collection,
    surveys: runtime.collection<SurveyInProject>('surveys'),
    client: runtime.mongo.client,
    onEvent: relay.wake,
  });
  const projects = createProjectService({ store, clock: runtime.clock });
  return {
    handlers: [createProjectHandler({ projects, idempotency })],
    indexes: { projects: [...projectIndexes, outboxIndex] },
    stoppedLast: [relay],
    // For the survey module, which calls only `markUsed`.
    provides: store,
  };
}
