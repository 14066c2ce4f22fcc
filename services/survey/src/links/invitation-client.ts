import type { JsonObject } from '@bufbuild/protobuf';
import { InvitationService } from '@survey/proto/survey/responses/v1/invitation_service_pb';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import type { Link } from './link.ts';

/** An invitation is the identity of a single-use token. Its id gives no access. */
export interface Invitation {
  readonly id: string;
  readonly metadata: JsonObject;
}

/**
 * Stores the metadata of invitations at the response service, so that submits need no other service. Resolves when it
 * is durable. Throws `UNAVAILABLE` while the response service is unavailable.
 */
export type StoreInvitations = (
  context: ChangeContext,
  link: Pick<Link, 'id' | 'surveyId'>,
  invitations: readonly Invitation[],
) => Promise<void>;

const DEADLINE_MS = 10_000;

export function createInvitationClient(connection: ServiceConnection): StoreInvitations {
  const client = connection.client(InvitationService);
  return async ({ tenantId, requestId, traceparent }, { id: linkId, surveyId }, given) => {
    const invitations = given.map(({ id, metadata }) => ({ id, metadata: JSON.stringify(metadata) }));
    const options = { ...callOptionsFor({ claims: { tenantId }, requestId, traceparent }), timeoutMs: DEADLINE_MS };
    try {
      await client.storeInvitations({ surveyId, linkId, invitations }, options);
    } catch (error) {
      // A response service of the previous release replies `INTERNAL`, because it lacks the operation.
      if (error instanceof AppError && error.status < 500) throw error;
      throw new AppError('UNAVAILABLE', { retryAfterSeconds: 1, cause: error });
    }
  };
}
