import { createMessageCheck } from '@survey/runtime/rpc/message-check';
import { followTenants } from '@survey/runtime/service/follow-tenants';
import { createIdempotencyModule } from '@survey/runtime/service/idempotency-module';
import { createKeyModule } from '@survey/runtime/service/key-module';
import { createServiceApp } from '@survey/runtime/service/service-app';
import { createModules } from '@survey/runtime/service/service-module';
import { createServiceRuntime } from '@survey/runtime/service/service-runtime';
import type { Logger } from 'pino';
import type { ImportConfig } from './config.ts';
import { createHandlerModule } from './handlers/module.ts';
import { createImportModule } from './imports/module.ts';
import { createStagingModule } from './staging/module.ts';

/** Creates the import service. Each feature uses only features created before it. */
export async function createImportApp(config: ImportConfig, log: Logger) {
  const runtime = await createServiceRuntime('import', config, log);
  const envelope = await runtime.envelope(config.encryptionKeyring);
  const tenants = followTenants(runtime, { config, destroyKeys: envelope.erase });
  const survey = runtime.connect('survey', config.surveyGrpcAddress);
  const response = runtime.connect('response', config.responseGrpcAddress);
  const checkMessage = createMessageCheck();
  const { all: modules, add } = createModules();

  add(createKeyModule({ envelope, tenants }));
  const idempotency = add(createIdempotencyModule(runtime, envelope));
  const staging = add(createStagingModule(runtime, envelope));
  const imports = add(createImportModule(runtime, { survey, response, tenants, staging, checkMessage, ...config }));
  add(createHandlerModule(runtime, { imports, staging, idempotency, checkMessage, ...config }));
  return createServiceApp({ runtime, config, tenants, modules });
}
