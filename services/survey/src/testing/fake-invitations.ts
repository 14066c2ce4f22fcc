import { InvitationService } from '@survey/proto/survey/responses/v1/invitation_service_pb';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { AppError } from '@survey/runtime/errors/app-error';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';

interface StoredInvitation {
  readonly tenantId: string;
  readonly surveyId: string;
  readonly linkId: string;
  readonly metadata: unknown;
}

/** A fake of `InvitationService`. */
export interface FakeInvitations {
  readonly address: string;
  readonly stored: Map<string, StoredInvitation>;
  isAvailable: boolean;
  close(): Promise<void>;
}

export async function startFakeInvitations({ jwksFile }: TestKeys): Promise<FakeInvitations> {
  const stored = new Map<string, StoredInvitation>();
  const implementation = implement(InvitationService, {
    storeInvitations({ surveyId, linkId, invitations }, context) {
      if (!state.isAvailable) throw new AppError('INTERNAL');
      const { tenantId } = tenantCallOf(context);
      for (const { id, metadata } of invitations)
        if (!stored.has(id)) stored.set(id, { tenantId, surveyId, linkId, metadata: JSON.parse(metadata) });
      return {};
    },
  });
  const keySet = await createKeySet({ file: jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: 'response', keySet });
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  const server = createGrpcServer({ implementations: [implementation], pipeline });
  const port = await server.listen(0, '127.0.0.1');
  const state: FakeInvitations = {
    address: `127.0.0.1:${port}`,
    stored,
    isAvailable: true,
    close: () => server.close(),
  };
  return state;
}
