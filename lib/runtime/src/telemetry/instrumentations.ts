import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';

/** Modules that are instrumented; other modules are loaded without hooks. */
const INSTRUMENTED = ['http', 'https', 'mongodb'];

/** Makes spans for HTTP calls and MongoDB commands within a trace. Only affects modules that are loaded later. */
export function createInstrumentations(): NodeSDKConfiguration['instrumentations'] {
  register({ include: INSTRUMENTED });
  return [
    // The gateway and `rpc/pipeline.ts` make spans of incoming calls: they know whether to trust the trace context.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true, requireParentforOutgoingSpans: true }),
    // Statements are not exported, so do not serialize them either.
    new MongoDBInstrumentation({ dbStatementSerializer: () => '' }),
  ];
}
