import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { createChangeModule } from './changes/module.ts';
import type { ResponseConfig } from './config.ts';
import { createCorrectionService } from './corrections/correction-service.ts';
import { createDeletionModule } from './deletions/module.ts';
import { createExportService } from './exports/export-service.ts';
import { createExternalIdModule } from './external-ids/module.ts';
import { createFileModule } from './files/module.ts';
import { createResponseImportHandler } from './imports/response-import-handler.ts';
import { createResponseImportService } from './imports/response-import-service.ts';
import { createProgressModule } from './progress/module.ts';
import { createPublicResponseHandler } from './public-response-handler.ts';
import { createRateLimits, createRejectionCounter } from './rates/rate-limits.ts';
import { createResponseHandler } from './response-handler.ts';
import { createResponseModule } from './responses/module.ts';
import { createRetentionModule } from './retention/module.ts';
import { createSeatModule } from './seats/module.ts';
import { createStopwatch } from './stopwatch.ts';
import { createSubmissionService } from './submissions/submission-service.ts';
import { createSliceModule, createSummaries } from './summaries/module.ts';
import { createResponseCountService } from './summaries/response-count-service.ts';
import { createSurveyModule } from './surveys/module.ts';

/**
 * Composes the features of the service, which stores and returns responses to surveys. A feature uses only features
 * above it in this list:
 *
 * - surveys: definitions, links and entrances (a survey, and the link through which it is answered)
 * - slices: stored counts of time ranges, for summaries
 * - external ids: seals those of earlier releases
 * - seats: limits of responses. A completed response takes one seat of each limit
 * - submissions, progress, corrections: respondents submit responses and save responses in progress. Users correct
 *   responses
 * - retention: a walk through all surveys deletes old responses
 * - deletions: users delete the responses that match conditions
 */
export async function createResponseApp(config: ResponseConfig, log: Logger) {
  const runtime = await createServiceRuntime('response', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, {
    config,
    destroyDataKeys: envelope.erase,
    // These collections contain no data of tenants.
    keptCollections: ['survey_walks', 'change_horizons'],
  });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const { clock, now } = runtime;
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const countRejection = createRejectionCounter(runtime.registry);
  const rateLimits = createRateLimits({ ...config, countRejection, now });
  const { definitions, links, findEntrance } = add(
    createSurveyModule(runtime, { survey, tenants, envelope, countRejection }),
  );
  const slices = add(createSliceModule(runtime, envelope));
  const responses = add(createResponseModule(runtime, { definitions, slices, envelope, ...config }));
  add(createExternalIdModule(runtime, responses));
  const seats = add(createSeatModule(runtime, responses));
  const { files, ...fileServices } = add(createFileModule(runtime, { definitions, responses, envelope }));
  /** The dependencies of the services below. */
  const core = { ...responses, ...seats, definitions, links, findEntrance, files, clock, now };
  const submissions = createSubmissionService({ ...core, startStopwatch: createStopwatch(runtime), newId: v7 });
  const progress = add(createProgressModule(runtime, { ...core, envelope, ...config }));
  const corrections = createCorrectionService(core);
  add({ handlers: [createResponseImportHandler(createResponseImportService(core))] });
  const changes = add(createChangeModule(runtime, { definitions, responses, ...config }));
  const counts = createResponseCountService(core);
  const exports = createExportService(core);
  const summaries = createSummaries(runtime, { ...core, responses, slices });
  add(createRetentionModule(runtime, { ...core, survey }));
  const deletions = add(createDeletionModule(runtime, { ...core, envelope }));
  const operations = {
    ...core,
    ...fileServices,
    ...progress,
    responses: responses.responseService,
    submissions,
    corrections,
    deletions,
    changes,
    counts,
    exports,
    summaries,
    rateLimits,
  };
  add({ handlers: [createPublicResponseHandler(operations), createResponseHandler(operations)] });
  return createServiceApp({ runtime, config, tenants, modules });
}
