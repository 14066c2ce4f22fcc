import type { ServiceModule } from '@survey/runtime/service/service-module';
import { createPublicResponseHandler } from './public-response-handler.ts';
import { createResponseHandler } from './response-handler.ts';

type Dependencies = Parameters<typeof createPublicResponseHandler>[0] & Parameters<typeof createResponseHandler>[0];

/** Serves the operations that need several features. */
export function createHandlerModule(dependencies: Dependencies): ServiceModule {
  return { handlers: [createPublicResponseHandler(dependencies), createResponseHandler(dependencies)] };
}
