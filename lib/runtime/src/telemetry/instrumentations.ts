import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';

/** Modules that are instrumented; other modules are loaded without hooks. */
const INSTRUMENTED = ['http', 'https', 'mongodb'];

/**
 * Instruments modules that are loaded from now on: HTTP calls and MongoDB commands that are part of a trace. All other
 * spans come from `spans.ts`.
 */
export function createInstrumentations(): NodeSDKConfiguration['instrumentations'] {
  register({ include: INSTRUMENTED });
  return [
    // Incoming calls get their spans from the gateway and the pipeline, which check whether to trust the context.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true, requireParentforOutgoingSpans: true }),
    // Statements are not exported, so do not serialize them either.
    new MongoDBInstrumentation({ dbStatementSerializer: () => '' }),
  ];
}
