import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createIdempotencyModule } from '@survey/runtime/service/idempotency-module';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules, type ServiceModule } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { SurveyConfig } from './config.ts';
import { createDefinitionHandler } from './definition-handler.ts';
import { createLinkModule, createSlugs } from './links/module.ts';
import { createProjectModule } from './projects/module.ts';
import { createSurveyHandler } from './survey-handler.ts';
import { createSurveyModule } from './surveys/module.ts';

/** Creates the features in the order of their dependencies. */
export async function createSurveyApp(config: SurveyConfig, log: Logger) {
  const runtime = await createServiceRuntime('survey', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const slugs = createSlugs(runtime);
  const tenants = followTenants(runtime, {
    config,
    destroyDataKeys: envelope.erase,
    beforeEachPass: slugs.reserveForErasure,
  });
  const response = runtime.connect('response', config.responseGrpcAddress);
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const idempotency = add(createIdempotencyModule(runtime, envelope));
  const projects = add(createProjectModule(runtime, { idempotency }));
  const surveyFeature = add(createSurveyModule(runtime, { projects, slugs, ...config }));
  const links = add(
    createLinkModule(runtime, { slugs, surveys: surveyFeature.surveys, response, envelope, idempotency }),
  );
  add(createHandlerModule({ ...surveyFeature, links, idempotency }));
  return createServiceApp({ runtime, config, tenants, modules });
}

type Dependencies = Parameters<typeof createSurveyHandler>[0] & Parameters<typeof createDefinitionHandler>[0];

/** The operations that use several features. */
function createHandlerModule(dependencies: Dependencies): ServiceModule {
  return { handlers: [createSurveyHandler(dependencies), createDefinitionHandler(dependencies)] };
}
