import type { JsonObject } from '@bufbuild/protobuf';
import { AnswerService } from '@survey/proto/survey/responses/v1/answer_service_pb';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';

interface FakeResponse {
  readonly tenantId: string;
  readonly revision: number;
  readonly data: JsonObject;
  readonly metadata?: JsonObject;
}

/** A fake of `AnswerService`. */
export interface FakeResponses {
  readonly address: string;
  readonly stored: Map<string, FakeResponse>;
  /** The requested ids of each call. */
  readonly asked: (readonly string[])[];
  /** Awaited in each call. If it throws, the call fails with this error. */
  before: (responseIds: readonly string[]) => Promise<void>;
  /** Maximum number of responses in one reply. */
  limit: number;
  close(): Promise<void>;
}

export async function startFakeResponses({ jwksFile }: TestKeys): Promise<FakeResponses> {
  const asked: (readonly string[])[] = [];
  const stored = new Map<string, FakeResponse>();
  const implementation = implement(AnswerService, {
    async getAnswers({ responseIds }, context) {
      asked.push(responseIds);
      await state.before(responseIds);
      const { tenantId } = tenantCallOf(context);
      const answers = responseIds.slice(0, state.limit).flatMap((responseId) => {
        const response = stored.get(responseId);
        return response?.tenantId === tenantId
          ? [{ responseId, revision: response.revision, data: response.data, metadata: response.metadata }]
          : [];
      });
      return { answers, postponedIds: responseIds.slice(state.limit) };
    },
  });
  const keySet = await createKeySet({ file: jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: 'response', keySet });
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  const server = createGrpcServer({ implementations: [implementation], pipeline });
  const port = await server.listen(0, '127.0.0.1');
  const state: FakeResponses = {
    address: `127.0.0.1:${port}`,
    stored,
    asked,
    before: async () => {},
    limit: 100,
    close: () => server.close(),
  };
  return state;
}
