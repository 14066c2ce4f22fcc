import type { ServiceModule } from '@survey/runtime/service/service-module';
import { createReplayHandlers } from './replay-handler.ts';
import { createWebhookHandler } from './webhook-handler.ts';

type Dependencies = Omit<Parameters<typeof createWebhookHandler>[0], 'replayHandlers'> &
  Parameters<typeof createReplayHandlers>[0];

/** Implements the operations with the services of several features. */
export function createHandlerModule(needs: Dependencies): ServiceModule {
  return { handlers: [createWebhookHandler({ ...needs, replayHandlers: createReplayHandlers(needs) })] };
}
