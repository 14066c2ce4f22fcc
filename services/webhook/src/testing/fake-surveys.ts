import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';

/** A fake of `DefinitionService` with `findSurveys` only. */
export interface FakeSurveys {
  readonly address: string;
  /** Tenant by survey id. */
  readonly tenants: Map<string, string>;
  /** Rejects calls until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

const notCalled = () => Promise.reject(new Error('not called by the webhook service'));

export async function startFakeSurveys({ jwksFile }: TestKeys): Promise<FakeSurveys> {
  const tenants = new Map<string, string>();
  const implementation = implement(DefinitionService, {
    findSurveys({ surveyIds }, context) {
      const { tenantId } = tenantCallOf(context);
      return { surveyIds: surveyIds.filter((id) => tenants.get(id) === tenantId) };
    },
    getDefinition: notCalled,
    getRetentions: notCalled,
    getLinkBySlug: notCalled,
    getLinkSlug: notCalled,
    findLinks: notCalled,
    storeImportedSurvey: notCalled,
  });
  const keySet = await createKeySet({ file: jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: 'survey', keySet });
  const createServer = () =>
    createGrpcServer({
      implementations: [implementation],
      pipeline: createPipeline({ verifier, log: testLog, registry: new Registry() }),
    });
  let server = createServer();
  const port = await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${port}`,
    tenants,
    stop: () => server.close(),
    async start() {
      server = createServer();
      await server.listen(port, '127.0.0.1');
    },
  };
}
