import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { MongoDBInstrumentation } from '@opentelemetry/instrumentation-mongodb';
import type { NodeSDKConfiguration } from '@opentelemetry/sdk-node';
import { register } from 'import-in-the-middle/register-hooks.mjs';

/** What is instrumented when ES modules import it; all other modules are left as they are. */
const HOOKED = ['http', 'https', 'mongodb'];

/**
 * Hooks the loading of modules, and instruments what is loaded from now on: calls over HTTP and commands to MongoDB,
 * where they are part of a trace. All other spans are made in `spans.ts`.
 */
export function createInstrumentations(): NodeSDKConfiguration['instrumentations'] {
  register({ include: HOOKED });
  return [
    // Calls that come in have their spans from the gateway and the pipeline, which know whose context to believe.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true, requireParentforOutgoingSpans: true }),
    // The text of a statement would not get out of the process; so it is not written either.
    new MongoDBInstrumentation({ dbStatementSerializer: () => '' }),
  ];
}
