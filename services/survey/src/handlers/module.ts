import type { ServiceModule } from '@survey/runtime/service/service-module';
import { createDefinitionHandler } from './definition-handler.ts';
import { createSurveyHandler } from './survey-handler.ts';

type Dependencies = Parameters<typeof createSurveyHandler>[0] & Parameters<typeof createDefinitionHandler>[0];

/** The operations that use several features. */
export function createHandlerModule(dependencies: Dependencies): ServiceModule {
  return { handlers: [createSurveyHandler(dependencies), createDefinitionHandler(dependencies)] };
}
