import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { createMessageCheck, type MessageCheck } from '@survey/runtime/rpc/message-check';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createIdempotencyModule } from '@survey/runtime/service/idempotency-module';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules, type ServiceModule } from '@survey/runtime/service/service-module';
import { createServiceRuntime, type ServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { ImportConfig } from './config.ts';
import { createImportHandler, createJobReplies } from './import-handler.ts';
import { createImportReceiver } from './import-request.ts';
import type { ImportService } from './imports/import-service.ts';
import { createImportModule } from './imports/module.ts';
import { createStagingModule } from './staging/module.ts';
import { MAX_BYTES_IN_MEMORY, type Staging } from './staging/staged-file.ts';

/** Creates the features in the order of their dependencies. */
export async function createImportApp(config: ImportConfig, log: Logger) {
  const runtime = await createServiceRuntime('import', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyDataKeys: envelope.erase });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const response = runtime.connect('response', config.responseGrpcAddress);
  const checkMessage = createMessageCheck();
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const idempotency = add(createIdempotencyModule(runtime, envelope));
  const staged = add(createStagingModule(runtime, envelope));
  const imports = add(createImportModule(runtime, { survey, response, tenants, checkMessage, ...staged, ...config }));
  add(createHandlerModule(runtime, { imports, idempotency, checkMessage, ...staged, ...config }));
  return createServiceApp({ runtime, config, tenants, modules });
}

interface Dependencies {
  readonly imports: ImportService;
  readonly staging: Staging;
  readonly idempotency: Idempotency;
  readonly checkMessage: MessageCheck;
  readonly importMaxBytes: number;
}

function createHandlerModule({ now }: ServiceRuntime, dependencies: Dependencies): ServiceModule {
  const { staging, importMaxBytes } = dependencies;
  const receive = createImportReceiver({ staging, now, maxBytes: importMaxBytes });
  // Planning stores nothing, so it accepts only files that fit in memory.
  const receiveForPlan = createImportReceiver({ staging, now, maxBytes: MAX_BYTES_IN_MEMORY });
  const jobReplies = createJobReplies(dependencies);
  return {
    handlers: [createImportHandler({ ...dependencies, receive, receiveForPlan, jobReplies })],
    // When the service stops, callers that wait for a job get a reply first.
    stoppedFirst: [jobReplies],
  };
}
