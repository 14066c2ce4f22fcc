import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules, type ServiceModule } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { createChangeModule } from './changes/module.ts';
import type { ResponseConfig } from './config.ts';
import { createCorrectionModule } from './corrections/module.ts';
import { createExportModule } from './exports/module.ts';
import { createFileModule } from './files/module.ts';
import { createImportModule } from './imports/module.ts';
import { createProgressModule } from './progress/module.ts';
import { createPublicResponseHandler } from './public-response-handler.ts';
import { createRateLimitModule } from './rates/module.ts';
import { createResponseHandler } from './response-handler.ts';
import { createResponseModule } from './responses/module.ts';
import { createRetentionModule } from './retention/module.ts';
import { createLimitModule } from './seats/module.ts';
import { createSubmissionModule } from './submissions/module.ts';
import { createCountModule, createSliceModule, createSummaryModule } from './summaries/module.ts';
import { createEnter } from './surveys/link-service.ts';
import { createDefinitionModule, createLinkModule } from './surveys/module.ts';

/** Composes the features. Each one uses only features above it. */
export async function createResponseApp(config: ResponseConfig, log: Logger) {
  const runtime = await createServiceRuntime('response', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, {
    config,
    destroyKeys: envelope.erase,
    // These collections have no data of tenants.
    keptCollections: ['survey_walks', 'change_horizons'],
  });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const { rateLimits, countRejection } = add(createRateLimitModule(runtime, config));
  const definitions = add(createDefinitionModule(runtime, { survey, tenants }));
  const links = add(createLinkModule(runtime, { survey, tenants, envelope, countRejection }));
  const slices = add(createSliceModule(runtime, envelope));
  const responses = add(createResponseModule(runtime, { definitions, slices, envelope, ...config }));
  const limits = add(createLimitModule(runtime, responses));
  const { files, ...fileServices } = add(createFileModule(runtime, { definitions, responses, envelope }));
  const enter = createEnter({ definitions, links, clock: runtime.clock });
  const core = { definitions, enter, responses, limits, files };
  const submissions = add(createSubmissionModule(runtime, core));
  const progress = add(createProgressModule(runtime, { ...core, envelope, ...config }));
  const corrections = add(createCorrectionModule(runtime, core));
  add(createImportModule(runtime, core));
  const changes = add(createChangeModule(runtime, { definitions, responses, ...config }));
  const counts = add(createCountModule(runtime, { definitions, responses }));
  const exports = add(createExportModule(runtime, { definitions, responses }));
  const summaries = add(createSummaryModule(runtime, { definitions, responses, slices }));
  add(createRetentionModule(runtime, { ...responses, ...limits, survey, files }));
  add(
    createHandlerModule({
      ...fileServices,
      ...progress,
      ...limits,
      definitions,
      links,
      responses: responses.reading,
      submissions,
      corrections,
      changes,
      counts,
      exports,
      summaries,
      rateLimits,
      enter,
      clock: runtime.clock,
    }),
  );
  return createServiceApp({ runtime, config, tenants, modules });
}

type Dependencies = Parameters<typeof createPublicResponseHandler>[0] & Parameters<typeof createResponseHandler>[0];

/** Serves the operations that need several features. */
function createHandlerModule(dependencies: Dependencies): ServiceModule {
  return { handlers: [createPublicResponseHandler(dependencies), createResponseHandler(dependencies)] };
}
