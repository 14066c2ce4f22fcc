import type { ServiceModule } from '@survey/runtime/service/service-module';
import { createPublicResponseHandler } from './public-response-handler.ts';
import { createResponseHandler } from './response-handler.ts';

type Needs = Parameters<typeof createPublicResponseHandler>[0] & Parameters<typeof createResponseHandler>[0];

/** The operations that several features serve together. */
export function createHandlerModule(needs: Needs): ServiceModule {
  return { handlers: [createPublicResponseHandler(needs), createResponseHandler(needs)] };
}
